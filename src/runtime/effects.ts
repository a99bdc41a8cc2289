// What the functions do that emitted code calls: passes ask this table before they move, merge or leave out a call. A function without a row may do anything, and the
// test demands a row for all that `numbers.ts` and `values.ts` export. No part of emitted modules.

export interface Effect {
  /**
   * What becomes of the values that it is given: they are left as they are, changed in all their parts, or numbers are moved from one to the other and nothing is kept of
   * them. A workspace is no value: it notes what is taken of it.
   */
  readonly given: "left" | "changed" | "moved" | "anything";
  /** A number or truth value; new memory, of zeros or with a copy of what was given; or what may share memory with what was given. */
  readonly gives: "number" | "zeros" | "copy" | "anything";
  /** Whether it may end in an error, or does something else. */
  readonly mayFail: boolean;
  /** Whether what it is given is not used any more. */
  readonly isLast: boolean;
}

const effect = (given: Effect["given"], gives: Effect["gives"], mayFail = true, isLast = false): Effect => ({
  given,
  gives,
  mayFail,
  isLast,
});

/** Of numbers alone: gives a number for any. */
const total = effect("left", "number", false);
const failing = effect("left", "number");
const reading = effect("left", "anything");
const zeros = effect("left", "zeros", false);

/** As which the functions of a module are known that call the caller's: without a row, since those may do anything. */
export const externCall = "externs.call";

/** By `file.name`. */
export const effects: ReadonlyMap<string, Effect> = new Map([
  ...of("numbers", total, [
    ...[
      "scale",
      "ratio",
      "overSquares",
      "overLength",
      "powSlope",
      "powRate",
      "hypot",
      "relu",
      "exp",
      "exp2",
      "sigmoid",
    ],
    ...["softplus", "tanhSlope", "lgamma", "digamma", "polygamma", "erf", "erfc", "negInt"],
  ]),
  ...of("numbers", failing, [
    ...["addInt", "subInt", "mulInt", "powInt", "divInt", "modInt"],
    ...["sameLength", "fail", "failBoolean", "failAt", "failBooleanAt", "floorInt", "roundInt", "truncateInt"],
  ]),
  ...of("numbers", reading, ["holdsNaN"]),
  ...of("arrays", failing, ["outside", "arraySize"]),
  ...of("limits", failing, ["endless"]),
  ...of("values", reading, [
    ...["checkValue", "checkNumber", "checkInteger", "checkBoolean", "checkTuple", "checkRecord", "checkTag", "refuse"],
    ...["acceptValue", "acceptCopy", "acceptNumbers", "acceptNumbersLike", "acceptNumbersCopy", "acceptNumber"],
    ...["acceptInteger", "acceptBoolean", "acceptNull", "acceptArray", "acceptRows", "describe"],
    ...["isNumber", "isBoolean", "isArray", "isFloat64Array", "isPresent", "isRecord", "isTuple"],
  ]),
  ...of("values", effect("left", "copy", false), ["copyValue"]),
  ...of("values", effect("changed", "anything", false), ["setField"]),
  // Calls what it is given
  ...of("values", effect("anything", "anything"), ["withinStack"]),
  ...of("adjoint", zeros, ["zerosLike", "zeroRows", "workArray", "workRows"]),
  ...of("adjoint", effect("changed", "anything"), ["takeStore", "addToStore", "keep", "zeroRowsAgain"]),
  ...of("adjoint", reading, ["rowAgain", "takeRoom", "withRoom", "takePlaces", "withPlaces", "leavePlaces"]),
  ...of("adjoint", effect("changed", "anything", true, true), ["leaveRoom"]),
  ...of("workspace", zeros, ["zerosIn"]),
  ...of("workspace", reading, ["leaveWorkspace", "numbersRead"]),
  ...of("buffers", reading, ["earlierArrays"]),
  ...of("buffers", effect("changed", "anything", true, true), ["refill"]),
  ...of("compressed", effect("changed", "anything", true, true), ["mergedRows"]),
  ...of("buffers", effect("moved", "anything"), ["noteFilled"]),
]);

function of(file: string, row: Effect, names: readonly string[]): readonly (readonly [string, Effect])[] {
  return names.map((name) => [`${file}.${name}`, row]);
}
