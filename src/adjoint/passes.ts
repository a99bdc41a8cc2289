// The passes from flat programs to those with stores, and over the declarations of an emitted module.

import type { Pass, PassInfo, Schedule } from "../pass.js";
import { sameItems } from "../same.js";
import type { TsDeclaration } from "../typescript/tree.js";
import { withoutTwins } from "./same-functions.js";
import { withSharedObjects } from "./shared-objects.js";
import { withoutUnusedParams } from "./unused-params.js";
import { withUnreadParamsMarked, withoutUnusedTypes, withoutUnusedValues } from "./used-types.js";

/** What follows the passes over flat programs. */
export const storePass: PassInfo = {
  name: "stores",
  title: "Beside each active array or object a store for its cotangents",
  in: "flat",
  out: "stores",
};

export interface ModuleContext {
  /** What the module calls the limit of its stack. */
  readonly limit: string;
  /** A fresh name for a value of the module. */
  readonly fresh: (name: string) => string;
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
  pass("twins", "Functions that do the same are one", (declarations, { limit }) => withoutTwins(declarations, limit)),
  pass("unused-values", "Functions and constants that nothing mentions removed", withoutUnusedValues),
  pass("shared-objects", "What a constructor without fields makes is made once", (declarations, { fresh }) => withSharedObjects(declarations, fresh)), // prettier-ignore
  pass("unused-types", "Types that nothing mentions removed", withoutUnusedTypes),
  pass("unread-params", "Parameters that nothing reads begin with `_`", withUnreadParamsMarked),
];
