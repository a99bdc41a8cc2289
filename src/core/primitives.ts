// The primitive operations: one table gives each its type, its TypeScript and its partial derivatives. Overloading is resolved to these
// before any stage runs; the table's type makes a missing derivative a compile error.

/** Types of operands and results: `R`, `Z` and `Bool`. */
export type Scalar = "R" | "Z" | "B";

/** Parameter types, then the result's. `digamma`, `overSquares`, `powSlope` and `powRate` serve derivatives alone, `remZ` says what is known of a `modZ`: programs cannot name them. */
const signatures = {
  add: ["R", "R", "R"],
  sub: ["R", "R", "R"],
  mul: ["R", "R", "R"],
  div: ["R", "R", "R"],
  neg: ["R", "R"],
  abs: ["R", "R"],
  min: ["R", "R", "R"],
  max: ["R", "R", "R"],
  sign: ["R", "R"],
  sin: ["R", "R"],
  cos: ["R", "R"],
  tan: ["R", "R"],
  asin: ["R", "R"],
  acos: ["R", "R"],
  atan: ["R", "R"],
  atan2: ["R", "R", "R"],
  sinh: ["R", "R"],
  cosh: ["R", "R"],
  tanh: ["R", "R"],
  exp: ["R", "R"],
  expm1: ["R", "R"],
  log: ["R", "R"],
  log1p: ["R", "R"],
  sqrt: ["R", "R"],
  pow: ["R", "R", "R"],
  powInt: ["R", "Z", "R"],
  relu: ["R", "R"],
  sigmoid: ["R", "R"],
  softplus: ["R", "R"],
  lgamma: ["R", "R"],
  digamma: ["R", "R"],
  overSquares: ["R", "R", "R", "R"],
  powSlope: ["R", "R", "R"],
  powRate: ["R", "R", "R", "R"],
  erf: ["R", "R"],
  toReal: ["Z", "R"],
  floor: ["R", "Z"],
  round: ["R", "Z"],
  truncate: ["R", "Z"],
  addZ: ["Z", "Z", "Z"],
  subZ: ["Z", "Z", "Z"],
  mulZ: ["Z", "Z", "Z"],
  negZ: ["Z", "Z"],
  absZ: ["Z", "Z"],
  minZ: ["Z", "Z", "Z"],
  maxZ: ["Z", "Z", "Z"],
  powZ: ["Z", "Z", "Z"],
  divZ: ["Z", "Z", "Z"],
  modZ: ["Z", "Z", "Z"],
  remZ: ["Z", "Z", "Z"],
  sameLength: ["Z", "Z", "Z"],
  eq: ["R", "R", "B"],
  ne: ["R", "R", "B"],
  lt: ["R", "R", "B"],
  le: ["R", "R", "B"],
  gt: ["R", "R", "B"],
  ge: ["R", "R", "B"],
  eqZ: ["Z", "Z", "B"],
  neZ: ["Z", "Z", "B"],
  ltZ: ["Z", "Z", "B"],
  leZ: ["Z", "Z", "B"],
  gtZ: ["Z", "Z", "B"],
  geZ: ["Z", "Z", "B"],
  eqB: ["B", "B", "B"],
  neB: ["B", "B", "B"],
  and: ["B", "B", "B"],
  or: ["B", "B", "B"],
} as const satisfies Record<string, readonly [...Scalar[], Scalar]>;

export type OpName = keyof typeof signatures;

/** A partial derivative, in terms of the operation's arguments and its result. */
export type Partial =
  | { readonly kind: "arg"; readonly index: number }
  | { readonly kind: "result" }
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "op"; readonly op: OpName; readonly args: readonly Partial[] }
  | { readonly kind: "if"; readonly cond: Partial; readonly then: Partial; readonly else: Partial };

/** How an operation is written in TypeScript. `site`: it may fail, and takes where it stands as a last argument. */
export type Spelling =
  | {
      readonly kind: "infix";
      readonly operator: "+" | "-" | "*" | "/" | "%" | "===" | "!==" | "<" | "<=" | ">" | ">=" | "&&" | "||";
    }
  | { readonly kind: "prefix"; readonly operator: "-" }
  | { readonly kind: "same" }
  | { readonly kind: "math"; readonly fn: string }
  | { readonly kind: "runtime"; readonly fn: string; readonly site: boolean };

type Init<S extends readonly unknown[]> = S extends readonly [...infer I, unknown] ? I : never;
type Last<S extends readonly unknown[]> = S extends readonly [...unknown[], infer L] ? L : never;
type PartialOf<P, Result> = P extends "R" ? (Result extends "R" ? Partial : null) : null;
type PartialsOf<Params, Result> = { readonly [I in keyof Params]: PartialOf<Params[I], Result> };
type Auxiliary = "digamma" | "overSquares" | "powSlope" | "powRate";

