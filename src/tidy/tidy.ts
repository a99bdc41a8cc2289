// Emitted functions as a person would have written them: what the sweeps write one small step at a time becomes expressions, and what nothing needs goes.
// Every number stays the same, bit for bit, but for the sign of cotangents that are zero, the last digit of exponentials in loops and of cotangents that loops
// of arithmetic carry, and products with two factors like 0.5 * (2 * x) that are not finite, or have lost digits, one after the other.

import type { LeafName } from "../flat/naming.js";
import { plainly, runSchedule, type Around, type Lowering } from "../pass.js";
import { mapSame, withParts } from "../same.js";
import { calledPlainly, type Called } from "../typescript/called.js";
import { visitExpressions, visitNames, visitStatements } from "../typescript/traverse.js";
import type { TsDeclaration, TsExpr, TsFunction, TsStmt, TsType } from "../typescript/tree.js";
import { Bindings, isLocal, separated } from "./analysis/bindings.js";
import { calledOnce } from "./expressions/called-once.js";
import { lendingIn } from "./analysis/lending.js";
import { keysAssigned } from "./analysis/memory.js";
import type { Surroundings } from "./analysis/purity.js";
import { nameRows } from "./arrays/rows.js";
import { keeper } from "./arrays/limited-arrays.js";
import { withComments } from "./names/comments.js";
import { named } from "./names/naming.js";
import { Renumbering } from "./names/renumber.js";
import { renameSaved } from "./names/saved-names.js";
import { functionSchedule } from "./passes.js";

/** How the passes over a declaration's function run; `written` gives the variables of one their names. */
export type AroundFunction = (written: (fn: TsFunction) => TsDeclaration) => Around<TsFunction>;

export interface TidyOptions {
  /** Of variables that have got numbers, because each has a name of its own in the whole program, what they are called without. */
  readonly wishes: ReadonlyMap<string, LeafName>;
  /** The stem of the compiler's own variables. */
  readonly temporary: string;
  /** What the names of variables mean that are of others. */
  readonly called: ReadonlyMap<string, Called>;
  /** The functions that are both sweeps of a pullback. */
  readonly pullbacks: ReadonlySet<string>;
  readonly around: AroundFunction;
}

const noOptions: TidyOptions = {
  wishes: new Map(),
  temporary: "t",
  called: new Map(),
  pullbacks: new Set(),
  around: () => plainly,
};

/** The declarations of a module, tidied; `called` tells what of the runtime (`file.name`) an identifier stands for. */
export function tidied(
  declarations: readonly TsDeclaration[],
  called: ReadonlyMap<string, string>,
  { wishes, temporary, called: names, pullbacks, around }: TidyOptions = noOptions,
): readonly TsDeclaration[] {
  const runtime = new Map([...called].map(([name, reference]) => [reference, name]));
  const known = {
    reference: (name: string) => called.get(name) ?? null,
    nameOf: (reference: string) => runtime.get(reference) ?? null,
    written: writtenIn(declarations),
    ...constructorsIn(declarations),
  };
  const surroundings: Surroundings = { ...known, isLent: lendingIn(declarations, known) };
  const renumbering = new Renumbering(wishes);
  const once = calledOnce(declarations, pullbacks);
  return declarations.map((declaration) => {
    if (!("fn" in declaration)) return declaration;
    const isExported = declaration.kind === "function" && declaration.exported;
    const ofFunction: OneFunction["around"] = (written) => around((fn) => ({ ...declaration, fn: written(fn) }));
    const fn = tidiedFunction(declaration.fn, surroundings, {
      renumbering,
      temporary,
      calledAs: (name) => names.get(name) ?? calledPlainly(name),
      once,
      isExported,
      around: ofFunction,
    });
    return { ...declaration, fn };
  });
}

/** What one function is tidied with. */
interface OneFunction {
  readonly renumbering: Renumbering;
  readonly temporary: string;
  readonly calledAs: (name: string) => Called;
  readonly once: ReadonlyMap<string, TsFunction>;
  readonly isExported: boolean;
  readonly around: (written: (fn: TsFunction) => TsFunction) => Around<TsFunction>;
}

