import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { optimised } from "../../test/support/optimised.js";
import { assertFlat } from "./check.js";
import { withoutDeadCode } from "./dead-code.js";
import { printProcedure } from "./print.js";

/** The procedures without what nothing uses. */
function after(text: string): string {
  const program = flatOf(optimised(coreOf(text)));
  const procedures = program.procedures.map(withoutDeadCode);
  assertFlat({ ...program, procedures });
  return procedures.map(printProcedure).join("\n");
}

const pairs = "data P = P { x : R, y : R }\n";

test("of what a loop carries, what it needs for itself alone", () => {
  expect(
    after(`${pairs}def entry (h : R) (n : Z) (ps : [P]) : R =
      sum (map (\\p. p.x) (iterate n (\\ps. map (\\p. P (min p.x 3) (p.y + h * p.x)) ps) ps))`),
  ).toMatchInlineSnapshot(`
    "function entry(h : R, n : Z, psX : [R], psY : [R]) : R =
      xsX = for i < n (ps1X = psX)
        t1 = length ps1X
        [ps2X] = for i2 < t1
          pX = ps1X ! i2
          t2 = min(pX, 3.0)
          yield t2
        yield ps2X
      n1 = length xsX
      t5 = for i3 < n1 (acc = 0.0)
        p1X = xsX ! i3
        acc1 = acc + p1X
        yield acc1
      yield t5
    "
  `);
});

test("not what another part needs, by way of others", () => {
  expect(
    after(`def entry (n : Z) (x : R) : R =
      let (a, _, _) = iterate n (\\(a, b, c). (a + b, b * c, c + 1)) (x, x, 1) in a`),
  ).toMatchInlineSnapshot(`
    "function entry(n : Z, x : R) : R =
      a1, t, t1 = for i < n (a = x, b = x, c = 1.0)
        a2 = a + b
        b1 = b * c
        c1 = c + 1.0
        yield a2, b1, c1
      yield a1
    "
  `);
});

test("arrays that a loop makes and nothing uses, but not what may fail in it", () => {
  expect(
    after(`${pairs}def entry (i : Z) (xs : [R]) : R =
      let ps = map (\\x. P (2 * x) (xs ! i)) xs in sum (map (\\p. p.x) ps)`),
  ).toMatchInlineSnapshot(`
    "function entry(i : Z, xs : [R]) : R =
      n = length xs
      t = for i1 < n (acc = 0.0)
        x = xs ! i1
        x1 = 2.0 * x
        check i in xs
        acc1 = acc + x1
        yield acc1
      yield t
    "
  `);
});