/**
 * Where the arguments are finite, a partial derivative may be infinite or NaN: at a `pole` the value is, too; a `slope` may be infinite where the value is
 * finite, as that of the square root at 0.
 */
export type Singularity = "pole" | "slope";

interface Row<S extends readonly unknown[], Name> {
  /** As the paper and `dualrev steps` write it: an operator, or a function's name. */
  readonly notation: string;
  readonly typescript: Spelling;
  readonly singular: Singularity | null;
  /** One for each parameter: null where the parameter or the result is not of type R. */
  readonly partials: Name extends Auxiliary ? null : PartialsOf<Init<S>, Last<S>>;
}

type Table = { readonly [Name in OpName]: Row<(typeof signatures)[Name], Name> };

// Abbreviations for the rows below
const x: Partial = { kind: "arg", index: 0 };
const y: Partial = { kind: "arg", index: 1 };
const result: Partial = { kind: "result" };
const k = (value: number): Partial => ({ kind: "number", value });
const op = (name: OpName, ...args: readonly Partial[]): Partial => ({ kind: "op", op: name, args });
const when = (cond: Partial, then: Partial, otherwise: Partial): Partial => ({
  kind: "if",
  cond,
  then,
  else: otherwise,
});

const infix = (operator: Extract<Spelling, { kind: "infix" }>["operator"]): Spelling => ({ kind: "infix", operator });
const math = (fn: string): Spelling => ({ kind: "math", fn });
const runtime = (fn: string): Spelling => ({ kind: "runtime", fn, site: false });
const failing = (fn: string): Spelling => ({ kind: "runtime", fn, site: true });

