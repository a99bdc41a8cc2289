// Pullbacks of adjoint code keep slots: a run that is entered again, or fails, must never give a wrong number.

import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { exportOf, functionOf, loadModule, propertyOf } from "../driver/evaluate.js";

// Not a list, which would be an array inside, and have no slots that outlive a run
const model = `data Chain = End | Link R Chain | Fork Chain Chain
def twice (c : Chain) : Chain =
  case c of { End -> End; Link x rest -> Link (2 * x) (twice rest); Fork left right -> Fork (twice left) (twice right) }`;

function pullback(): (cotangent: unknown) => unknown {
  const compiled = compile({ name: "model.lam", text: model }, { stage: "adjoint", target: "js" });
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
  const vjp = exportOf(loadModule(compiled.value.code), "twiceVjp");
  return functionOf(propertyOf(vjp(chain(1, 2)), "pullback"));
}

function chain(...items: readonly number[]): unknown {
  return items.reduceRight<unknown>((rest, item) => ({ tag: "Link", _0: item, _1: rest }), { tag: "End" });
}

/** A chain whose first number is computed when it is read for the `nth` time and later. */
function watched(nth: number, read: () => number): unknown {
  let reads = 0;
  const get = (): number => {
    reads += 1;
    return reads < nth ? 3 : read();
  };
  return { tag: "Link", get _0() { return get(); }, _1: chain(4) }; // prettier-ignore
}

test("a run that is entered again throws", () => {
  const pull = pullback();
  expect(pull(chain(3, 4))).toEqual({ c: chain(6, 8) });
  const outcomes: string[] = [];
  for (const nth of [1, 2, 3, 4]) {
    const own = pullback();
    const again = watched(nth, () => { own(chain(1, 1)); return 3; }); // prettier-ignore
    try {
      expect(own(again)).toEqual({ c: chain(6, 8) });
      outcomes.push("right");
    } catch (error) {
      outcomes.push(String(error));
    }
  }
  expect(outcomes).toContain("Error: this pullback is running already, or has failed; take a new one");
  expect(outcomes.filter((outcome) => outcome !== "right" && !outcome.includes("running already"))).toEqual([]);
});

test("after a run that failed half-way there is no wrong number", () => {
  for (const nth of [1, 2, 3, 4]) {
    const pull = pullback();
    const failing = watched(nth, () => { throw new Error("no number"); }); // prettier-ignore
    try {
      pull(failing);
    } catch {
      try {
        expect(pull(chain(3, 4))).toEqual({ c: chain(6, 8) });
      } catch (error) {
        expect(String(error)).toMatch(/has failed/);
      }
    }
  }
});

test.each(["adjoint", "tape", "d3"] as const)(
  "a cotangent in a model is as long as its value, also where that depends on nothing: %s",
  (stage) => {
    const text = "def f (xs : [R]) (ys : [R]) : R = let (_, pullback) = vjp (\\_. ys) xs in sum (pullback xs)";
    const compiled = compile({ name: "model.lam", text }, { target: "js", stage });
    if (!compiled.ok) throw new Error(JSON.stringify(compiled.diagnostics));
    const f = exportOf(loadModule(compiled.value.code), "fGrad");
    expect(f([1, 2], [3, 4])).toMatchObject({ value: 0 });
    expect(() => f([1, 2, 3], [3, 4])).toThrow("the lengths 2 and 3 must be the same");
  },
);
