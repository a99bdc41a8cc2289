// Prints random trees: prettier leaves the text alone, and it parses.

import fc from "fast-check";
import prettier from "prettier";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { printDeclarationFile, printModule } from "../src/typescript/print-module.js";
import { randomModule } from "./random-typescript.js";

const runs = Number(process.env["DUALREV_RUNS"] ?? 60);

function syntaxErrors(text: string, fileName: string): readonly string[] {
  const { diagnostics = [] } = ts.transpileModule(text, { fileName, reportDiagnostics: true });
  return diagnostics.map((one) => ts.flattenDiagnosticMessageText(one.messageText, "\n"));
}

async function expectFormatted(text: string, parser: "typescript" | "babel"): Promise<void> {
  expect(await prettier.format(text, { parser })).toBe(text);
  expect(syntaxErrors(text, parser === "babel" ? "m.js" : "m.ts")).toEqual([]);
}

describe("random modules", () => {
  test("are left alone by prettier as TypeScript", async () => {
    await fc.assert(
      fc.asyncProperty(randomModule, async (module) => {
        await expectFormatted(printModule(module, "ts"), "typescript");
      }),
      { numRuns: runs },
    );
  });

  test("are left alone by prettier as JavaScript", async () => {
    await fc.assert(
      fc.asyncProperty(randomModule, async (module) => {
        await expectFormatted(printModule(module, "js"), "babel");
      }),
      { numRuns: runs },
    );
  });

  test("have declaration files that prettier leaves alone", async () => {
    await fc.assert(
      fc.asyncProperty(randomModule, async (module) => {
        await expectFormatted(printDeclarationFile(module), "typescript");
      }),
      { numRuns: runs },
    );
  });
});
