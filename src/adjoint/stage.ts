// What the stage `adjoint` is: not a transformation into the target calculus, but adjoint code ahead of time.

import type { Mode } from "../stages/stage.js";

export interface AdjointStage {
  readonly name: "adjoint";
  readonly title: string;
  readonly change: string;
  readonly mode: Mode;
  /** Its passes can be shown, and left out. */
  readonly hasPasses: true;
}

export const adjointStage: AdjointStage = {
  name: "adjoint",
  title: "Both sweeps as plain code, ahead of time",
  change:
    "There is no tape and no backpropagator left: the forward sweep saves what the reverse sweep needs, and the reverse sweep is plain assignments. " +
    "A scalar's cotangent lives where the scalar does: beside a local variable, or in a slot beside what it is stored in.",
  mode: "reverse",
  hasPasses: true,
};
