import { expect, test } from "vitest";
import { compile } from "../driver/compile.js";

/** How a search gets from `i` to the next one, which may be one of two: by plain arithmetic, or by functions that check it. */
function stepOf(start: string, next: string, otherwise = next): string {
  const text = `def search (n : Z) (x : R) : R =
    let rec go i acc =
      if acc > 1e9 then toReal i * acc
      else if acc > 10 then go (${next}) (acc * acc + x)
      else go (${otherwise}) (acc * acc)
    in go (${start}) 2`;
  const result = compile({ name: "m.lam", text }, { stage: "adjoint", wrt: ["search.x"] });
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  const value = result.value.code.slice(0, result.value.code.indexOf("searchVjp"));
  return /(?:addInt|subInt)\(/.test(value) ? "checked" : "plain";
}

test("a number that goes up or down by one from near zero stays among the safe integers, however many rounds there are", () => {
  expect(stepOf("0", "i + 1")).toBe("plain");
  expect(stepOf("0", "i - 1")).toBe("plain");
  expect(stepOf("mod n 1000", "i + 1")).toBe("plain");
  expect(stepOf("0", "i + 1", "i")).toBe("plain");
  expect(stepOf("0", "i - 1", "i")).toBe("plain");
});

test("one that may start far off, or goes faster, or up and down, need not", () => {
  expect(stepOf("n", "i + 1")).toBe("checked");
  expect(stepOf("n", "i - 1")).toBe("checked");
  expect(stepOf("0", "i + 2")).toBe("checked");
  expect(stepOf("0", "i - 2")).toBe("checked");
  expect(stepOf("0", "i + 2", "i + 1")).toBe("checked");
  expect(stepOf("0", "i - 2", "i - 1")).toBe("checked");
  expect(stepOf("0", "i + 1", "i - 1")).toBe("checked");
});
