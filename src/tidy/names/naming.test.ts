import { expect, test } from "vitest";
import { functionsIn } from "../../../test/support/typescript-tree.js";
import { printed } from "../../../test/support/tidied.js";
import { calledPlainly } from "../../typescript/called.js";
import { Bindings, separated } from "../analysis/bindings.js";
import { named } from "./naming.js";

/** A function whose variables are all wished to have one name. */
function withOneWish(text: string, wish: string): string {
  return printed(
    functionsIn(text).map((fn) => {
      const bindings = new Bindings();
      return named(
        separated(fn, bindings, () => calledPlainly(wish)),
        bindings,
      );
    }),
  );
}

test("a variable shadows none that is used where it stands, nor a loop's own one that it begins with", () => {
  expect(
    withOneWish(
      `function f(xs: Float64Array): number {
        let sum = 0;
        for (let i = 0; i < xs.length; i++) {
          for (let j = xs[i]!; j > 0; j--) {
            sum += j;
          }
          for (let j = 0; j < 3; j++) {
            sum += 1;
          }
        }
        return sum;
      }`,
      "n",
    ),
  ).toMatchInlineSnapshot(`
    "function f(n: Float64Array): number {
      let n1 = 0;
      for (let n2 = 0; n2 < n.length; n2++) {
        for (let n3 = n[n2]!; n3 > 0; n3--) {
          n1 += n3;
        }
        for (let n = 0; n < 3; n++) {
          n1 += 1;
        }
      }
      return n1;
    }
    "
  `);
});
