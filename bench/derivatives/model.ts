// A model whose derivatives are taken in several forms, with those by hand, of the interface of the emitted ones.

type Written = (...args: readonly never[]) => unknown;

export interface DerivativeModel {
  readonly name: string;
  /** The definition in `models.lam`, and the parameters that it is differentiated for. */
  readonly entry: string;
  readonly wrt: readonly string[];
  readonly args: readonly unknown[];
  /** The direction of `jvp` and `hvp`. */
  readonly direction: readonly unknown[];
  /** Null where they are those of another model. */
  readonly jvp: Written | null;
  readonly hvp: Written | null;
  /** Of another definition, whose first parameters are differentiated; null where the result is one number. */
  readonly jacobian: Jacobian | null;
}

interface Jacobian {
  readonly entry: string;
  readonly args: readonly unknown[];
  readonly byHand: Written;
  /** The sum of the result, whose gradient says what a reverse pass over all of it takes; null where nobody asks. */
  readonly sum: string | null;
}
