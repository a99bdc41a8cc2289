// What may help where a type is not the expected one.

import { printType } from "../core/print-type.js";
import type { Type } from "../core/type.js";
import { arrayFunctions, isList, listFunctions } from "../types/collections.js";
import { isOutOfOrder, paramsOf } from "../types/argument-order.js";
import {
  type Difference,
  isPart,
  type Mismatch,
  outermost,
  type Reason,
  type Repair,
  type Subject,
} from "../types/mistakes.js";
import { familiarType } from "../types/suggest.js";
import { repairHint } from "./explain-repair.js";
import { counted, isNumber } from "./words.js";

/** The reason, without the tuples, arrays and lambdas around it, and the parts of those from the inside out. */
export function unwrap(reason: Reason): { readonly reason: Reason; readonly parts: readonly string[] } {
  const parts: string[] = [];
  for (let outer = reason; isPart(outer); outer = outer.outer) {
    if (outer.kind !== "tupleLambda")
      parts.push(`${outer.kind === "component" ? "component" : "element"} ${outer.position} of `);
  }
  return { reason: outermost(reason), parts };
}

export function calleeName(callee: Subject): string {
  return callee.kind === "name" || callee.kind === "call" ? `\`${callee.name}\`` : "this function";
}

/** The two types differ as wholes, not in a part. */
export function isWhole(expected: Type, found: Type, difference: Difference): boolean {
  if (difference.kind === "notNumber") return printType(found) === printType(difference.found);
  return printType(expected) === printType(difference.expected) && printType(found) === printType(difference.found);
}

export function hintFor(mistake: Mismatch): string | null {
  const { difference, found, repair } = mistake;
  const { reason } = unwrap(mistake.reason);
  if (repair !== null) return orElse(numberHint(mistake, reason), repair);
  return (
    negativeArgument(mistake, reason) ??
    operatorFirst(mistake, reason) ??
    tupleLambda(mistake) ??
    argumentOrder(mistake, reason) ??
    missingArguments(mistake) ??
    argumentLeftOut(mistake, reason) ??
    oneByOne(mistake, reason) ??
    elementwise(mistake, reason) ??
    negatedComparison(mistake, reason) ??
    listHint(mistake, reason) ??
    arrayHint(mistake, reason) ??
    (isPattern(reason) ? patternHint(mistake) : numberHint(mistake, reason)) ??
    tupleHint(difference, found) ??
    foreignType(difference) ??
    (reason.kind === "argument" && reason.recursive
      ? `inside its own definition ${calleeName(reason.callee)} is used at one type alone`
      : null) ??
    (reason.kind === "argument" && reason.hidesPrelude && (found.kind === "array" || isList(found))
      ? `${calleeName(reason.callee)} is the one that this file defines or imports, which hides the prelude's: rename it to use both`
      : null) ??
    rigidHint(difference)
  );
}

/** Where numbers of two types stand in each other's place a conversion may be meant as well. */
function orElse(conversion: string | null, repair: Repair): string {
  const isUnclear = repair.kind === "reordered" && repair.mends === 1 && conversion !== null;
  return isUnclear
    ? `${conversion}; or are the arguments in the wrong order? This fits: \`${repair.text}\``
    : repairHint(repair);
}

/** Arrays and lists are easily taken for each other, and rows of a matrix for its items. */
function arrayHint({ expected, found, subject }: Mismatch, reason: Reason): string | null {
  if (reason.kind === "operand" && reason.operator === "!") {
    if (reason.side === "right" && found.kind === "tuple")
      return "an array of arrays has one index after the other: `a ! i ! j`";
    if (reason.side === "left" && isList(found))
      return "a list has no indices: take it apart with `case`, or use an array";
    if (reason.side === "left" && found.kind === "tuple")
      return "take a tuple apart by a pattern: `let (a, b) = pair in ..`";
    return null;
  }
  const callee = reason.kind === "argument" && reason.callee.kind === "name" ? reason.callee.name : "";
  const ofAll = found.kind === "array" && expected.kind !== "array" ? extremes.get(callee) : undefined;
  if (ofAll !== undefined) return `of all elements of an array it is \`${ofAll}\``;
  if (!isOtherCollection({ expected, found })) return null;
  const isListForArray = isList(found);
  if (reason.kind === "operand" && reason.operator === "::")
    return "`::` makes lists: an array with one more element is `append [x] xs`";
  const other = isListForArray ? (listFunctions.get(callee) ?? forLists.get(callee)) : arrayFunctions.get(callee);
  if (other !== undefined) return `for ${isListForArray ? "lists" : "arrays"} it is \`${other}\``;
  if (subject.kind === "other" && found.kind === "array")
    return "a list is written `x :: y :: Nil`; `[x, y]` is an array";
  return "arrays, `[x, y]`, and lists, `x :: y :: Nil`, are different types";
}