// prettier-ignore
const table: Table = {
  add: { notation: "+", typescript: infix("+"), singular: null, partials: [k(1), k(1)] },
  sub: { notation: "-", typescript: infix("-"), singular: null, partials: [k(1), k(-1)] },
  mul: { notation: "*", typescript: infix("*"), singular: null, partials: [y, x] },
  div: { notation: "/", typescript: infix("/"), singular: "pole", partials: [op("div", k(1), y), op("neg", op("div", result, y))] },
  neg: { notation: "-", typescript: { kind: "prefix", operator: "-" }, singular: null, partials: [k(-1)] },
  // 0 at 0, by convention
  abs: { notation: "abs", typescript: math("abs"), singular: null, partials: [op("sign", x)] },
  // Ties: the first argument's, by convention
  min: { notation: "min", typescript: math("min"), singular: null, partials: [when(op("le", x, y), k(1), k(0)), when(op("le", x, y), k(0), k(1))] },
  max: { notation: "max", typescript: math("max"), singular: null, partials: [when(op("ge", x, y), k(1), k(0)), when(op("ge", x, y), k(0), k(1))] },
  sign: { notation: "sign", typescript: math("sign"), singular: null, partials: [k(0)] },
  sin: { notation: "sin", typescript: math("sin"), singular: null, partials: [op("cos", x)] },
  cos: { notation: "cos", typescript: math("cos"), singular: null, partials: [op("neg", op("sin", x))] },
  tan: { notation: "tan", typescript: math("tan"), singular: null, partials: [op("add", k(1), op("mul", result, result))] },
  asin: { notation: "asin", typescript: math("asin"), singular: "slope", partials: [op("div", k(1), op("sqrt", op("mul", op("sub", k(1), x), op("add", k(1), x))))] },
  acos: { notation: "acos", typescript: math("acos"), singular: "slope", partials: [op("div", k(-1), op("sqrt", op("mul", op("sub", k(1), x), op("add", k(1), x))))] },
  atan: { notation: "atan", typescript: math("atan"), singular: null, partials: [op("overSquares", k(1), k(1), x)] },
  // atan2 y x, in this order: the arguments are x (the ordinate) and y (the abscissa) here; 0 at the origin, by convention
  atan2: { notation: "atan2", typescript: math("atan2"), singular: "slope", partials: [op("overSquares", y, x, y), op("neg", op("overSquares", x, x, y))] },
  sinh: { notation: "sinh", typescript: math("sinh"), singular: null, partials: [op("cosh", x)] },
  cosh: { notation: "cosh", typescript: math("cosh"), singular: null, partials: [op("sinh", x)] },
  // (1 / cosh)², not 1 - tanh²: exact where tanh rounds to 1
  tanh: { notation: "tanh", typescript: math("tanh"), singular: null, partials: [op("pow", op("div", k(1), op("cosh", x)), k(2))] },
  exp: { notation: "exp", typescript: math("exp"), singular: null, partials: [result] },
  expm1: { notation: "expm1", typescript: math("expm1"), singular: null, partials: [op("exp", x)] },
  log: { notation: "log", typescript: math("log"), singular: "pole", partials: [op("div", k(1), x)] },
  log1p: { notation: "log1p", typescript: math("log1p"), singular: "pole", partials: [op("div", k(1), op("add", k(1), x))] },
  sqrt: { notation: "sqrt", typescript: math("sqrt"), singular: "slope", partials: [op("div", k(0.5), result)] },
  // d pow / dx = 0 at y = 0, and d pow / dy = 0 at x = 0, y > 0, by convention
  pow: { notation: "pow", typescript: math("pow"), singular: "slope", partials: [op("powSlope", x, y), op("powRate", x, y, result)] },
  powInt: { notation: "^", typescript: math("pow"), singular: "pole", partials: [
    when(op("eq", op("toReal", y), k(0)), k(0), op("mul", op("toReal", y), op("pow", x, op("sub", op("toReal", y), k(1))))),
    null,
  ] },
  // 0 at 0, by convention
  relu: { notation: "relu", typescript: runtime("relu"), singular: null, partials: [when(op("gt", result, k(0)), k(1), k(0))] },
  // s(-x) for 1 - s(x): exact where s(x) rounds to 1
  sigmoid: { notation: "sigmoid", typescript: runtime("sigmoid"), singular: null, partials: [op("mul", result, op("sigmoid", op("neg", x)))] },
  softplus: { notation: "softplus", typescript: runtime("softplus"), singular: null, partials: [op("sigmoid", x)] },
  lgamma: { notation: "lgamma", typescript: runtime("lgamma"), singular: "pole", partials: [op("digamma", x)] },
  digamma: { notation: "digamma", typescript: runtime("digamma"), singular: "pole", partials: null },
  overSquares: { notation: "overSquares", typescript: runtime("overSquares"), singular: "slope", partials: null },
  powSlope: { notation: "powSlope", typescript: runtime("powSlope"), singular: "slope", partials: null },
  powRate: { notation: "powRate", typescript: runtime("powRate"), singular: "slope", partials: null },
  erf: { notation: "erf", typescript: runtime("erf"), singular: null, partials: [op("mul", k(2 / Math.sqrt(Math.PI)), op("exp", op("neg", op("mul", x, x))))] },
  toReal: { notation: "toReal", typescript: { kind: "same" }, singular: null, partials: [null] },
  floor: { notation: "floor", typescript: failing("floorInt"), singular: null, partials: [null] },
  round: { notation: "round", typescript: failing("roundInt"), singular: null, partials: [null] },
  truncate: { notation: "truncate", typescript: failing("truncateInt"), singular: null, partials: [null] },
  addZ: { notation: "+", typescript: failing("addInt"), singular: null, partials: [null, null] },
  subZ: { notation: "-", typescript: failing("subInt"), singular: null, partials: [null, null] },
  mulZ: { notation: "*", typescript: failing("mulInt"), singular: null, partials: [null, null] },
  negZ: { notation: "-", typescript: runtime("negInt"), singular: null, partials: [null] },
  absZ: { notation: "abs", typescript: math("abs"), singular: null, partials: [null] },
  minZ: { notation: "min", typescript: math("min"), singular: null, partials: [null, null] },
  maxZ: { notation: "max", typescript: math("max"), singular: null, partials: [null, null] },
  powZ: { notation: "^", typescript: failing("powInt"), singular: null, partials: [null, null] },
  divZ: { notation: "div", typescript: failing("divInt"), singular: null, partials: [null, null] },
  modZ: { notation: "mod", typescript: failing("modInt"), singular: null, partials: [null, null] },
  // The same of two that are not negative, the second one not 0
  remZ: { notation: "rem", typescript: infix("%"), singular: null, partials: [null, null] },
  // The length that both are; fails where they differ
  sameLength: { notation: "sameLength", typescript: failing("sameLength"), singular: null, partials: [null, null] },
  eq: { notation: "==", typescript: infix("==="), singular: null, partials: [null, null] },
  ne: { notation: "/=", typescript: infix("!=="), singular: null, partials: [null, null] },
  lt: { notation: "<", typescript: infix("<"), singular: null, partials: [null, null] },
  le: { notation: "<=", typescript: infix("<="), singular: null, partials: [null, null] },
  gt: { notation: ">", typescript: infix(">"), singular: null, partials: [null, null] },
  ge: { notation: ">=", typescript: infix(">="), singular: null, partials: [null, null] },
  eqZ: { notation: "==", typescript: infix("==="), singular: null, partials: [null, null] },
  neZ: { notation: "/=", typescript: infix("!=="), singular: null, partials: [null, null] },
  ltZ: { notation: "<", typescript: infix("<"), singular: null, partials: [null, null] },
  leZ: { notation: "<=", typescript: infix("<="), singular: null, partials: [null, null] },
  gtZ: { notation: ">", typescript: infix(">"), singular: null, partials: [null, null] },
  geZ: { notation: ">=", typescript: infix(">="), singular: null, partials: [null, null] },
  eqB: { notation: "==", typescript: infix("==="), singular: null, partials: [null, null] },
  neB: { notation: "/=", typescript: infix("!=="), singular: null, partials: [null, null] },
  // Of two conditions that cost next to nothing; in programs they are conditionals
  and: { notation: "&&", typescript: infix("&&"), singular: null, partials: [null, null] },
  or: { notation: "||", typescript: infix("||"), singular: null, partials: [null, null] },
};

