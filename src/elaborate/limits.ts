/** What elaboration grants a program before it says that it is too large. */
export interface Limits {
  /** Instances of polymorphic definitions and local functions, beyond the first of each. */
  readonly instances: number;
  /** Source expressions elaborated, counted once for each instance. */
  readonly expressions: number;
  /** Nodes of one type. */
  readonly typeSize: number;
  /** Levels of nesting in a definition, but for the bodies of `let`: every pass recurses along them. */
  readonly nesting: number;
  /** Nodes in the decision tree of one `case`. */
  readonly decisions: number;
}

export const defaultLimits: Limits = {
  instances: 5_000,
  expressions: 2_000_000,
  typeSize: 2_000,
  nesting: 400,
  decisions: 20_000,
};
