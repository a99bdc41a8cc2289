// Files that hold what the compiler is known to give. They are read before they are accepted: `DUALREV_UPDATE=1` writes them anew.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect } from "vitest";

const updates = process.env["DUALREV_UPDATE"] === "1";

/** Expects a text to be what the file holds. */
export function expectGolden(path: string, text: string): void {
  if (updates) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const known = existsSync(path) ? readFileSync(path, "utf8") : "(there is no such file; DUALREV_UPDATE=1 writes it)";
  expect(text, path).toBe(known);
}
