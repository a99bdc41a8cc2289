// SV25 §7, Fig. 9: D3, Cayley-transformed: staged calls are functions from the calls so far to all calls, so that nothing is united or added
// up as a whole. The term rules are those of Fig. 8 over the monoid `Staged c -> Staged c`, whose zero is `id` and whose plus is composition.
// Checked after this pass: G |- t : T implies D3[G] |- D3[t] : Z -> (D3[T], Z).

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { reduceProgram } from "../target-calculus/reduce.js";
import type { Program, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { stagedRules, stagedTag, stagedTypes } from "./d2.js";
import { constructorsOf, ids, interfaceOf, named, shape, update } from "./interface.js";
import { Monadic } from "./monadic.js";
import type { Stage } from "./stage.js";
import { wrapStaged } from "./wrap-staged.js";

const c = b.opaque("c");
const staged = b.opaque("Staged c");
/** `Staged c -> Staged c`. */
const m = b.fnType(staged, staged);

function transform(program: Source.Program, names: Names): Program {
  const types = stagedTypes(program, m, "D3", names);
  const monadic = new Monadic(program, types, stagedRules(m, names), names);
  const definitions = program.definitions.map(monadic.definition);

  /** `f` applied to component `index` alone. */
  const update = (vars: readonly string[], index: number, f: Term): readonly Term[] =>
    vars.map((name, i) => (i === index ? b.app(f, b.variable(name)) : b.variable(name)));

  const { functions, wrappers } = wrapStaged(program, types, names, {
    m,
    inject: {
      domain: (type: Type) => b.fnType(type, type),
      // R = \(x, d). \i. ((x, (i, \_z. d (\a. z + a))), i + 1)
      leaf: (d) => {
        const [z, a] = [names.fresh("z"), names.fresh("a")];
        const add = b.lam(a, b.real, b.plus(b.real, b.variable(z), b.variable(a)));
        return b.linLam(z, b.real, b.app(d, add));
      },
      // \f. d (\(v, w). (f v, w)) and \f. d (\(v, w). (v, f w))
      intoTuple: (items, index, f) => {
        const whole = names.fresh("c");
        const vars = items.map(() => names.fresh("v"));
        const params = items.map((item, i) => b.param(vars[i] ?? whole, item));
        const body = b.letTuple(params, b.variable(whole), b.tuple(...update(vars, index, f)));
        return b.lam(whole, b.tupleType(...items), body);
      },
      // \f. d (\c. c with f (c ! i) at i)
      intoArray: (element, i, f) => {
        const whole = names.fresh("c");
        return b.lam(whole, b.arrayType(element), b.ext("update", i, f, b.variable(whole)));
      },
      // \f. d (\(inl v). inl (f v))
      intoData: (type, con, index, f) => {
        const whole = names.fresh("c");
        const branches = constructorsOf(program, type).map(({ name, fields }) => {
          const vars = fields.map(() => names.fresh("v"));
          const body = name === con ? b.con(con, type, update(vars, index, f)) : b.impossible(type);
          return { con: name, vars, body };
        });
        return b.lam(whole, type, b.caseOf(b.variable(whole), type.name, branches));
      },
    },
    collector: (input) => input,
    // SResolve (d z 0Staged): the only zero of type c left, a new one each time, since what no call adds to is the gradient's
    resolve: (zero, calls) => b.ext("SResolve", b.app(calls, b.ext("0Staged", b.ext("zeroOf", zero)))),
  });
  return reduceProgram({
    data: [...program.data, ...types.declarations],
    definitions: [...definitions, ...functions],
    wrappers,
  });
}

export const d3: Stage = {
  name: "d3",
  title: "D3: Cayley-transformed (SV25 Fig. 9)",
  change:
    "A backpropagator returns a function that adds to the staged calls, instead of staged calls of its own: sums become compositions, one " +
    "map is threaded through, and the gradient starts from a single zero.",
  mode: "reverse",
  suffix: "D3",
  ofInput: "c",
  deep: false,
  ownsInput: false,
  operations: interfaceOf([
    ...ids,
    shape,
    update,
    { name: "SCotan", params: [b.fnType(c, c)], result: m, runtime: "d3.sCotan" },
    { name: "SCall", params: [stagedTag(m), b.real], result: m, runtime: "d3.sCall" },
    { name: "0Staged", params: [c], result: staged, runtime: "d3.emptyStaged" },
    { name: "SResolve", params: [staged], result: c, runtime: "d3.sResolve" },
  ]),
  opaqueTypes: new Map([["Staged c", { type: named("Staged"), runtime: "d3.Staged" }]]),
  monoids: [
    { type: m, zero: "d3.identity", plus: "d3.compose", sum: "d3.composeAll", symbols: { zero: "id", plus: "." } },
  ],
  monad: "state",
  dual: { name: "D3[R]", type: b.tupleType(b.real, stagedTag(m)) },
  transform,
};
