// The wrapper of SV25 §10.3: the input's scalars become cells, the program writes its tape, and each call of the pullback sweeps down from
// fresh cotangents.
//   lift_T : T -> M D[T]    primal_T : D[T] -> T    seed_T : (Cotangents, D[T], _T) -> M ()    rebuild_T : (Cotangents, D[T], Buffers) -> _T

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { isDiscrete, mapArray, nameElement, nameIt, sumOverArray } from "./arrays.js";
import type { Wrapping } from "./d1-wrap.js";
import type { DualTypes } from "./dual-types.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";
import { wrapEntries } from "./wrappers.js";

/** The index of a cell: D[R]. */
export const node = b.opaque("Node");
/** A finished tape, which a pullback owns. */
export const record = b.opaque("Tape");
/** One cotangent for each cell. */
export const cotangents = b.opaque("Cotangents");
/** `M ()`. */
export const done = b.computation(b.unitType);

export function wrapTape(program: Source.Program, types: DualTypes, names: Names): Wrapping {
  const data = new DataTypes(program.data);
  const lifts = new TypeIndexed("lift", names, liftData);
  const primals = new TypeIndexed("primal", names, primalData);
  const seeds = new TypeIndexed("seed", names, seedData);
  const rebuilds = new TypeIndexed("rebuild", names, rebuildData);

  /** lift_type x : M D[type]. */
  function lift(type: Type, x: Term): Term {
    switch (type.kind) {
      case "real":
        return b.ext("leaf", x);
      case "int":
      case "bool":
        return b.ret(x);
      case "tuple":
        return inOrder(
          type.items.map((item, i) => ({ type: item, term: lift(item, b.proj(i, x)) })),
          (items) => b.tuple(...items),
        );
      // lift_[T] x = build (length x) (\i. lift_T (x ! i)), one element after the other; at [Z] too, as the gradient's shape is kept by a copy
      case "array":
        return nameIt(x, type, names, (xs) =>
          mapArray(xs, type.element, types.of(type.element), names, (element) => lift(type.element, element)),
        );
      case "data":
        return b.call(lifts.at(type), x);
      default:
        return undefinedAt("lift", type);
    }
  }

  function liftData(name: string, type: DataType): Fn {
    const x = names.fresh("x");
    const branches = data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const parts = fields.map((field, i) => ({ type: field, term: lift(field, b.variable(vars[i] ?? x)) }));
      return { con, vars, body: inOrder(parts, (items) => b.con(con, types.of(type), items)) };
    });
    const result = b.computation(types.of(type));
    return b.fn(name, [b.param(x, type)], result, b.caseOf(b.variable(x), type.name, branches));
  }

  function inOrder(
    parts: readonly { readonly type: Type; readonly term: Term }[],
    whole: (items: readonly Term[]) => Term,
  ): Term {
    const named = parts.map((part) => ({ ...part, name: names.fresh("x") }));
    return named.reduceRight(
      (rest, { name, type, term }) => b.bind(name, types.of(type), term, rest),
      b.ret(whole(named.map(({ name }) => b.variable(name)))),
    );
  }

  /** primal_type x : type. */
  function primal(type: Type, x: Term): Term {
    switch (type.kind) {
      case "real":
        return b.ext("value", x);
      case "int":
      case "bool":
        return x;
      case "tuple":
        return b.tuple(...type.items.map((item, i) => primal(item, b.proj(i, x))));
      case "array":
        return nameIt(x, types.of(type), names, (xs) =>
          mapArray(xs, types.of(type.element), type.element, names, (element) => primal(type.element, element)),
        );
      case "data":
        return b.call(primals.at(type), x);
      default:
        return undefinedAt("primal", type);
    }
  }

  function primalData(name: string, type: DataType): Fn {
    const x = names.fresh("x");
    const branches = data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const args = fields.map((field, i) => primal(field, b.variable(vars[i] ?? x)));
      return { con, vars, body: b.con(con, type, args) };
    });
    const scrutinee = b.caseOf(b.variable(x), types.dataName(type.name), branches);
    return b.fn(name, [b.param(x, types.of(type))], type, scrutinee);
  }

  /** seed_type (cots, x, z) : M (). */
  function seed(type: Type, cots: Term, x: Term, z: Term): Term {
    switch (type.kind) {
      case "real":
        return b.ext("seed", cots, x, z);
      case "int":
      case "bool":
        return b.ret(b.tuple());
      case "tuple":
        return sequence(type.items.map((item, i) => seed(item, cots, b.proj(i, x), b.proj(i, z))));
      // seed_[T] (cots, x, z) = sum (length x) (\i. seed_T (cots, x ! i, z ! i)) in M ()
      case "array":
        if (isDiscrete(type)) return b.ret(b.tuple());
        return nameIt(x, types.of(type), names, (xs) =>
          nameIt(z, type, names, (zs) =>
            sumOverArray(done, xs, types.of(type.element), names, (element, i) =>
              nameElement(b.indexOf(zs, i), type.element, names, (cotangent) =>
                seed(type.element, cots, element, cotangent),
              ),
            ),
          ),
        );
      case "data":
        return b.call(seeds.at(type), cots, x, z);
      default:
        return undefinedAt("seed", type);
    }
  }

  function seedData(name: string, type: DataType): Fn {
    const [cots, x, z] = [names.fresh("cots"), names.fresh("x"), names.fresh("z")];
    const constructors = data.constructorsOf(type);
    const branches = constructors.map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const inner = constructors.map((other) => {
        const ws = other.fields.map(() => names.fresh("z"));
        const seeded = fields.map((field, i) =>
          seed(field, b.variable(cots), b.variable(vars[i] ?? x), b.variable(ws[i] ?? z)),
        );
        const body = other.name === con ? sequence(seeded) : b.impossible(b.computation(b.unitType));
        return { con: other.name, vars: ws, body };
      });
      return { con, vars, body: b.caseOf(b.variable(z), type.name, inner) };
    });
    const params = [b.param(cots, cotangents), b.param(x, types.of(type)), b.param(z, type)];
    const body = b.caseOf(b.variable(x), types.dataName(type.name), branches);
    return b.fn(name, params, b.computation(b.unitType), body);
  }

  function sequence(actions: readonly Term[]): Term {
    const effects = actions.filter((action) => action.kind !== "return");
    const last = effects.pop() ?? b.ret(b.tuple());
    return effects.reduceRight((rest, action) => b.bind(names.fresh("done"), b.unitType, action, rest), last);
  }

  /** rebuild_type (cots, x) : _type. */
  function rebuild(type: Type, cots: Term, x: Term): Term {
    switch (type.kind) {
      case "real":
        return b.ext("cotangentOf", cots, x);
      case "int":
        return b.zero(b.int);
      case "bool":
        return x;
      case "tuple":
        return b.tuple(...type.items.map((item, i) => rebuild(item, cots, b.proj(i, x))));
      case "array":
        if (type.element.kind === "real") return b.ext("cotangentsOf", cots, x);
        return nameIt(x, types.of(type), names, (xs) =>
          mapArray(xs, types.of(type.element), type.element, names, (element) => rebuild(type.element, cots, element)),
        );
      case "data":
        return b.call(rebuilds.at(type), cots, x);
      default:
        return undefinedAt("rebuild", type);
    }
  }

  function rebuildData(name: string, type: DataType): Fn {
    const [cots, x] = [names.fresh("cots"), names.fresh("x")];
    const branches = data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const args = fields.map((field, i) => rebuild(field, b.variable(cots), b.variable(vars[i] ?? x)));
      return { con, vars, body: b.con(con, type, args) };
    });
    const params = [b.param(cots, cotangents), b.param(x, types.of(type))];
    return b.fn(name, params, type, b.caseOf(b.variable(x), types.dataName(type.name), branches));
  }

  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params, input, whole }) => {
      const { result } = definition;
      const duals = params.map(({ name, type }) => ({
        name: names.fresh(name),
        type,
        bound: lift(type, b.variable(name)),
      }));
      const y = names.fresh("y");

      /** do start; x.. <- lift x..; y <- D[t]; rest */
      const forward = (rest: Term): Term => {
        const run = b.bind(
          y,
          types.of(result),
          b.call(definition.name, ...duals.map(({ name }) => b.variable(name))),
          rest,
        );
        const lifted = duals.reduceRight(
          (body, { name, type, bound }) => b.bind(name, types.of(type), bound, body),
          run,
        );
        return b.bind(names.fresh("done"), b.unitType, b.ext("start"), lifted);
      };
      const gradientFrom = (cots: string): Term =>
        b.ret(whole(duals.map(({ name, type }) => rebuild(type, b.variable(cots), b.variable(name)))));

      const [saved, cots, z, value] = [
        names.fresh("tape"),
        names.fresh("cots"),
        names.fresh("z"),
        names.fresh("value"),
      ];
      const pullback = b.bind(
        cots,
        cotangents,
        b.ext("cotangents", b.variable(saved)),
        b.bind(
          names.fresh("done"),
          b.unitType,
          seed(result, b.variable(cots), b.variable(y), b.variable(z)),
          b.bind(
            names.fresh("done"),
            b.unitType,
            b.ext("sweep", b.variable(saved), b.variable(cots)),
            gradientFrom(cots),
          ),
        ),
      );
      const both = b.ret(b.tuple(b.variable(value), b.linLam(z, result, pullback)));
      const kept = b.letIn(value, result, primal(result, b.variable(y)), b.bind(saved, record, b.ext("save"), both));
      const pullbackType = b.linear(result, b.computation(input));
      return {
        fn: { params, result: b.computation(b.tupleType(result, pullbackType)), body: forward(kept) },
        gradient: result.kind === "real" ? gradient() : null,
        collector: null,
      };

      /** The same with the current tape and cotangents that are used again: nothing outlives the call. */
      function gradient(): Omit<Fn, "name"> {
        const [current, gradientValue, grad] = [names.fresh("cots"), names.fresh("value"), names.fresh("grad")];
        const seeded = seed(result, b.variable(current), b.variable(y), b.realLit(1));
        const answer = b.bind(
          grad,
          input,
          gradientFrom(current),
          b.ret(b.tuple(b.variable(gradientValue), b.variable(grad))),
        );
        const swept = b.bind(names.fresh("done"), b.unitType, b.ext("sweepCurrent", b.variable(current)), answer);
        const back = b.bind(
          current,
          cotangents,
          b.ext("scratch"),
          b.bind(names.fresh("done"), b.unitType, seeded, swept),
        );
        const body = forward(b.letIn(gradientValue, result, primal(result, b.variable(y)), back));
        return { params, result: b.computation(b.tupleType(result, input)), body };
      }
    },
    "Reverse",
  );

  const functions = [lifts, primals, seeds, rebuilds].flatMap((family) => family.functions);
  return { functions, wrappers };
}
