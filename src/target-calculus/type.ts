// The types of the target calculus: SV25 Fig. 5 and what each later figure adds.
//
//   T ::= source types | T -o T | M T | 0|T | opaque types of the stage's interface (`Staged c`, `c`, `Array R`, ..)

import type { Calculus, DataDeclF, TypeF } from "../core/type.js";

interface TargetTypes extends Calculus {
  readonly type: Type;
}

export type Type =
  | TypeF<TargetTypes>
  /** `from -o to`: a homomorphism of monoids; operationally an ordinary function. */
  | { readonly kind: "linear"; readonly from: Type; readonly to: Type }
  /** `M result`: a computation in the stage's monad (ID generation `Z -> (-, Z)` in SV25 Figs. 8-10). */
  | { readonly kind: "computation"; readonly result: Type }
  /** `0 | T`: a cotangent of type T in which any part may be the formal zero (SV25 footnote 30). */
  | { readonly kind: "sparse"; readonly of: Type }
  /** A type of the stage's interface, printed as its name. */
  | { readonly kind: "opaque"; readonly name: string };

export type DataDecl = DataDeclF<Type>;
