// The passes from flat programs to those with stores, and over the declarations of an emitted module.

import type { Program } from "../flat/program.js";
import type { Lowering, Pass, Schedule } from "../pass.js";
import { sameItems } from "../same.js";
import type { TsDeclaration } from "../typescript/tree.js";
import { prepare, type Prepared, type StoreContext } from "./prepare.js";
import { withoutTwins } from "./same-functions.js";
import { withPlainProducts, type PlainProducts } from "./plain-products.js";
import { withSharedObjects } from "./shared-objects.js";
import { withoutUnusedParams } from "./unused-params.js";
import { withUnreadParamsMarked, withoutUnusedTypes, withoutUnusedValues } from "./used-types.js";

/** What follows the passes over flat programs. */
export const storePass: Lowering<Program, Prepared, StoreContext> = {
  name: "stores",
  title: "Beside each active array or object a store for its cotangents",
  in: "flat",
  out: "stores",
  run: prepare,
};

export interface ModuleContext {
  /** What the module calls the limit of its stack. */
  readonly limit: string;
  /** A fresh name for a value of the module. */
  readonly fresh: (name: string) => string;
  readonly products: Omit<PlainProducts, "fresh">;
}

type Declarations = readonly TsDeclaration[];
export type ModulePass = Pass<Declarations, ModuleContext>;

function pass(name: string, title: string, run: ModulePass["run"]): ModulePass {
  return {
    name,
    title,
    in: "module",
    out: "module",
    run: (before, context) => sameItems(before, run(before, context)),
  };
}

/** In front of those over single functions. */
export const earlyModuleSchedule: Schedule<Declarations, ModuleContext> = [
  pass("unused-params", "Parameters that a function does not need of its callers removed", withoutUnusedParams),
];

/** Behind those over single functions. */
export const lateModuleSchedule: Schedule<Declarations, ModuleContext> = [
  pass("plain-products", "Derivatives with plain products first, and with guarded ones where they are NaN", (declarations, { products, fresh }) => withPlainProducts(declarations, { ...products, fresh })), // prettier-ignore
  pass("twins", "Functions that do the same are one", (declarations, { limit }) => withoutTwins(declarations, limit)),
  pass("unused-values", "Functions and constants that nothing mentions removed", withoutUnusedValues),
  pass("shared-objects", "What a constructor without fields makes is made once", (declarations, { fresh }) => withSharedObjects(declarations, fresh)), // prettier-ignore
  pass("unused-types", "Types that nothing mentions removed", withoutUnusedTypes),
  pass("unread-params", "Parameters that nothing reads begin with `_`", withUnreadParamsMarked),
];
