// Imports point one way: what ARCHITECTURE.md says of the layers of `src/`, and that no two files need each other.

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

/** The layers in their order: the quotation of ARCHITECTURE.md. */
function layersInOrder(): readonly string[] {
  const text = readFileSync(join(root, "ARCHITECTURE.md"), "utf8");
  const quoted = text.split("\n").filter((line) => line.startsWith("> "));
  return [...quoted.join(" ").matchAll(/`([a-z-]+)`/g)].map(([, layer = ""]) => layer);
}

const layerOf = (file: string): string | null => (file.includes("/") ? file.slice(0, file.indexOf("/")) : null);

test("the order names every layer once", () => {
  const found = new Set([...imports.keys()].map(layerOf).filter((layer) => layer !== null));
  expect([...layersInOrder()].sort()).toEqual([...found].sort());
});

test("the files that the table of families names are there", () => {
  const table = /^\| family[^]*?\n\n/m.exec(readFileSync(join(root, "ARCHITECTURE.md"), "utf8"))?.[0] ?? "";
  const named = [...table.matchAll(/`(flat|adjoint)\/([^|]*)`/g)].flatMap(([, folder = "", names = ""]) =>
    names.split("`, `").map((name) => `${folder}/${name.replace(`${folder}/`, "")}.ts`),
  );
  expect(named.length).toBeGreaterThan(30);
  const exists = (name: string): boolean =>
    [...imports.keys()].some((file) => new RegExp(`^${name.replace("*", ".*")}$`).test(file));
  expect(named.filter((name) => !exists(name))).toEqual([]);
});

test("each layer uses those before it, not those after it", () => {
  const order = layersInOrder();
  const place = (file: string): number => {
    if (file === "index.ts") return order.length;
    const layer = layerOf(file);
    return layer === null ? -1 : order.indexOf(layer);
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
