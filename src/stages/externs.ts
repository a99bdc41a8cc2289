// Functions of the caller's, in the stages of the papers: their numbers are passed as integers are, which no stage gives a dual number.
//
//   f(x : R, ys : [R]) : R = toReal f'(plain x, build (length ys) (\i. plain (ys ! i)))        f' the function that has no text

import * as b from "../core/build.js";
import { Names } from "../core/names.js";
import type { Extern, Fn, Program, Term } from "../core/term.js";
import { allNames } from "../core/traverse.js";
import type { Type } from "../core/type.js";
import type * as Target from "../target-calculus/term.js";

/** A program in which what is called in the place of such functions are definitions, and these take and give integers and truth values alone. */
export function withPlainExterns(program: Program): Program {
  if (program.externs.size === 0) return program;
  const names = new Names(allNames(program));
  const externs = new Map<string, Extern>();
  const definitions = [...program.externs].map(([name, extern]): Fn => {
    const { params, result } = extern;
    const plain = names.fresh(`${name}Plain`);
    externs.set(plain, {
      ...extern,
      params: params.map((param) => b.param(names.fresh(param.name), plainType(param.type))),
      result: plainType(result),
    });
    const own = params.map((param) => b.param(names.fresh(param.name), param.type));
    const call = b.call(plain, own.map((param) => toPlain(param.type, b.variable(param.name), names))); // prettier-ignore
    return b.fn(name, own, result, fromPlain(result, call, names));
  });
  return { ...program, definitions: [...definitions, ...program.definitions], externs };
}

/** By which names that program calls the functions of the one it is made of. */
export function plainNames(program: Program): readonly { readonly name: string; readonly plain: string }[] {
  const plains = [...withPlainExterns(program).externs.keys()];
  return [...program.externs.keys()].flatMap((name, index) => {
    const plain = plains[index];
    return plain === undefined ? [] : [{ name, plain }];
  });
}

/** Stands for such functions among the definitions of a stage's program: what is emitted in their place calls them. */
export function placeholders({ externs }: Program): readonly Target.Fn[] {
  return [...externs].map(([name, { params, result }]) => ({ name, params, result, body: anyOf(result) }));
}

function anyOf(type: Type): Target.Term {
  switch (type.kind) {
    case "array":
      return { kind: "array", element: type.element, items: [] };
    case "bool":
      return { kind: "bool", value: false };
    default:
      return { kind: "int", value: 0 };
  }
}

function plainType(type: Type): Type {
  if (type.kind === "array") return b.arrayType(plainType(type.element));
  return type.kind === "real" ? b.int : type;
}

const same = (type: Type): Type => type;

function toPlain(type: Type, value: Term, names: Names): Term {
  return converted(type, value, names, { op: "plain", from: same, to: plainType });
}

function fromPlain(type: Type, value: Term, names: Names): Term {
  return converted(type, value, names, { op: "toReal", from: plainType, to: same });
}

/** What is done with each number, and the types before and after. */
interface Conversion {
  readonly op: "plain" | "toReal";
  readonly from: (type: Type) => Type;
  readonly to: (type: Type) => Type;
}

function converted(type: Type, value: Term, names: Names, conversion: Conversion): Term {
  if (type.kind === "real") return b.op(conversion.op, [value], null);
  if (type.kind !== "array") return value;
  const [all, i] = [names.fresh("xs"), names.fresh("i")];
  const part = converted(type.element, b.indexOf(b.variable(all), b.variable(i), null), names, conversion);
  const whole = b.build(b.length(b.variable(all)), i, conversion.to(type.element), part, null);
  return b.letIn(all, conversion.from(type), value, whole);
}
