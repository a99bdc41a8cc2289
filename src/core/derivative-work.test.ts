import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { derivativeWork } from "./derivative-work.js";
import { opNames, primitive } from "./primitives.js";

test("literals have no derivative, and decide what partial derivatives are", () => {
  expect(derivativeWork("mul", [null, null])).toEqual({ jvp: 4, vjp: 5 });
  expect(derivativeWork("mul", [null, 2])).toEqual({ jvp: 2, vjp: 3 });
  expect(derivativeWork("sub", [null, null])).toEqual({ jvp: 2, vjp: 3 });
  expect(derivativeWork("neg", [null])).toEqual({ jvp: 2, vjp: 2 });
  expect(derivativeWork("div", [null, null])).toEqual({ jvp: 4, vjp: 5 });
  expect(derivativeWork("powInt", [null, 0])).toEqual({ jvp: 1, vjp: 1 });
  expect(derivativeWork("powInt", [null, 3])).toEqual({ jvp: 4, vjp: 5 });
  expect(derivativeWork("lt", [null, null])).toEqual({ jvp: 1, vjp: 1 });
});

/** A line of the table in docs/language.md for operations whose derivatives take as much. */
function lines(): readonly string[] {
  const groups = new Map<string, { readonly jvp: number; readonly vjp: number; readonly names: string[] }>();
  for (const op of opNames) {
    const { source, result, partials } = primitive(op);
    if (source === null || result !== "R" || partials.every((partial) => partial === null)) continue;
    const work = derivativeWork(op, []);
    const key = `${work.vjp} ${work.jvp}`;
    const group = groups.get(key) ?? { ...work, names: [] };
    groups.set(key, group);
    group.names.push(`\`${source}\``);
  }
  const sorted = [...groups.values()].sort((one, other) => one.vjp - other.vjp || one.jvp - other.jvp);
  return sorted.map(({ jvp, vjp, names }) => `| ${names.join(" ")} | ${jvp} | ${vjp} |`);
}

test("the table of the document is that of the primitives", () => {
  const text = readFileSync(new URL("../../docs/language.md", import.meta.url), "utf8").replace(/ {2,}/g, " ");
  for (const line of lines()) expect(text).toContain(line);
});
