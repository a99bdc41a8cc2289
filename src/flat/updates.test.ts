import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { updatedArrays } from "./updates.js";

/** The arrays of rows that a model changes some rows of. */
function updatedBy(step: string): readonly string[] {
  const text = `def entry (m : [[R]]) (is : [Z]) : [[R]] = foldl (\\u i. ${step}) m is`;
  const core = coreOf(text);
  const entries = core.entries.filter(({ name }) => name === "entry");
  return flatOf(optimised({ ...core, entries }), "inline-procedures").procedures.flatMap((procedure) => [...updatedArrays(procedure)]); // prettier-ignore
}

test("an array of which iterations hand on a copy with other elements", () => {
  expect(updatedBy("set i (map sin (u ! 0)) u")).toEqual(["u"]);
  expect(updatedBy("mapi (\\j row. if j > i then row else map sin row) u")).toEqual(["u"]);
});

test("not one of which all elements are others, or others' elements", () => {
  expect(updatedBy("map (map sin) u")).toEqual([]);
  expect(updatedBy("mapi (\\j row. if j > i then map cos row else map sin row) u")).toEqual([]);
  expect(updatedBy("build (length u) (\\j. if j > i then u ! i else map sin (u ! j))")).toEqual([]);
});
