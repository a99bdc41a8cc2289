// Types, laid out as prettier lays them out.

import type { Doc } from "./print-docs.js";
import type { Printer } from "./print-printer.js";
import type { TsField, TsParam, TsType } from "./tree.js";
import { align, breaks, group, ifBreak, indent, join, line, softline, trailingComma } from "./print-docs.js";
import { printNumber, printString, printTypeKey } from "./print-literals.js";

/** Where a type stands. */
export type TypeRole =
  | "annotation"
  /** Of a constant whose value is an arrow function. */
  | "arrowVariable"
  /** The result of an arrow function. */
  | "arrowResult"
  /** The right side of a type alias, below the name. */
  | "alias"
  | "argument"
  | "element"
  | "member"
  | "onlyItem"
  | "item";

/** `{ .. }` without its group, which an only parameter leaves out. */
interface ObjectDoc {
  readonly contents: Doc;
  readonly broken: boolean;
}

/** A type in normal form. */
export function printType(printer: Printer, type: TsType, role: TypeRole): Doc {
  const inner = printWithoutParens(printer, type, role);
  return typeNeedsParens(type, role) ? ["(", inner, ")"] : inner;
}

function printWithoutParens(printer: Printer, type: TsType, role: TypeRole): Doc {
  switch (type.kind) {
    case "name":
      return [type.name, printTypeArguments(printer, type.args, role)];
    case "literal":
      return printLiteral(type.value);
    case "tuple":
      return [isAssignable(type) ? "" : "readonly ", printTuple(printer, type.items)];
    case "array":
      return ["readonly ", printType(printer, type.element, "element"), "[]"];
    case "object":
      return printObjectType(printer, type.fields);
    case "slot":
      return printType(printer, type.type, role);
    case "union":
      return printUnion(printer, type, role);
    case "function":
      return printFunctionType(printer, type);
  }
}

function printLiteral(value: string | number | boolean | null): string {
  if (typeof value === "string") return printString(value);
  if (typeof value !== "number") return String(value);
  return value < 0 ? `-${printNumber(-value)}` : printNumber(value);
}

function typeNeedsParens(type: TsType, role: TypeRole): boolean {
  switch (type.kind) {
    case "function":
      return role === "member" || role === "element" || role === "arrowResult";
    case "union":
    case "array":
      return role === "element";
    case "tuple":
      return role === "element" && !isAssignable(type);
    default:
      return false;
  }
}

/** Whether a tuple's items may be assigned: those of a readonly one never can. */
function isAssignable({ items }: TsType & { readonly kind: "tuple" }): boolean {
  return items.some(({ kind }) => kind === "slot");
}

// prettier-ignore
const keywords: ReadonlySet<string> = new Set([
  "any", "bigint", "boolean", "never", "null", "number", "object", "string", "symbol", "undefined", "unknown", "void",
]);

/** A keyword, a literal, or a name without arguments. */
function isSimple(type: TsType): boolean {
  return type.kind === "literal" || (type.kind === "name" && type.args.length === 0);
}

const isNothing = (type: TsType): boolean =>
  (type.kind === "literal" && type.value === null) ||
  (type.kind === "name" && (type.name === "null" || type.name === "void"));

/** `T | null` and the like: laid out without regard to the union. */
function hugs(members: readonly TsType[]): boolean {
  const others = members.filter((one) => !isNothing(one));
  const [main] = others;
  return others.length === 1 && main !== undefined && (main.kind === "object" || isReference(main));
}

function isReference(type: TsType): boolean {
  return type.kind === "name" && !keywords.has(type.name);
}

export function isBreakableUnion(type: TsType): boolean {
  return type.kind === "union" && !hugs(type.members);
}

function printTypeArguments(printer: Printer, args: readonly TsType[], role: TypeRole): Doc {
  if (args.length === 0) return "";
  const docs = args.map((arg) => printType(printer, arg, "argument"));
  const [only] = args;
  if (args.length === 1 && only !== undefined) {
    const keeps = role === "arrowVariable" && only.kind !== "object";
    const plain = isSimple(only) || only.kind === "object" || (only.kind === "union" && hugs(only.members));
    if (plain && !keeps) return ["<", ...docs, ">"];
  }
  return group(["<", indent([softline, join([",", line], docs)]), softline, ">"]);
}

