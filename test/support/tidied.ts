// What passes of src/tidy make of the text of a function.

import { Bindings, separated } from "../../src/tidy/analysis/bindings.js";
import { withComments } from "../../src/tidy/names/comments.js";
import { named } from "../../src/tidy/names/naming.js";
import type { Surroundings } from "../../src/tidy/analysis/purity.js";
import type { Called, Role } from "../../src/typescript/called.js";
import { printModule } from "../../src/typescript/print-module.js";
import type { TsFunction } from "../../src/typescript/tree.js";
import { functionsIn } from "./typescript-tree.js";

/** A module in which `scale` and the like are those of the runtime, and functions may assign to all properties that tests mention. */
export const surroundings: Surroundings = {
  reference: (name) => references.get(name) ?? null,
  nameOf: (reference) => [...references].find(([, other]) => other === reference)?.[0] ?? null,
  written: new Set(["[]", "length", "slot_"]),
  constructors: new Map([["Cons", "Cons"]]),
  alternatives: new Map([["Cons", ["Nil", "Cons"]]]),
  isLent: (fn) => fn === "lent",
};

const references: ReadonlyMap<string, string> = new Map([
  ["scale", "numbers.scale"],
  ["ratio", "numbers.ratio"],
  ["exp", "numbers.exp"],
  ["relu", "numbers.relu"],
  ["sameLength", "numbers.sameLength"],
  ["zerosLike", "adjoint.zerosLike"],
  ["takeStore", "adjoint.takeStore"],
  ["zeroRows", "adjoint.zeroRows"],
  ["rowAgain", "adjoint.rowAgain"],
  ["zeroRowsAgain", "adjoint.zeroRowsAgain"],
  ["workArray", "adjoint.workArray"],
  ["workRows", "adjoint.workRows"],
  ["grown", "adjoint.grown"],
  ["collected", "adjoint.collected"],
  ["keep", "adjoint.keep"],
  ["endless", "limits.endless"],
  ["takeBuffer", "adjoint.takeBuffer"],
  ["leaveBuffer", "adjoint.leaveBuffer"],
  ["takeRoom", "adjoint.takeRoom"],
  ["withRoom", "adjoint.withRoom"],
  ["leaveRoom", "adjoint.leaveRoom"],
  ["takePlaces", "adjoint.takePlaces"],
  ["withPlaces", "adjoint.withPlaces"],
  ["leavePlaces", "adjoint.leavePlaces"],
  ["SavedValues", "adjoint.SavedValues"],
  ["outside", "arrays.outside"],
  ["earlierArrays", "buffers.earlierArrays"],
  ["refill", "buffers.refill"],
  ["takeWorkspace", "workspace.takeWorkspace"],
  ["leaveWorkspace", "workspace.leaveWorkspace"],
  ["zerosIn", "workspace.zerosIn"],
  ["readList", "workspace.numbersRead"],
  ["listOf", "values.copyValue"],
  ["acceptNumbers", "values.acceptNumbers"],
  ["acceptNumbersCopy", "values.acceptNumbersCopy"],
  ["acceptNumbersLike", "values.acceptNumbersLike"],
]);

/** In texts of tests `x_` is the cotangent of x, and so on; digits at the end only tell names apart. */
export function calledInText(name: string): Called {
  const [, of = name, ends = ""] = /^(.+?)((?:_|Saved|Kept|At)+)\d*$/.exec(name) ?? [];
  const roles = ends.match(/_|Saved|Kept|At/g) ?? [];
  return { of, as: roles.map((role) => rolesInText.get(role) ?? "cotangent") };
}

const rolesInText: ReadonlyMap<string, Role> = new Map([
  ["Saved", "saved"],
  ["Kept", "kept"],
  ["At", "cursor"],
]);

/** A function after one pass, as TypeScript. */
export function afterPass(text: string, pass: (fn: TsFunction, bindings: Bindings) => TsFunction): string {
  return printed(
    functionsIn(text).map((fn) => {
      const bindings = new Bindings("t", calledInText);
      const after = pass(separated(fn, bindings), bindings);
      return named(withComments(after, bindings, "keep"), bindings);
    }),
  );
}

export function printed(functions: readonly TsFunction[]): string {
  const declarations = functions.map((fn) => ({ kind: "function", doc: "", exported: false, fn }) as const);
  return printModule({ header: [], declarations }, "ts").replace(/^\/\*[^]*?\*\/\s*/, "");
}