export function tidiedFunction(
  fn: TsFunction,
  surroundings: Surroundings,
  { renumbering, temporary, calledAs, once, isExported, around }: OneFunction = {
    renumbering: new Renumbering(new Map()),
    temporary: "t",
    calledAs: calledPlainly,
    once: new Map(),
    isExported: false,
    around: () => plainly,
  },
): TsFunction {
  const bindings = new Bindings(temporary, calledAs);
  const keep = surroundings.nameOf(keeper);
  const written = (current: TsFunction): TsFunction => named(withComments(current, bindings, keep), bindings);
  const context = {
    bindings,
    surroundings,
    isExported,
    once,
    hasLoops: [fn, ...once.values()].some(({ body }) => hasLoops(body)),
    isCarried: (name: string): boolean => isLocal(name) && bindings.wanted(name).as.at(-1) === "carried",
    unfoldable: new Set<TsStmt>(),
  };
  const run = around(written);
  const before = run(sweepsPass, null, () => sweepsPass.run(fn, bindings));
  const after = runSchedule(functionSchedule, before, context, run);
  renameSaved(after, bindings, keep);
  renumbering.run(after, bindings, isExported);
  nameRows(after, bindings);
  return isExported ? written(after) : withUnreadMarked(written(after));
}

/** What writes the functions that are tidied. */
export const sweepsPass: Lowering<TsFunction, TsFunction, Bindings> = {
  name: "sweeps",
  title: "The forward and the reverse sweep of each procedure, as statements",
  in: "stores",
  out: "function",
  run: separated,
};

/** A function whose parameters begin with `_` where nothing reads them, which TypeScript takes for intended. */
function withUnreadMarked(fn: TsFunction): TsFunction {
  const read = new Set<string>();
  visitNames(fn.body, (name) => read.add(name));
  const params = mapSame(fn.params, (param) =>
    read.has(param.name) || read.has(`_${param.name}`) ? param : { ...param, name: `_${param.name}` },
  );
  return withParts(fn, { params });
}

/** The types of what one constructor has made, and its name; by constructor all of its data type. */
function constructorsIn(declarations: readonly TsDeclaration[]): Pick<Surroundings, "constructors" | "alternatives"> {
  const constructors = new Map<string, string>();
  const alternatives = new Map<string, readonly string[]>();
  for (const declaration of declarations) {
    const tag = declaration.kind === "type" ? tagOf(declaration.type) : null;
    if (declaration.kind === "type" && tag !== null) constructors.set(declaration.name, tag);
  }
  for (const declaration of declarations) {
    if (declaration.kind !== "type" || declaration.type.kind !== "union") continue;
    const tags = declaration.type.members.map((type) => type.kind === "name" ? (constructors.get(type.name) ?? null) : tagOf(type)); // prettier-ignore
    const all = tags.filter((tag) => tag !== null);
    if (all.length === tags.length) for (const tag of all) alternatives.set(tag, all);
  }
  return { constructors, alternatives };
}

/** The constructor that makes what has a type. */
function tagOf(type: TsType): string | null {
  const tag = type.kind === "object" ? type.fields.find(({ name }) => name === "tag")?.type : undefined;
  return tag?.kind === "literal" && typeof tag.value === "string" ? tag.value : null;
}

/** Whether there is a loop in statements, or in functions in them. */
function hasLoops(stmts: readonly TsStmt[]): boolean {
  let found = false;
  visitStatements(stmts, ({ kind }) => {
    if (kind === "for" || kind === "while" || kind === "loop") found = true;
  });
  return found;
}

/** The properties that functions assign to. */
function writtenIn(declarations: readonly TsDeclaration[]): ReadonlySet<string> {
  const written = new Set<string>();
  const note = (expr: TsExpr): void => {
    if (expr.kind === "assign") for (const key of keysAssigned(expr)) written.add(key);
    if (expr.kind === "call" && expr.fn.kind === "member" && expr.fn.name === "push") written.add("[]").add("length");
  };
  for (const declaration of declarations) if ("fn" in declaration) visitExpressions(declaration.fn.body, note);
  return written;
}