/** Whether there is a list where an array is expected, or an array where a list is. */
function isOtherCollection({ expected, found }: Pick<Mismatch, "expected" | "found">): boolean {
  return (expected.kind === "array" && isList(found)) || (found.kind === "array" && isList(expected));
}

/** What it is for lists, where no function of the prelude does it with the same arguments. */
const forLists: ReadonlyMap<string, string> = new Map([
  ["maximum", "listMaximum least xs"], ["minimum", "listMinimum greatest xs"],
  ["mean", "listSum xs / toReal (listLength xs)"], ["dot", "listSum (listZipWith (*) xs ys)"],
]); // prettier-ignore

/** What functions of two numbers are called that are given all elements of an array. */
const extremes: ReadonlyMap<string, string> = new Map([["max", "maximum"], ["min", "minimum"]]); // prettier-ignore

function isPattern(reason: Reason): boolean {
  return reason.kind === "scrutinee" || reason.kind === "bound" || reason.kind === "field";
}

function patternHint({ subject, expected, found }: Mismatch): string | null {
  if (expected.kind === "array" && found.kind === "tuple")
    return "the elements of an array are read one by one: `xs ! 0`";
  if (subject.kind !== "literal" || (expected.kind !== "real" && !isNumber(expected))) return null;
  return Number.isNaN(Number(subject.text))
    ? null
    : "only integers can be matched: compare real numbers with `==` or `<`";
}

/** `x :: y` where `y` is no list but one more element. */
function listHint({ expected, found }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "operand" || reason.operator !== "::" || reason.side !== "right") return null;
  const [element] = expected.kind === "data" ? expected.args : [];
  return element !== undefined && printType(element) === printType(found)
    ? "a list ends in `Nil`: `x :: y :: Nil`"
    : null;
}

/** A function where its result is expected. */
function missingArguments({ expected, found, subject, difference }: Mismatch): string | null {
  const wanted = difference.kind === "notNumber" ? null : expected;
  if (found.kind !== "fn" || wanted?.kind === "fn" || wanted?.kind === "typeVar") return null;
  if (subject.kind !== "call" && subject.kind !== "name") return null;
  const missing = paramsOf(found).length;
  const more = subject.kind === "call" ? ` more` : "";
  return `\`${subject.name}\` still waits for ${missing === 1 ? `one${more} argument` : `${missing}${more} arguments`}, of type ${argumentTypes(found)}`;
}

/** An argument that fits the next parameter, in a call with fewer arguments than the function takes. */
function argumentLeftOut({ found, reason: whole }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "argument" || isPart(whole)) return null;
  const params = paramsOf(reason.calleeType);
  const next = params[reason.position];
  if (reason.given >= params.length || next === undefined || printType(next) !== printType(found)) return null;
  return `${calleeName(reason.callee)} takes ${counted(params.length, "argument")}, of type ${argumentTypes(reason.calleeType)}: one seems to be missing in front of this`;
}

function argumentTypes(type: Type): string {
  const types = paramsOf(type).map(printType);
  const last = types.pop() ?? "";
  return types.length === 0 ? last : `${types.join(", ")} and ${last}`;
}

