// Imports point one way: what ARCHITECTURE.md says of the rooms of `src/`, and that no two files need each other.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { components } from "../src/components.js";

const root = join(import.meta.dirname, "..");

/** The files of `src/` without tests, each with those that it imports, also where it only needs types of them. */
const imports: ReadonlyMap<string, readonly string[]> = new Map(
  readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => [file, importsOf(file)]),
);

function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, "src", file), "utf8"));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => normalize(join(dirname(file), fileName)).replace(/\.js$/, ".ts"));
}

/** The rooms in their order: the quotation of ARCHITECTURE.md. */
function roomsInOrder(): readonly string[] {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const quoted = text.split("\n").filter((line) => line.startsWith("> "));
  return [...quoted.join(" ").matchAll(/`([a-z-]+)`/g)].map(([, room = ""]) => room);
}

const roomOf = (file: string): string | null => (file.includes("/") ? file.slice(0, file.indexOf("/")) : null);

test("the order names every room once", () => {
  const found = new Set([...imports.keys()].map(roomOf).filter((room) => room !== null));
  expect([...roomsInOrder()].sort()).toEqual([...found].sort());
});

test("each room uses those before it, not those after it", () => {
  const order = roomsInOrder();
  const place = (file: string): number => {
    if (file === "index.ts") return order.length;
    const room = roomOf(file);
    return room === null ? -1 : order.indexOf(room);
  };
  const backwards = [...imports].flatMap(([file, used]) =>
    used.filter((other) => place(other) > place(file)).map((other) => `${file} uses ${other}`),
  );
  expect(backwards).toEqual([]);
});

test("no two files need each other, also by way of others", () => {
  const files = [...imports.keys()];
  const circles = components(files, (file) => imports.get(file) ?? []).filter((group) => group.length > 1);
  expect(circles).toEqual([]);
});
