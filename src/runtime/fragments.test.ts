import { execFileSync } from "node:child_process";
import prettier from "prettier";
import { describe, expect, test } from "vitest";
import { embeddedDeclarations } from "./embedded.js";
import { fragmentName, fragmentsFor, isFragment } from "./fragments.js";

const references = (wanted: readonly string[], counted = false): readonly string[] =>
  fragmentsFor(wanted, { counted }).map((fragment) => fragment.reference);

describe("fragmentsFor", () => {
  test("gives what is needed first, each once", () => {
    expect(references(["numbers.softplus", "numbers.erf", "numbers.softplus"])).toEqual([
      "numbers.erfCoefficients",
      "numbers.erfcCoefficients",
      "numbers.polynomial",
      "numbers.erf",
      "numbers.softplus",
    ]);
  });

  test("does not depend on the order in which references come", () => {
    expect(references(["numbers.lgamma", "numbers.addInt"])).toEqual(references(["numbers.addInt", "numbers.lgamma"]));
  });

  test("rejects what the runtime does not have", () => {
    expect(() => references(["numbers.nothing"])).toThrow("fragments: the runtime has no numbers.nothing");
    expect(isFragment("numbers.nothing")).toBe(false);
    expect(isFragment("numbers.erf")).toBe(true);
  });

  test("a reference ends in the declaration's name", () => {
    expect(fragmentName("numbers.erf")).toBe("erf");
  });
});

describe("embedded.ts", () => {
  test("is what scripts/embed.mjs makes", () => {
    expect(() => execFileSync(process.execPath, ["scripts/embed.mjs", "--check"], { stdio: "pipe" })).not.toThrow();
  });

  test("prettier leaves every text alone", async () => {
    for (const { reference, plain, counted } of embeddedDeclarations) {
      for (const text of counted === null ? [plain] : [plain, counted]) {
        const asTs = await prettier.format(text.ts, { parser: "typescript" });
        const asJs = text.js === "" ? "" : await prettier.format(text.js, { parser: "babel" });
        expect([reference, asTs.trimEnd(), asJs.trimEnd()]).toEqual([reference, text.ts, text.js]);
      }
    }
  });

  test("no text is exported, and no counting mark is left", () => {
    for (const { plain, counted } of embeddedDeclarations) {
      for (const text of counted === null ? [plain] : [plain, counted]) {
        expect(text.ts + text.js).not.toMatch(/^export |\/\/ cost$/m);
      }
    }
  });
});