export function printTypeParams(params: readonly string[]): Doc {
  if (params.length === 0) return "";
  return group(["<", indent([softline, join([",", line], [...params])]), trailingComma, softline, ">"]);
}

function printTuple(printer: Printer, items: readonly TsType[]): Doc {
  if (items.length === 0) return "[]";
  const role = items.length === 1 ? "onlyItem" : "item";
  const docs = items.map((item) => group(printType(printer, item, role)));
  return group(["[", indent([softline, join([",", line], docs), trailingComma]), softline, "]"]);
}

function printUnion(printer: Printer, type: Extract<TsType, { kind: "union" }>, role: TypeRole): Doc {
  const docs = type.members.map((member) => printType(printer, member, "member"));
  if (hugs(type.members)) return join(" | ", docs);
  const union = group(docs.map((doc, index) => [index === 0 ? ifBreak("| ") : [line, "| "], align(2, doc)]));
  switch (role) {
    case "element":
      return group([indent([softline, union]), softline]);
    case "item":
      return group([indent([ifBreak(["(", softline]), union]), softline, ifBreak(")")]);
    case "alias":
    case "argument":
    case "onlyItem":
      return union;
    default:
      return group(indent([softline, union]));
  }
}

function objectDoc(printer: Printer, fields: readonly TsField[]): ObjectDoc {
  const { mark, broken } = printer.objects.enter();
  const docs = fields.map((field, index) => [
    group([field.type.kind === "slot" ? "" : "readonly ", printTypeKey(field.name, printer.target), field.optional === true ? "?: " : ": ", printType(printer, field.type, "annotation")]), // prettier-ignore
    index === fields.length - 1 ? ifBreak(";") : [";", line],
  ]);
  if (docs.length === 0) return { contents: "{}", broken: false };
  return { contents: ["{", ifBreak(mark), indent([line, ...docs]), line, "}"], broken };
}

function printObjectType(printer: Printer, fields: readonly TsField[]): Doc {
  const { contents, broken } = objectDoc(printer, fields);
  return contents === "{}" ? contents : group(contents, { shouldBreak: broken });
}

function printFunctionType(printer: Printer, type: Extract<TsType, { kind: "function" }>): Doc {
  const params: Doc = [printTypeParams(type.typeParams), printParams(printer, type.params)];
  const result: Doc = [" => ", printType(printer, type.result, "annotation")];
  return group([groupsParams(type, result) ? group(params) : params, result]);
}

/** `(a: A, b?: B)`, without its group. */
export function printParams(printer: Printer, params: readonly TsParam[]): Doc {
  const [only] = params;
  if (params.length === 1 && only?.type.kind === "object") {
    const { contents } = objectDoc(printer, only.type.fields);
    return ["(", only.name, only.optional ? "?" : "", ": ", contents, ")"];
  }
  return parenthesized(params.map((param) => printParam(printer, param)));
}

function printParam(printer: Printer, param: TsParam): Doc {
  return [param.name, param.optional ? "?" : "", ": ", printType(printer, param.type, "annotation")];
}

/** `(a, b)`, where a group around decides about the lines. */
export function parenthesized(docs: readonly Doc[]): Doc {
  if (docs.length === 0) return "()";
  return ["(", indent([softline, join([",", line], [...docs])]), trailingComma, softline, ")"];
}

/** Whether the only parameter of a function keeps together, since its result is an object. */
export function groupsParams(
  fn: { readonly typeParams: readonly string[]; readonly params: readonly unknown[]; readonly result: TsType },
  result: Doc,
): boolean {
  if (fn.typeParams.length > 1 || fn.params.length !== 1) return false;
  return fn.result.kind === "object" || breaks(result);
}

/** The only parameter of an arrow function: an object type keeps the function's parentheses close. */
export function printOnlyObjectParam(printer: Printer, name: string, type: TsType): Doc | null {
  if (type.kind !== "object") return null;
  return ["(", name, ": ", objectDoc(printer, type.fields).contents, ")"];
}