/** `f (x, y)` for a function that takes its arguments one by one. */
function oneByOne({ expected, found, reason: whole }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "argument" || found.kind !== "tuple" || reason.given !== 1 || found.items.length < 2) return null;
  const params = paramsOf(reason.calleeType).length;
  const name = reason.callee.kind === "name" ? reason.callee.name : "f";
  const letters = Array.from({ length: params }, (_, i) => String.fromCharCode(97 + i)).join(" ");
  if (params === found.items.length) return `it takes its arguments one by one: \`${name} ${letters}\`, without commas`;
  return expected.kind === "tuple" || isPart(whole)
    ? null
    : `it takes ${counted(params, "argument")}${params === 1 ? "" : ", one by one"}: \`${name} ${letters}\`, without commas`;
}

/** `f -x` and `y + f -x`, which subtract. */
function negativeArgument({ found, subject }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "operand") return null;
  const isLeft = reason.side === "left" && reason.operator === "-";
  const isBefore = reason.side === "right" && reason.leftOf === "-";
  return (isLeft || isBefore) && found.kind === "fn" && subject.kind === "name"
    ? `this subtracts from \`${subject.name}\`: write \`${subject.name} (-x)\` for its value at \`-x\``
    : null;
}

/** `\(x, y). t` where a function is wanted that takes the two one by one. */
function tupleLambda({ expected, found, reason }: Mismatch): string | null {
  if (reason.kind !== "tupleLambda" || expected.kind !== "fn" || found.kind === "fn") return null;
  const letters = Array.from({ length: reason.items }, (_, i) => String.fromCharCode(97 + i));
  return `this lambda takes one tuple: \`\\${letters.join(" ")}. t\` takes one argument after the other`;
}

/** A function, or an array, where something else belongs, or the other way round. */
function argumentOrder(mistake: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "argument" || reason.callee.kind !== "name" || mistake.subject.kind === "call") return null;
  if (!isOutOfOrder(mistake) || isOtherCollection(mistake)) return null;
  return `the arguments of \`${reason.callee.name}\` are, in this order, of type ${argumentTypes(reason.calleeType)}`;
}

/** Arithmetic with arrays. */
function elementwise({ found }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "operand" || found.kind !== "array" || !arithmetic.has(reason.operator)) return null;
  if (reason.side === "only") return "an array is negated by `map (\\x. -x) xs`";
  return `element by element it is \`zipWith (${reason.operator}) xs ys\`; with one number, \`map (\\x. 2 ${reason.operator} x) xs\``;
}

const arithmetic: ReadonlySet<string> = new Set(["+", "-", "*", "/"]);

/** `not a > b`, `sqrt xs ! i` and `listSum x :: xs`, where the operator is meant to come first. */
function operatorFirst({ expected, found }: Mismatch, reason: Reason): string | null {
  if (reason.kind !== "argument" || reason.operator === null || reason.callee.kind !== "name") return null;
  if (reason.given > 1 || !wouldGive(reason.operator, found, expected)) return null;
  const { name } = reason.callee;
  const right = reason.operator === "!" ? "i" : "b";
  return `\`${name}\` takes what stands right behind it: write \`${name} (a ${reason.operator} ${right})\``;
}

/** Whether an operation with a left operand of the type `operand` may give the type `wanted`. */
function wouldGive(operator: string, operand: Type, wanted: Type): boolean {
  if (operator === "!") return operand.kind === "array" && wanted.kind !== "array";
  if (operator === "::") return isList(wanted) && !isList(operand);
  const isOrdered = operand.kind === "real" || operand.kind === "int" || isNumber(operand);
  return comparisons.has(operator) && isOrdered && wanted.kind === "bool";
}

const comparisons: ReadonlySet<string> = new Set(["==", "/=", "<", "<=", ">", ">="]);

/** `not a > b`, which negates `a`. */
function negatedComparison({ subject }: Mismatch, reason: Reason): string | null {
  const isNegated = reason.kind === "operand" && subject.kind === "call" && subject.name === "not";
  return isNegated ? `\`not\` takes what stands right behind it: write \`not (a ${reason.operator} b)\`` : null;
}

