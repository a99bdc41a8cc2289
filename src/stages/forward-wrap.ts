// KR22 Fig. 3: F{e} : (S, dS) -> (T, dT): zips primal and tangent, runs the program, unzips.
//   zip_T : (T, _T) -> F[T]      unzip_T : F[T] -> (T, _T)

import type * as Source from "../core/term.js";
import type { Names } from "../core/names.js";
import * as b from "../target-calculus/build.js";
import { DataTypes } from "../target-calculus/data.js";
import type { Fn, Term } from "../target-calculus/term.js";
import type { Type } from "../target-calculus/type.js";
import { isDiscrete, mapArray, nameElement, nameIt, partOfEach } from "./arrays.js";
import type { Wrapping } from "./d1-wrap.js";
import type { DualTypes } from "./dual-types.js";
import { TypeIndexed } from "./type-indexed.js";
import type { DataType } from "./type-indexed.js";
import { undefinedAt } from "./unsupported.js";
import { wrapEntries } from "./wrappers.js";

export function wrapForward(program: Source.Program, types: DualTypes, names: Names): Wrapping {
  const data = new DataTypes(program.data);
  const zips = new TypeIndexed("zip", names, zipData);
  const unzips = new TypeIndexed("unzip", names, unzipData);

  function zip(type: Type, x: Term, dx: Term): Term {
    switch (type.kind) {
      case "real":
        return b.tuple(x, dx);
      case "int":
      case "bool":
        return x;
      case "tuple":
        return b.tuple(...type.items.map((item, i) => zip(item, b.proj(i, x), b.proj(i, dx))));
      // zip_[T] (x, dx) = build (length x) (\i. zip_T (x ! i, dx ! i))
      case "array":
        if (isDiscrete(type)) return x;
        return nameIt(x, type, names, (xs) =>
          nameIt(dx, type, names, (dxs) =>
            mapArray(xs, type.element, types.of(type.element), names, (element, i) =>
              nameElement(b.indexOf(dxs, i), type.element, names, (tangent) => zip(type.element, element, tangent)),
            ),
          ),
        );
      case "data":
        return b.call(zips.at(type), x, dx);
      default:
        return undefinedAt("zip", type);
    }
  }

  function zipData(name: string, type: DataType): Fn {
    const [x, dx] = [names.fresh("x"), names.fresh("dx")];
    const constructors = data.constructorsOf(type);
    const branches = constructors.map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const inner = constructors.map((other) => {
        const tangents = other.fields.map(() => names.fresh("dx"));
        const args = fields.map((field, i) => zip(field, b.variable(vars[i] ?? x), b.variable(tangents[i] ?? dx)));
        const body = other.name === con ? b.con(con, types.of(type), args) : b.impossible(types.of(type));
        return { con: other.name, vars: tangents, body };
      });
      return { con, vars, body: b.caseOf(b.variable(dx), type.name, inner) };
    });
    const body = b.caseOf(b.variable(x), type.name, branches);
    return b.fn(name, [b.param(x, type), b.param(dx, type)], types.of(type), body);
  }

  function unzip(type: Type, x: Term): Term {
    switch (type.kind) {
      case "real":
        return x;
      case "int":
        return b.tuple(x, b.zero(b.int));
      case "bool":
        return b.tuple(x, x);
      case "tuple":
        return unzipParts(
          type.items.map((item, i) => ({ item, x: b.proj(i, x) })),
          (items) => b.tuple(...items),
        );
      // unzip_[T] x = let ps = build (length x) (\i. unzip_T (x ! i)) in (the first of each, the second of each)
      case "array": {
        const { element } = type;
        const pair = b.tupleType(element, element);
        const pairs = nameIt(x, types.of(type), names, (xs) =>
          mapArray(xs, types.of(element), pair, names, (dual) => unzip(element, dual)),
        );
        return nameIt(pairs, b.arrayType(pair), names, (ps) =>
          b.tuple(partOfEach(ps, 0, element, names), partOfEach(ps, 1, element, names)),
        );
      }
      case "data":
        return b.call(unzips.at(type), x);
      default:
        return undefinedAt("unzip", type);
    }
  }

  function unzipParts(
    components: readonly { readonly item: Type; readonly x: Term }[],
    whole: (items: readonly Term[]) => Term,
  ): Term {
    const parts = components.map(({ item, x }) => ({
      bound: unzip(item, x),
      value: b.param(names.fresh("x"), item),
      tangent: b.param(names.fresh("dx"), item),
    }));
    const values = whole(parts.map(({ value }) => b.variable(value.name)));
    const tangents = whole(parts.map(({ tangent }) => b.variable(tangent.name)));
    return parts.reduceRight(
      (rest, { bound, value, tangent }) => b.letTuple([value, tangent], bound, rest),
      b.tuple(values, tangents),
    );
  }

  function unzipData(name: string, type: DataType): Fn {
    const x = names.fresh("x");
    const branches = data.constructorsOf(type).map(({ name: con, fields }) => {
      const vars = fields.map(() => names.fresh("x"));
      const parts = fields.map((item, i) => ({ item, x: b.variable(vars[i] ?? x) }));
      return { con, vars, body: unzipParts(parts, (items) => b.con(con, type, items)) };
    });
    const body = b.caseOf(b.variable(x), types.dataName(type.name), branches);
    return b.fn(name, [b.param(x, types.of(type))], b.tupleType(type, type), body);
  }

  const wrappers = wrapEntries(
    program,
    names,
    ({ definition, params }) => {
      const tangents = params.map(({ name, type }) => b.param(names.fresh(`d${name}`), type));
      const y = names.fresh("y");
      const duals = params.map(({ name, type }, i) =>
        zip(type, b.variable(name), b.variable(tangents[i]?.name ?? name)),
      );
      const run = b.call(definition.name, ...duals);
      const body = b.letIn(y, types.of(definition.result), run, unzip(definition.result, b.variable(y)));
      const result = b.tupleType(definition.result, definition.result);
      return { fn: { params: [...params, ...tangents], result, body }, gradient: null, collector: null };
    },
    "Tangent",
  );
  return { functions: [...zips.functions, ...unzips.functions], wrappers };
}
