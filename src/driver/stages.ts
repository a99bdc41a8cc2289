// Every stage that programs can be compiled with: those that transform programs into the target calculus, and adjoint code.

import { adjointStage, type AdjointStage } from "../adjoint/stage.js";
import * as transformations from "../stages/index.js";
import type { Stage, StageName as TransformationName } from "../stages/stage.js";

export type StageName = TransformationName | AdjointStage["name"];

export type AnyStage = Stage | AdjointStage;

/** All stages' names, in the order in which `dualrev steps` shows them. */
export const stageNames: readonly StageName[] = [...transformations.stageNames, adjointStage.name];

/** The stage that `compile` and `grad` use where none is asked for. */
export const defaultStage: StageName = adjointStage.name;

export function stageNamed(name: StageName): AnyStage {
  return name === adjointStage.name ? adjointStage : transformations.stageNamed(name);
}

/** Whether a text names a stage. */
export function isStageName(name: string): name is StageName {
  return name === adjointStage.name || transformations.isStageName(name);
}

/** Whether a stage is a transformation into the target calculus. */
export function isTransformation(stage: AnyStage): stage is Stage {
  return "transform" in stage;
}

/** Whether a stage has passes that can be shown and left out. */
export function hasPasses(stage: AnyStage): stage is AdjointStage {
  return "hasPasses" in stage;
}

/** Why files cannot be compiled apart in a stage (KR22 §8.1); null: they can. */
export function problemApart(stage: AnyStage): string | null {
  if (!isTransformation(stage)) return `the stage ${stage.name} resolves backpropagators over the whole program`;
  if (stage.ofInput === null) return null;
  return `in the stage ${stage.name} the type of a dual number, ${stage.dual?.name ?? "D[R]"}, mentions ${stage.ofInput}, which depends on the input of the program`;
}

/** The stages in which files can be compiled apart. */
export const apartStages: readonly StageName[] = stageNames.filter((name) => problemApart(stageNamed(name)) === null);
