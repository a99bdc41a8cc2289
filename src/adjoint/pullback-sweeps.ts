// A pullback under a reverse pass: the forward sweep calls it, the reverse sweep calls the definition that gives the cotangents of what it has taken
// (core/term.ts, `Pullback`).
//
//   g = pullback(x, c, w)        x_, c_, w_ += reverse(x, c, w, g_)
//
// So is what has a rule for its pullback, which may ask for the result:
//
//   y = f(x)                     x_ += reverse(x, y, y_)

import type { Rep, Var } from "../flat/program.js";
import { callOf, id, member, number, returned } from "../typescript/build.js";
import { identifier } from "../typescript/naming.js";
import type { TsExpr, TsParam, TsStmt } from "../typescript/tree.js";
import { cellOf, countingUp } from "./code.js";
import { addArray } from "./cotangents.js";
import type { ModuleContext } from "./module.js";
import { asType, zeroStoreOf } from "./operations.js";
import { popped, pushed } from "./tape-values.js";
import type { PullbackCode } from "./pullback-functions.js";
import type { ActiveProcedure } from "./stores.js";

/** Both sweeps; `results` of the forward sweep, and the reals whose cotangents the reverse sweep returns, are as those of any active procedure. */
export interface PullbackSweeps {
  readonly forward: { readonly params: readonly TsParam[]; readonly body: readonly TsStmt[] };
  readonly reverse: { readonly params: readonly TsParam[]; readonly body: readonly TsStmt[] };
}

export function pullbackSweeps(
  module: ModuleContext,
  { plain, procedure, activeResults }: ActiveProcedure,
  { seeds, results, isGiven }: PullbackCode,
  reverse: string,
): PullbackSweeps {
  const { types, refer, zeros, active } = module;
  const scope = module.values.inner();
  const params = procedure.params.map((variable) => ({ variable, name: module.nameIn(scope, variable) }));
  const nameOf = (variable: Var): TsExpr =>
    id(params.find((param) => param.variable.name === variable.name)?.name ?? "");
  const own = plain.params.map(nameOf);
  const given = plain.results.map((rep, index) => {
    const hasStore = activeResults[index] === true && active.leaves.hasStore(rep);
    return { rep, name: scope.fresh("result"), store: hasStore ? scope.after("result", "cotangent") : null, seed: activeResults[index] === true && rep.kind === "real" ? scope.after("result", "cotangent") : null }; // prettier-ignore
  });
  const paramOf = ({ variable: { rep }, name }: (typeof params)[number]): TsParam => ({ name, type: types.of(rep, "adjoint"), optional: false }); // prettier-ignore
  // The reverse sweep takes off the tape what its callers do not pass
  const passed = new Set(module.passedBack.places(procedure));
  const kept = [
    ...params.flatMap((param, index) => (passed.has(index) ? [] : [{ name: param.name, rep: param.variable.rep }])),
    ...(isGiven ? given.map(({ rep, name }) => ({ name, rep })) : []),
    ...given.flatMap(({ rep, store }): { name: string; rep: Rep }[] => (store === null ? [] : [{ name: store, rep: { kind: "store", of: rep } }])), // prettier-ignore
  ];
  const made = given.flatMap(({ rep, name, store }): TsStmt[] => (store === null ? [] : [{ kind: "const", target: store, type: null, init: zeroStoreOf(rep, id(name), { types, zeros, refer }) }])); // prettier-ignore
  const values = [
    ...given.map(({ name }) => id(name)),
    ...given.flatMap(({ store }) => (store === null ? [] : [id(store)])),
  ];
  const forward: TsStmt[] = [
    { kind: "const", target: targetOf(given.map(({ name }) => name)), type: null, init: module.call(plain.name, own) },
    ...made,
    ...kept.map(({ name, rep }) => pushed(name, rep, module)),
    returned(together(values)),
  ];
  const slopes = given.map(({ seed, store, rep }, index) => {
    if (seed !== null) return id(seed);
    if (store !== null) return asType(id(store), types.of(rep, "plain"));
    // Nothing comes back from it: of what has no reals only the shape counts
    return rep.kind === "real" ? number(0) : (own[index] ?? number(0));
  });
  const flippedOwn = own.map((value, index) => {
    const place = index - (own.length - seeds.length);
    return place < 0 ? value : (own[own.length - seeds.length + (seeds[place] ?? 0)] ?? value);
  });
  const flippedSlopes = results.map((place) => slopes[place] ?? number(0));
  const found = plain.params.map(({ name }) => scope.after(identifier(name), "cotangent"));
  const call = module.call(reverse, [
    ...flippedOwn,
    ...(isGiven ? given.map(({ name }) => id(name)) : []),
    ...flippedSlopes,
  ]);
  const cotangentOf = (index: number): TsExpr => {
    const place = index - (own.length - seeds.length);
    return id(found[place < 0 ? index : own.length - seeds.length + (seeds[place] ?? 0)] ?? "");
  };
  const adds = plain.params.flatMap((param, index): TsStmt[] => {
    const store = active.storeOf(param);
    if (store === null || !params.some(({ variable }) => variable.name === store.name)) return [];
    return [addArray(nameOf(store), cotangentOf(index), param.rep, (hint) => scope.fresh(hint))];
  });
  const reals = plain.params.flatMap((param, index) => (param.rep.kind === "real" && active.activity.has(param) ? [cotangentOf(index)] : [])); // prettier-ignore
  const restored = kept.toReversed().map(({ name, rep }): TsStmt => ({ kind: "const", target: name, type: null, init: popped(rep, module) })); // prettier-ignore
  return {
    forward: { params: params.map(paramOf), body: forward },
    reverse: {
      params: [
        ...params.filter((_, index) => passed.has(index)).map(paramOf),
        ...given.flatMap(({ seed }): TsParam[] => (seed === null ? [] : [{ name: seed, type: { kind: "name", name: "number", args: [] }, optional: false }])), // prettier-ignore
      ],
      body: [
        ...restored,
        { kind: "const", target: targetOf(found), type: null, init: call },
        ...adds,
        // What the next run of a pullback finds
        ...given.flatMap(({ store, rep }) => (store === null ? [] : emptied(id(store), rep, (hint) => scope.fresh(hint)))), // prettier-ignore
        ...(reals.length === 0 ? [] : [returned(together(reals))]),
      ],
    },
  };
}

/** Zeros in the place of a store's numbers. */
function emptied(store: TsExpr, rep: Rep, fresh: (hint: string) => string): readonly TsStmt[] {
  if (rep.kind !== "array") return [];
  if (rep.element.kind === "real") return [{ kind: "expr", expr: callOf(member(store, "fill"), number(0)) }];
  const row = fresh("row");
  const rows = emptied(cellOf(store, id(row)), rep.element, fresh);
  return rows.length === 0 ? [] : [countingUp(row, member(store, "length"), rows)];
}

function targetOf(names: readonly string[]): string | readonly string[] {
  const [only] = names;
  return names.length === 1 && only !== undefined ? only : names;
}

function together(values: readonly TsExpr[]): TsExpr {
  const [only] = values;
  return values.length === 1 && only !== undefined ? only : { kind: "array", items: values };
}