/** What the table says of one operation. */
export interface Primitive {
  readonly params: readonly Scalar[];
  readonly result: Scalar;
  readonly notation: string;
  readonly typescript: Spelling;
  readonly singular: Singularity | null;
  readonly partials: readonly (Partial | null)[];
}

/** The row of an operation. */
export function primitive(name: OpName): Primitive {
  const known = rows.get(name) ?? rowOf(name);
  rows.set(name, known);
  return known;
}

const rows = new Map<OpName, Primitive>();

function rowOf(name: OpName): Primitive {
  const signature: readonly Scalar[] = signatures[name];
  const { notation, typescript, singular, partials } = table[name];
  const resultType = signature[signature.length - 1] ?? "R";
  return {
    params: signature.slice(0, -1),
    result: resultType,
    notation,
    typescript,
    singular,
    partials: partials ?? [],
  };
}

/** Every operation, in the order of the table. */
export const opNames: readonly OpName[] = Object.keys(signatures).filter((name): name is OpName => name in signatures);

/** What programs can name: the operations, by operand type where they are overloaded. Operators are among the keys. */
const overloads = {
  "+": { R: "add", Z: "addZ" },
  "-": { R: "sub", Z: "subZ" },
  "*": { R: "mul", Z: "mulZ" },
  "/": { R: "div" },
  "^": { R: "powInt", Z: "powZ" },
  negate: { R: "neg", Z: "negZ" },
  abs: { R: "abs", Z: "absZ" },
  min: { R: "min", Z: "minZ" },
  max: { R: "max", Z: "maxZ" },
  "<": { R: "lt", Z: "ltZ" },
  "<=": { R: "le", Z: "leZ" },
  ">": { R: "gt", Z: "gtZ" },
  ">=": { R: "ge", Z: "geZ" },
  "==": { R: "eq", Z: "eqZ", B: "eqB" },
  "/=": { R: "ne", Z: "neZ", B: "neB" },
  sign: { R: "sign" },
  sin: { R: "sin" },
  cos: { R: "cos" },
  tan: { R: "tan" },
  asin: { R: "asin" },
  acos: { R: "acos" },
  atan: { R: "atan" },
  atan2: { R: "atan2" },
  sinh: { R: "sinh" },
  cosh: { R: "cosh" },
  tanh: { R: "tanh" },
  exp: { R: "exp" },
  expm1: { R: "expm1" },
  log: { R: "log" },
  log1p: { R: "log1p" },
  sqrt: { R: "sqrt" },
  pow: { R: "pow" },
  relu: { R: "relu" },
  sigmoid: { R: "sigmoid" },
  softplus: { R: "softplus" },
  lgamma: { R: "lgamma" },
  erf: { R: "erf" },
  toReal: { Z: "toReal" },
  floor: { R: "floor" },
  round: { R: "round" },
  truncate: { R: "truncate" },
  div: { Z: "divZ" },
  mod: { Z: "modZ" },
  sameLength: { Z: "sameLength" },
} as const satisfies Record<string, { readonly [S in Scalar]?: OpName }>;

export type OverloadedName = keyof typeof overloads;

/** Every name of a built-in function or operator, in the order of the table. */
export const overloadedNames: readonly OverloadedName[] = Object.keys(overloads).filter(isOverloadedName);

/** The operations that a name stands for, by operand type. The first type given is that of every overloaded position. */
export function overloadsOf(name: OverloadedName): { readonly [S in Scalar]?: OpName } {
  return overloads[name];
}

/** Whether a source name is a built-in function or operator. */
export function isOverloadedName(name: string): name is OverloadedName {
  return Object.hasOwn(overloads, name);
}
