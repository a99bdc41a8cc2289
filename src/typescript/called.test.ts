import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";
import { calledAfter, calledPlainly, isPlace, nameOf, savedIn, savedOnce, withoutLast, type Role } from "./called.js";
import { Scope } from "./naming.js";

const called = (of: string, ...as: readonly Role[]) => ({ of, as });

test("names tell what something is of a variable", () => {
  expect(nameOf(called("x", "cotangent"))).toBe("x_");
  expect(nameOf(called("x", "carried", "kept"))).toBe("x_Kept");
  expect(nameOf(called("x", "saved"))).toBe("xSaved");
  expect(nameOf(called("x", "cotangent", "saved", "saved"))).toBe("x_SavedRows");
  expect(nameOf(called("x", "saved", "saved", "saved"))).toBe("xSavedTables");
  expect(nameOf(called("x", "saved", "cursor"))).toBe("xSavedAt");
});

test("places, and what is in them", () => {
  expect(isPlace(called("x", "cotangent"))).toBe(false);
  expect(savedIn(called("x", "cotangent", "saved", "kept"))).toEqual(called("x", "cotangent"));
  expect(savedOnce(called("x", "saved", "saved"))).toEqual(called("x", "saved"));
  expect(withoutLast(calledAfter(calledPlainly("x"), "kept"), "kept")).toEqual(called("x"));
  expect(withoutLast(called("x"), "saved")).toEqual(called("x"));
});

test("what a name means is known to the whole module, so no variable of the program has it", () => {
  const scope = Scope.values([], { variables: new Set(["x", "x_"]) });
  const inner = scope.inner();
  expect([inner.fresh("x1"), inner.after("x", "cotangent"), inner.another("x_1")]).toEqual(["x1", "x_1", "x_2"]);
  expect([...scope.called.values()]).toEqual([called("x", "cotangent"), called("x", "cotangent")]);
});

test("an author's names are not read as the compiler's", () => {
  const text = `
def f (ySaved : [R]) (size1 : R) : R =
  let rowsKept = map (\\v. sin v * 2) ySaved in
  let roomAt = foldl (\\accSaved v. accSaved * v + sin accSaved) 1 rowsKept in
  roomAt * size1 + roomAt`;
  const compiled = compile({ name: "model.lam", text }, { stage: "adjoint", target: "ts" });
  const code = compiled.ok ? compiled.value.code : "";
  expect(code.slice(code.indexOf("fGrad("), code.indexOf("\n}\n", code.indexOf("fGrad(")))).toMatchInlineSnapshot(`
    "fGrad(
      ySaved: ArrayLike<number>,
      size1: number,
      buffers?: { readonly ySaved: Float64Array; readonly size1: number },
    ): {
      readonly value: number;
      readonly grad: { readonly ySaved: Float64Array; readonly size1: number };
    } {
      const ySaved1 = acceptNumbers(ySaved, "fGrad: ySaved");
      checkNumber(size1, "fGrad: size1");
      const earlier = buffers && earlierArrays(buffers, { ySaved: ySaved1 });
      const n = ySaved1.length;
      const accSavedSaved = earlier ? earlier.ySaved : new Float64Array(n);
      // v1 of each iteration, for the reverse sweep
      const v1Saved = workArray(n);
      let accSaved = 1;
      for (let i = 0; i < n; i++) {
        accSavedSaved[i] = accSaved;
        const v1 = Math.sin(ySaved1[i]!) * 2;
        v1Saved[i] = v1;
        accSaved = accSaved * v1 + Math.sin(accSaved);
      }
      let accSaved_ = 1 + size1;
      const ySaved_ = accSavedSaved;
      for (let i = n - 1; i >= 0; i--) {
        const accSaved = accSavedSaved[i]!;
        const v = ySaved1[i]!;
        const v1 = v1Saved[i]!;
        ySaved_[i] = accSaved_ * accSaved * 2 * Math.cos(v);
        accSaved_ = accSaved_ * Math.cos(accSaved) + accSaved_ * v1;
      }
      return {
        value: accSaved * size1 + accSaved,
        grad: { ySaved: ySaved_, size1: accSaved },
      };"
  `);
});
