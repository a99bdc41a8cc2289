// The table of primitives: every row, differentiated four times; rows that lack a column.

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { opNames, primitive, type OpName, type Partial } from "../src/core/primitives.js";
import { valueOf } from "../src/flat/primitive-values.js";

/** A number, or one that moves: at some level of differentiation, with a tangent. Both parts are of lower levels. */
type Dual = number | boolean | { readonly level: number; readonly primal: Dual; readonly tangent: Dual };

const levelOf = (x: Dual): number => (typeof x === "object" ? x.level : -1);
const primalAt = (x: Dual, level: number): Dual => (typeof x === "object" && x.level === level ? x.primal : x);
const tangentAt = (x: Dual, level: number): Dual => (typeof x === "object" && x.level === level ? x.tangent : 0);
const plain = (x: Dual): number | boolean => (typeof x === "object" ? plain(x.primal) : x);

function apply(op: OpName, args: readonly Dual[]): Dual {
  const { partials } = primitive(op);
  const level = Math.max(-1, ...args.map(levelOf));
  if (level === -1 || partials.every((partial) => partial === null)) return valueOf(op, args.map(plain));
  const primals = args.map((arg) => primalAt(arg, level));
  const primal = apply(op, primals);
  const tangent = partials.reduce<Dual>((sum, partial, index) => {
    const moved = tangentAt(args[index] ?? 0, level);
    if (partial === null || moved === 0) return sum;
    const slope = partialAt(partial, primals, primal);
    // A path with a factor 0 contributes 0
    if (slope === 0) return sum;
    const product = apply("mul", [slope, moved]);
    return sum === 0 ? product : apply("add", [sum, product]);
  }, 0);
  return { level, primal, tangent };
}

function partialAt(partial: Partial, args: readonly Dual[], result: Dual): Dual {
  switch (partial.kind) {
    case "arg":
      return args[partial.index] ?? NaN;
    case "result":
      return result;
    case "number":
      return partial.value;
    case "op":
      return apply(partial.op, partial.args.map((arg) => partialAt(arg, args, result))); // prettier-ignore
    case "if":
      return partialAt(partialAt(partial.cond, args, result) === true ? partial.then : partial.else, args, result);
  }
}

/** The derivative along some parameters, one after the other. */
function derivative(op: OpName, args: readonly number[], along: readonly number[]): number {
  const moving = args.map((arg, index) =>
    along.reduce<Dual>((x, param, level) => (param === index ? { level, primal: x, tangent: 1 } : x), arg),
  );
  const value = along.reduceRight<Dual>((whole, _, level) => tangentAt(whole, level), apply(op, moving));
  return Number(plain(value));
}

/** All ways to choose so many parameters, in order. */
function ways(params: readonly number[], length: number): readonly (readonly number[])[] {
  if (length === 0) return [[]];
  return ways(params, length - 1).flatMap((way) => params.map((param) => [...way, param]));
}

// What has another derivative than its value says
const differentiable = opNames.filter(
  (op) => op !== "stop" && op !== "linked" && primitive(op).partials.some((partial) => partial !== null),
);

describe("derivatives up to the fourth are what differences of the one before say", () => {
  test.each(differentiable)("%s", (op) => {
    const { domain, params, partials } = primitive(op);
    const reals = params.flatMap((_, index) => (partials[index] === null ? [] : [index]));
    const wrong: string[] = [];
    for (const share of [0.13, 0.41, 0.87]) {
      const args = domain.map((bounds, index) => {
        const [low, high] = bounds ?? [0, 0];
        const at = low + (high - low) * ((share * (index + 1)) % 1);
        return params[index] === "Z" ? Math.round(at) : at;
      });
      for (const order of [1, 2, 3, 4]) {
        for (const along of ways(reals, order)) {
          const before = along.slice(0, -1);
          const beside = (by: number): number => derivative(op, args.map((arg, index) => (index === along.at(-1) ? arg + by : arg)), before); // prettier-ignore
          // Of the fourth order in the step
          const h = 2e-3;
          const expected = (8 * (beside(h) - beside(-h)) - (beside(2 * h) - beside(-2 * h))) / (12 * h);
          const found = derivative(op, args, along);
          const size = Math.max(1, Math.abs(expected));
          if (!(Math.abs(found - expected) < 1e-6 * size)) wrong.push(`along ${along.join(", ")} at ${args.join(", ")}: ${String(found)}, not ${String(expected)}`); // prettier-ignore
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

const root = join(import.meta.dirname, "..");
const folder = join(root, "src/core/primitives");
const config = ts.parseJsonConfigFileContent(ts.readConfigFile(join(root, "tsconfig.json"), (file) => readFileSync(file, "utf8")).config, ts.sys, root); // prettier-ignore
const options: ts.CompilerOptions = { ...config.options, noEmit: true, incremental: false, types: [] };
const known = new Map<string, ts.SourceFile | undefined>();

/** Whether the table compiles with another text of one of its files. */
function compiles(file: string, text: string): boolean {
  const host = ts.createCompilerHost(options);
  const read = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) => {
    if (name === file) return ts.createSourceFile(name, text, version);
    if (!known.has(name)) known.set(name, read(name, version));
    return known.get(name);
  };
  const program = ts.createProgram([join(folder, "table.ts")], options, host);
  return program.getSourceFiles().every((source) => dirname(source.fileName) !== folder || program.getSemanticDiagnostics(source).length === 0); // prettier-ignore
}

/** The properties of the row of an operation, with where they stand. */
function columnsOf(source: ts.SourceFile, op: string): readonly ts.ObjectLiteralElementLike[] {
  let found: readonly ts.ObjectLiteralElementLike[] = [];
  const visit = (node: ts.Node): void => {
    const isRow = ts.isPropertyAssignment(node) && node.name.getText(source) === op && ts.isCallExpression(node.initializer); // prettier-ignore
    const [columns] = isRow && ts.isCallExpression(node.initializer) ? node.initializer.arguments : [];
    if (columns !== undefined && ts.isObjectLiteralExpression(columns)) found = columns.properties;
    else ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

describe("a row does not compile", () => {
  const file = join(folder, "reals.ts");
  const text = readFileSync(file, "utf8");
  const columns = columnsOf(ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true), "sin");
  const without = ({ pos, end }: { readonly pos: number; readonly end: number }, by = ""): string => text.slice(0, pos) + by + text.slice(text[end] === "," ? end + 1 : end); // prettier-ignore

  test("but the table as it is does", () => {
    expect(columns.length).toBe(Object.keys(primitive("sin")).length);
    expect(compiles(file, text)).toBe(true);
  });

  for (const column of columns) {
    const name = column.name?.getText() ?? "";
    test(`without ${name}`, () => {
      expect(compiles(file, without(column))).toBe(false);
    });
  }

  test("with a partial derivative of an operation that there is not", () => {
    expect(compiles(file, text.replace('partials: [op("cos", x)]', 'partials: [op("cosine", x)]'))).toBe(false);
  });

  test("with a partial derivative for one parameter of two, or none where there must be one", () => {
    expect(compiles(file, text.replace("partials: [y, x]", "partials: [y]"))).toBe(false);
    expect(compiles(file, text.replace("partials: [y, x]", "partials: [y, null]"))).toBe(false);
  });
});
