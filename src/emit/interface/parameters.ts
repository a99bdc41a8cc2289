// The parameters of exported functions: one for each name in the patterns of the core definition's.

import type { EntryParam } from "../../core/term.js";
import type { Type } from "../../core/type.js";
import type { ListInput } from "./request.js";

/** A parameter of the exported functions. */
export interface PublicParam {
  readonly key: string;
  /** Its name inside the function, and that of its tangent. */
  readonly name: string;
  readonly tangent: string;
  /** What of them is given to the program: themselves, or what is made of them where more is accepted than the program takes. */
  readonly accepted: string;
  readonly acceptedTangent: string;
  readonly type: Type;
  /** The arrays that a list is read into, and what does that; null for everything else. */
  readonly items: ListInput | null;
  /** Whether derivatives are taken for it. */
  readonly active: boolean;
  /** Where the core parameters, as a tuple if there are several, hold it. */
  readonly path: readonly number[];
}

/** The named parameters, with the way to each. */
export function leavesOf(
  params: readonly EntryParam[],
): readonly { leaf: EntryParam & { readonly kind: "named" }; path: readonly number[] }[] {
  return params.flatMap((param, index) => {
    if (param.kind === "named") return [{ leaf: param, path: [index] }];
    return leavesOf(param.items).map(({ leaf, path }) => ({ leaf, path: [index, ...path] }));
  });
}

/** The names of parameters in a sentence: `x, y and z`; with a prefix those of what goes with them. */
export function namesOf(params: readonly Pick<PublicParam, "key">[], prefix = ""): string {
  const names = params.map(({ key }) => prefix + key);
  const last = names.pop() ?? "";
  return names.length === 0 ? last : `${names.join(", ")} and ${last}`;
}
