// `openLossPool`: the gradient on several threads. Its parts are functions of the module that only it calls; `serveJobs` is what a worker calls, which
// imports this module.

import { InternalError } from "../internal-error.js";
import type { Entry } from "../core/term.js";
import { fragmentName, fragmentsFor } from "../runtime/fragments.js";
import { callOf, constant, functionType, id, member, object, objectType, returned, string, number, typeName } from "../typescript/build.js"; // prettier-ignore
import { declaredNames } from "../typescript/mentioned.js";
import { capitalised, Scope } from "../typescript/naming.js";
import type { TsDeclaration, TsExpr, TsField, TsFunction, TsType } from "../typescript/tree.js";
import { derivedName, exportedName, propertyName } from "../emit/interface/public-names.js";
import { fragmentDeclaration } from "../emit/rename.js";
import { withoutUnusedFragments, withoutUnusedTypes, withoutUnusedValues } from "../adjoint/used-types.js";

/** One definition whose gradient threads compute. */
export interface PoolRequest {
  readonly entry: Entry;
  /** The definitions that it is in parts, by their names. */
  readonly parts: { readonly tasks: string | null; readonly job: string; readonly rest: string };
  /** The key in the gradient of the rest of what jobs give. */
  readonly given: string;
  /** The places of the parameters that are differentiated, and their keys in a gradient. */
  readonly active: readonly { readonly place: number; readonly key: string }[];
  /** The places of integers. */
  readonly integers: readonly number[];
  readonly operations: number;
  readonly most: number;
  /** How many tasks a fork of a tree has; 0: what is taken is a sum. */
  readonly arity: number;
}

/** What is exported for a definition: the type of its pools, and the function that opens one. */
export function poolNames({ name }: Entry): readonly [type: string, open: string] {
  const stem = capitalised(propertyName(name));
  return [`${stem}Pool`, `open${stem}Pool`];
}

/** What a module with pools exports besides. */
export const sharedNames = ["PoolOptions", "serveJobs"] as const;

/** How a pool is opened, as callers see it. */
const poolOptions: TsDeclaration = {
  kind: "type",
  doc: "How a pool is opened: with so many threads, as many as there are cores where left out; with the operations that a thread must have to do for it to pay; and with workers that are started otherwise than by the file beside this module, each of which calls `serveJobs`.",
  exported: true,
  name: "PoolOptions",
  typeParams: [],
  type: objectType([
    { name: "threads", type: typeName("number"), optional: true },
    { name: "minWork", type: typeName("number"), optional: true },
    {
      name: "worker",
      type: functionType(
        [],
        objectType([
          { name: "postMessage", type: functionType([{ name: "message", type: typeName("unknown"), optional: false }], typeName("void")) }, // prettier-ignore
          { name: "terminate", type: functionType([], typeName("unknown")) },
        ]),
      ),
      optional: true,
    },
  ]),
};

/** What a pool's `mode` may be. */
const modes = ["workers", "one thread: no SharedArrayBuffer", "one thread: one core"] as const;

/** The module with a pool for each definition that is asked for; `worker` is how it names the file that runs its jobs. */
export function withPools(
  pools: readonly PoolRequest[],
  declarations: readonly TsDeclaration[],
  worker: string,
): readonly TsDeclaration[] {
  if (pools.length === 0) return declarations;
  const exported = pools.flatMap(({ entry }) => poolNames(entry));
  const scope = Scope.values([...declarations.flatMap(declaredNames), ...sharedNames, ...exported]);
  const fresh = (hint: string): string => scope.fresh(hint);
  const fragments = fragmentsFor(["pool.openPool", "pool.serve", "pool.startWorker"], { counted: false });
  const renamed = new Map(fragments.map(({ reference }) => [fragmentName(reference), fresh(fragmentName(reference))]));
  const changed = new Map([...renamed].filter(([name, own]) => name !== own));
  const named = (name: string): string => renamed.get(name) ?? name;
  const runtime = fragments.map((fragment) => fragmentDeclaration(fragment, { values: changed, types: changed }, true));
  const inner = new Set(pools.flatMap(({ parts: { tasks, job, rest } }) => [...(tasks === null ? [] : [tasks]), ...[job, rest].flatMap((name) => [name, derivedName(name, "vjp"), derivedName(name, "grad")])].map(propertyName))); // prettier-ignore
  const functions = new Map(declarations.flatMap((each) => (each.kind === "function" ? [[each.fn.name, each.fn] as const] : []))); // prettier-ignore
  const hidden = declarations.map((each) => (each.kind === "function" && inner.has(each.fn.name) ? { ...each, exported: false } : each)); // prettier-ignore
  const all = fresh("jobsOf");
  const parts = pools.map((pool) => ({ name: propertyName(pool.entry.name), value: partsOf(pool) }));
  const table: TsDeclaration = {
    kind: "statement",
    doc: "The definitions whose gradients threads compute, in parts.",
    stmt: constant(all, typeName(named("PartsByName")), object(parts)),
  };
  const start = fresh("ownWorker");
  const serving: TsDeclaration = {
    kind: "function",
    doc: "What a worker of a pool calls, once: it does the jobs of gradients that it is sent.",
    exported: true,
    fn: {
      name: "serveJobs",
      typeParams: [],
      params: [],
      result: typeName("void"),
      body: [{ kind: "expr", expr: callOf(id(named("serve")), id(all)) }],
    },
  };
  const opening = pools.flatMap((pool) => poolOf(pool, functions, named("openPool"), all, start));
  const used = withoutUnusedFragments(withoutUnusedValues([...hidden, poolOptions, ...opening, serving, table]));
  return withoutUnusedTypes([...used, workerOf(start, named, worker), ...runtime]);
}

