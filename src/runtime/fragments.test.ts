import { execFileSync } from "node:child_process";
import prettier from "prettier";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { embeddedDeclarations } from "./embedded.js";
import { fragmentName, fragmentsFor, isFragment } from "./fragments.js";

const references = (wanted: readonly string[], counted = false): readonly string[] =>
  fragmentsFor(wanted, { counted }).map((fragment) => fragment.reference);

describe("fragmentsFor", () => {
  test("gives what is needed first, each once", () => {
    expect(references(["numbers.softplus", "numbers.erf", "numbers.softplus"])).toEqual([
      "numbers.erfCoefficients",
      "numbers.polynomial",
      "numbers.erfcCoefficients",
      "numbers.tailCoefficients",
      "numbers.tailOfErf",
      "numbers.erf",
      "numbers.root512",
      "numbers.powersOfTwo",
      "numbers.exp",
      "numbers.softplus",
    ]);
  });

  test("does not depend on the order in which references come", () => {
    expect(references(["numbers.lgamma", "numbers.addInt"])).toEqual(references(["numbers.addInt", "numbers.lgamma"]));
  });

  test("counts only where counting is asked for", () => {
    const texts = (counted: boolean): string =>
      fragmentsFor(["d2.sResolve"], { counted })
        .map((fragment) => fragment.ts)
        .join("\n\n");
    expect(texts(true)).toContain("cost.backpropagators += 1;");
    expect(texts(false)).not.toContain("cost");
    expect(references(["d2.sResolve"], true)).toContain("cost.cost");
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

  test("the fragments of each file are a strict module, with and without counting", () => {
    const files = new Map<string, string[]>();
    for (const { reference } of embeddedDeclarations) {
      const [file = ""] = reference.split(".");
      files.set(file, [...(files.get(file) ?? []), reference]);
    }
    const texts = new Map<string, string>();
    for (const [file, wanted] of files) {
      for (const counted of [false, true]) {
        const fragments = fragmentsFor(wanted, { counted }).map((fragment) => fragment.ts);
        texts.set(`/${counted ? "counted" : "plain"}/${file}.ts`, [...fragments, "export {};"].join("\n"));
      }
    }
    expect(mistakesIn(texts)).toEqual([]);
  });

  test("no text is exported, and no counting mark is left", () => {
    for (const { plain, counted } of embeddedDeclarations) {
      for (const text of counted === null ? [plain] : [plain, counted]) {
        expect(text.ts + text.js).not.toMatch(/^export |\/\/ cost$/m);
      }
    }
  });
});

/** What TypeScript says of modules, under the settings that emitted modules promise to compile with. */
function mistakesIn(texts: ReadonlyMap<string, string>): readonly string[] {
  const options: ts.CompilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    isolatedModules: true,
    noEmit: true,
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...texts.keys()], options, {
    ...host,
    fileExists: (file) => texts.has(file) || host.fileExists(file),
    readFile: (file) => texts.get(file) ?? host.readFile(file),
    getSourceFile: (file, version) => {
      const text = texts.get(file);
      return text === undefined ? host.getSourceFile(file, version) : ts.createSourceFile(file, text, version);
    },
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map((one) => `${one.file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(one.messageText, "\n")}`);
}
