/** A branch that well-formed input never takes. */
export function impossible(): never {
  throw new Error("dualrev: a branch was taken that no input should take");
}