function partsOf({ entry, parts, given, active, integers, operations, most, arity }: PoolRequest): TsExpr {
  return object([
    { name: "whole", value: id(derivedName(entry.name, "grad")) },
    { name: "tasks", value: parts.tasks === null ? { kind: "null" } : id(propertyName(parts.tasks)) },
    { name: "job", value: id(derivedName(parts.job, "grad")) },
    { name: "rest", value: id(derivedName(parts.rest, "grad")) },
    { name: "given", value: string(given) },
    { name: "active", value: { kind: "array", items: active.map(({ place }) => number(place)) } },
    { name: "integers", value: { kind: "array", items: integers.map(number) } },
    { name: "keys", value: { kind: "array", items: active.map(({ key }) => string(key)) } },
    { name: "operations", value: number(operations) },
    { name: "most", value: number(most) },
    { name: "arity", value: number(arity) },
  ]);
}

/** `LossPool` and `openLossPool`. */
function poolOf(
  { entry }: PoolRequest,
  functions: ReadonlyMap<string, TsFunction>,
  openPool: string,
  all: string,
  start: string,
): readonly TsDeclaration[] {
  const name = derivedName(entry.name, "grad");
  const grad = functions.get(name);
  if (grad === undefined) throw new InternalError("emit", `${name} is not exported`);
  const params = grad.params.filter(({ optional }) => !optional);
  const [type, open] = poolNames(entry);
  const promise = (of: TsType): TsType => typeName("Promise", of);
  const numbers = { name: "xs", type: typeName("ArrayLike", typeName("number")), optional: false };
  const fields: readonly TsField[] = [
    { name: "threads", type: typeName("number") },
    { name: "mode", type: { kind: "union", members: modes.map((value) => ({ kind: "literal", value })) } },
    { name, type: functionType(params, promise(grad.result)) },
    { name: `${name}Sync`, type: functionType(params, grad.result) },
    { name: "share", type: functionType([numbers], typeName("Float64Array")) },
    { name: "close", type: functionType([], promise(typeName("void"))) },
  ];
  const doc = [
    `\`${exportedName(entry)}\` on several threads: \`mode\` is "workers", or says why there is one thread alone. \`${name}\` gives the same bits for any number of threads, and in every`,
    `run, and those of the module's \`${name}\` up to rounding; \`${name}Sync\` waits for it, which a page's main thread may not. An array of \`share\` is not copied for every`,
    "call. What `close` ends computes nothing any more.",
  ].join(" ");
  const pool = "pool";
  const args: TsExpr = { kind: "array", items: params.map((param) => id(param.name)) };
  const call = (method: string, result: TsType): TsExpr => ({
    kind: "arrow",
    params: params.map((param) => ({ name: param.name, type: param.type })),
    result,
    body: { kind: "as", expr: callOf(member(id(pool), method), string(propertyName(entry.name)), args), type: result },
  });
  const options = { name: "options", type: typeName("PoolOptions"), optional: true };
  const made = object([
    { name, value: call("grad", promise(grad.result)) },
    { name: `${name}Sync`, value: call("gradSync", grad.result) },
  ]);
  const given: TsExpr = { kind: "binary", op: "??", left: id(options.name), right: object([]) };
  const opened = callOf(id(openPool), id(all), given, id(start));
  const withMethods: TsExpr = { kind: "arrow", params: [{ name: pool, type: null }], result: typeName(type), body: callOf(member(id("Object"), "assign"), id(pool), made) }; // prettier-ignore
  const fn: TsFunction = { name: open, typeParams: [], params: [options], result: promise(typeName(type)), body: [returned(callOf(member(opened, "then"), withMethods))] }; // prettier-ignore
  return [
    { kind: "type", doc, exported: true, name: type, typeParams: [], type: objectType(fields) },
    {
      kind: "function",
      doc: `Opens threads for \`${name}\`: they stay until the pool is closed, and do not keep Node from ending.`,
      exported: true,
      fn,
    },
  ];
}

/** Starts the module's own worker, in words that bundlers know. */
function workerOf(name: string, named: (name: string) => string, worker: string): TsDeclaration {
  const text = (meta: string, result: string): string =>
    [
      `/** Starts a worker that does jobs: what the file beside this module holds, \`${worker}\`. Bundlers know these words, and take the file along. */`,
      `function ${name}()${result} {`,
      `  return ${named("startWorker")}(`,
      `    () =>`,
      `      new Worker(new URL(${JSON.stringify(worker)}, ${meta}), { type: "module" }),`,
      `  );`,
      `}`,
    ].join("\n");
  const ts = [
    "/** As much of a page as a pool needs. */",
    `declare const Worker: new (url: unknown, options: { readonly type: "module" }) => ${named("PoolWorker")};`,
    `declare const URL: new (url: string, base: string) => unknown;`,
    "",
    text("(import.meta as unknown as { readonly url: string }).url", `: ${named("PoolWorker")}`),
  ].join("\n");
  const js = text("import.meta.url", "");
  return { kind: "fragment", ts, js, reference: `pool.${name}`, name, isDirect: true };
}

/** The text of the file beside the module that a pool's workers run, by how the module names it. */
export function workerText(header: string, worker: string): string {
  const module = JSON.stringify(worker.replace(/\.worker(\.m?js)$/, "$1"));
  return `// ${header}\nimport { serveJobs } from ${module};\n\nserveJobs();\n`;
}