function numberHint(mistake: Mismatch, reason: Reason): string | null {
  const { difference, subject } = mistake;
  if (!isWhole(mistake.expected, mistake.found, difference)) return null;
  const { found } = difference;
  if (difference.kind === "notNumber") {
    if (difference.orBool) return comparisonHint(found);
    return found.kind === "bool" ? "`if b then 1 else 0` makes a number of a `Bool`" : null;
  }
  const { expected } = difference;
  if (expected.kind === "real" && found.kind === "int") {
    if (reason.kind === "operand" && reason.operator === "/")
      return "`div` divides integers; `toReal` makes an R of a Z";
    return "`toReal` makes an R of a Z";
  }
  if (expected.kind === "int" && found.kind === "real") {
    if (reason.kind === "operand" && reason.operator === "^") return "`pow x y` takes an exponent of type R";
    if (subject.kind === "literal") {
      const value = Number(subject.text);
      if (Number.isInteger(value)) return `write \`${value}\`, without a point`;
    }
    // Of two sides either one may be the wrong one
    if (reason.kind === "operand" && reason.other !== null)
      return "`toReal` makes an R of a Z; `round`, `floor` or `truncate` a Z of an R";
    return "`round`, `floor` or `truncate` makes a Z of an R";
  }
  if (expected.kind === "bool" && (found.kind === "real" || found.kind === "int" || isNumber(found))) {
    const isCondition = reason.kind === "condition" || (reason.kind === "operand" && isLogical(reason.operator));
    if (isCondition) return "compare it with something, as in `x /= 0`";
    const isBit = subject.kind === "literal" && (subject.text === "0" || subject.text === "1");
    return isBit ? "a `Bool` is `true`, `false`, or a comparison" : null;
  }
  if (found.kind === "bool" && (expected.kind === "real" || expected.kind === "int" || isNumber(expected))) {
    return "`if b then 1 else 0` makes a number of a `Bool`";
  }
  return null;
}

function isLogical(operator: string): boolean {
  return operator === "&&" || operator === "||";
}

/** Values of other types are compared part by part. */
function comparisonHint(found: Type): string | null {
  switch (found.kind) {
    case "array":
      if (!isComparable(found.element)) return null;
      return "two arrays of one length are equal where `all (\\b. b) (zipWith (==) xs ys)`";
    case "tuple":
      return "take both apart and compare the components: `let (a, b) = p in ..`";
    case "data":
      return "look at the value with `case`: `case s of { p -> t; _ -> u }`";
    default:
      return null;
  }
}

function isComparable(type: Type): boolean {
  return type.kind === "real" || type.kind === "int" || type.kind === "bool" || isNumber(type);
}

function tupleHint(difference: Difference, found: Type): string | null {
  if (difference.kind !== "clash" || difference.found.kind !== "tuple" || difference.expected.kind !== "tuple")
    return null;
  const [wanted, given] = [difference.expected.items.length, difference.found.items.length];
  if (wanted === given) return null;
  const one = found === difference.found ? "this one" : "the one here";
  return `a tuple of ${counted(wanted, "component")} is expected, and ${one} has ${given}`;
}

/** Where a type variable has the name that a type has elsewhere. */
function foreignType(difference: Difference): string | null {
  const types = difference.kind === "notNumber" ? [difference.found] : [difference.expected, difference.found];
  for (const type of types) {
    if (type.kind === "typeVar" && /^str(ing)?$/.test(type.name))
      return `\`${type.name}\` is no type here but a variable that stands for every type: the language has no texts`;
    const isOverloaded = difference.kind === "clash" && isNumber(type);
    const known = type.kind === "typeVar" && !isOverloaded ? familiarType(type.name) : null;
    if (type.kind === "typeVar" && known !== null)
      return `\`${type.name}\` is no type here but a variable that stands for every type: write ${known}`;
  }
  return null;
}

function rigidHint(difference: Difference): string | null {
  if (difference.kind === "notNumber" && difference.found.kind === "typeVar") {
    return `\`${difference.found.name}\` stands for every type: leave its annotation off, or write R in its place`;
  }
  if (difference.kind !== "rigid") return null;
  const { expected, found, variable } = difference;
  const other = expected.kind === "typeVar" && expected.name === variable ? found : expected;
  if (other.kind === "typeVar")
    return `\`${variable}\` and \`${other.name}\` are different: where both are meant to be the same type, give them one name`;
  return `write ${printType(other)} in the annotation in place of \`${variable}\`, or leave the annotation off`;
}
