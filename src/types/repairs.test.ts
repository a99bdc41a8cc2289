import { describe, expect, test } from "vitest";
import { infer } from "../../test/typed.js";
import type { TypeMistake } from "./mistakes.js";

/** The kinds of the mistakes, with what is told to mend them. */
function told(text: string): readonly string[] {
  return infer(text).mistakes.map((mistake) => `${mistake.kind}: ${textOf(mistake) ?? "-"}`);
}

function textOf(mistake: TypeMistake): string | null {
  if (mistake.kind === "lambdaParameters") return mistake.text;
  return "repair" in mistake ? (mistake.repair?.text ?? null) : null;
}

describe("changes that mend a mistake", () => {
  const power = "def power (x : R) (n : Z) : R = x ^ n";

  test("both arguments of a call are one mistake", () => {
    expect(told(`${power}\ndef f (x : R) (n : Z) = power n x`)).toEqual(["mismatch: power x n"]);
  });

  test("another mistake of the definition stays", () => {
    const text = `${power}\ndef f (x : R) (n : Z) : R = if x then power n x else 0`;
    expect(told(text)).toEqual(["mismatch: -", "mismatch: power x n"]);
  });

  test("a change that does not fit its surroundings is not told", () => {
    expect(told("def f (xs : [R]) : R = sqrt xs")).toEqual(["mismatch: -"]);
    expect(told("def f (xs : [R]) : [R] = sqrt xs")).toEqual(["mismatch: map sqrt xs"]);
  });

  test("nor one that leaves a mistake in what is shown", () => {
    expect(told("def f (n : Z) (m : Z) : R = n / m")).toEqual(["mismatch: -", "mismatch: -"]);
    expect(told("def f (n : Z) : R = n / 2")).toEqual(["mismatch: toReal n / 2"]);
  });

  test("of several orders that move as much none is told", () => {
    const between = "def between (low : Z) (x : R) (high : Z) : Bool = toReal low < x && x < toReal high";
    expect(told(`${between}\ndef f (n : Z) = between 1 n 2`)).toEqual(["mismatch: -"]);
  });

  test("patterns that are not looked at yet stay out of it", () => {
    const text = "def f (n : Z) (x : R) : R = case n of { 0 -> sqrt x x }\ndef g (n : Z) : Z = case n of { 0 -> 1 }";
    expect(told(text)).toEqual(["notFunction: -", "notExhaustive: -"]);
    const swapped = `${power}\ndef g (x : R) (n : Z) : R = case n of { 0 -> power n x }\ndef h (n : Z) : Z = case n of { 0 -> 1 }`;
    expect(told(swapped)).toEqual(["mismatch: power x n", "notExhaustive: -"]);
  });

  test("long parts are left out of what is shown", () => {
    const text = "def f (xs : [R]) : [R] = map xs (\\x. let y = x * x * x * x in y + y)";
    expect(told(text)).toEqual(["mismatch: map (\\x. ..) xs"]);
  });

  test("names that are used are not taken", () => {
    expect(told("def f (x : R) (y : R) (xs : [R]) : [R] = xs * (x + y)")).toEqual([
      "mismatch: map (\\z. z * (x + y)) xs",
    ]);
  });

  test("an annotation is one of the whole tuple only where that mends something", () => {
    const scan = "type Scan = (R, [R])";
    expect(told(`${scan}\ndef f (dt, xs : Scan) : R = dt * sum xs`)).toEqual(["partAnnotation: -"]);
    expect(told(`${scan}\ndef f (dt, scan : Scan) : R = dt * fst scan + true`)).toEqual(["mismatch: -"]);
    expect(told(`${scan}\ndef f (dt, xs : R) : R = dt * sum xs`)).toEqual(["mismatch: -"]);
  });

  test("a large file is not inferred again", () => {
    const text = `${power}\ndef f (x : R) (n : Z) = power n x\n-- ${"-".repeat(400_000)}`;
    expect(told(text)).toEqual(["mismatch: -", "mismatch: -"]);
  });
});
