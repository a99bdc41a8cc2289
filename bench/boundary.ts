// npm run bench:boundary: what arguments of several kinds cost where they come into a module, as docs/performance.md shows it. The module is written to a
// folder and imported, as a program would; medians of many calls, each kind in turn.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { compile } from "../src/index.js";
import { duration, printTable } from "./table.js";

const model = `
def flat (xs : [R]) : R = sum (map (\\x. x * x) xs)
def rows (xs : [[R]]) : R = sum (map (\\row. sum (map (\\x. x * x) row)) xs)
`;

type Loss = (xs: unknown, buffers?: unknown) => unknown;

const compiled = compile({ name: "boundary.lam", text: model }, { target: "js" });
if (!compiled.ok) throw new Error("the model does not compile");
const folder = mkdtempSync(join(tmpdir(), "dualrev-"));
const file = join(folder, "boundary.mjs");
writeFileSync(file, compiled.value.code);
const loaded: unknown = await import(pathToFileURL(file).href);
rmSync(folder, { recursive: true });

function functionNamed(name: string): Loss {
  const found = propertyOf(loaded, name);
  if (typeof found !== "function") throw new Error(`no ${name}`);
  return (...args): unknown => Reflect.apply(found, undefined, args);
}

function propertyOf(object: unknown, name: string): unknown {
  return typeof object === "object" && object !== null ? Reflect.get(object, name) : undefined;
}

const number = (i: number): number => i * 0.25 + 0.5;
const list = (size: number): number[] => Array.from({ length: size }, (_, i) => number(i));
const inRows = <Row>(count: number, row: () => Row): Row[] => Array.from({ length: count }, row);

const kinds: readonly (readonly [name: string, loss: "flat" | "rows", make: (size: number) => unknown])[] = [
  ["`Float64Array`", "flat", (size) => Float64Array.from(list(size))],
  ["`number[]`", "flat", list],
  ["`Float32Array`", "flat", (size) => Float32Array.from(list(size))],
  ["rows of three, `Float64Array[]`", "rows", (size) => inRows(size / 3, () => Float64Array.from(list(3)))],
  ["rows of three, `number[][]`", "rows", (size) => inRows(size / 3, () => list(3))],
  ["rows of a thousand, `Float64Array[]`", "rows", (size) => inRows(size / 1000, () => Float64Array.from(list(1000)))],
  ["rows of a thousand, `number[][]`", "rows", (size) => inRows(size / 1000, () => list(1000))],
];

/** The median duration of a call, in nanoseconds. */
function median(call: () => unknown): number {
  const times: number[] = [];
  const end = performance.now() + 600;
  for (let i = 0; i < 20 || performance.now() < end; i++) {
    const start = performance.now();
    for (let k = 0; k < 4; k++) call();
    times.push((performance.now() - start) / 4);
  }
  times.sort((one, other) => one - other);
  return (times[Math.floor(times.length / 2)] ?? NaN) * 1e6;
}

for (const size of [30, 3000, 300_000]) {
  const rows = kinds
    .filter(([name]) => size >= 3000 || !name.includes("thousand"))
    .map(([name, loss, make]) => {
      const argument = make(size);
      const value = functionNamed(loss);
      const gradient = functionNamed(`${loss}Grad`);
      const earlier = propertyOf(gradient(argument), "grad");
      return [
        name,
        duration(median(() => value(argument))),
        duration(median(() => gradient(argument))),
        duration(median(() => gradient(argument, earlier))),
      ];
    });
  printTable(`${size} numbers`, ["", "value", "gradient", "handed back"], rows);
}
