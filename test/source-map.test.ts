// Source maps: where each line of an emitted module is said to be from.

import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { decodedMappings, eachMapping, originalPositionFor, TraceMap } from "@jridgewell/trace-mapping";
import { describe, expect, test } from "vitest";
import { compile, type CompiledModule, type CompileOptions } from "../src/index.js";
import type { SourceFile } from "../src/syntax/source.js";
import { linesOf, sharesOf } from "./support/source-maps.js";

const examples = new URL("../examples", import.meta.url).pathname;
const fixtures = new URL("../fixtures", import.meta.url).pathname;

function compiled(source: SourceFile, options: CompileOptions): CompiledModule & { readonly map: string } {
  const result = compile(source, { load: read, ...options });
  if (!result.ok) throw new Error(`${source.name}: ${result.diagnostics[0]?.title ?? ""}`);
  return { ...result.value, map: result.value.map ?? "" };
}

function read(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

/** The models of a folder, and of those in it. */
function modelsIn(folder: string): readonly SourceFile[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".lam"))
    .sort()
    .map((name) => ({ name: join(folder, name), text: readFileSync(join(folder, name), "utf8") }));
}

describe("source maps", () => {
  test("what each token of a small model comes to", () => {
    const text = [
      "def scale : R = 2",
      "",
      "def loss (x : R) (y : R) : R =",
      "  let far = x * y in",
      "  let near = sin far in",
      "  near + scale * x",
      "",
    ].join("\n");
    const { code, map } = compiled({ name: "models/m.lam", text }, { target: "js", sourceMap: true });
    const [emitted, model] = [code.split("\n"), text.split("\n")];
    const trace = new TraceMap(map);
    expect(trace.sources).toEqual(["models/m.lam"]);
    expect(trace.sourcesContent).toEqual([text]);
    const found: string[] = [];
    eachMapping(trace, ({ generatedLine, generatedColumn, originalLine, originalColumn, name }) => {
      const from = (emitted[generatedLine - 1] ?? "").slice(generatedColumn, generatedColumn + 34);
      const to = originalLine === null ? "nothing" : (model[originalLine - 1] ?? "").slice(originalColumn, originalColumn + 14); // prettier-ignore
      found.push(`${from} <- ${to}${name === null ? "" : ` (${name})`}`);
    });
    expect(found.slice(found.indexOf("export function lossVjp(x, y) { <- loss (x : R) ("))).toMatchInlineSnapshot(`
      [
        "export function lossVjp(x, y) { <- loss (x : R) (",
        "lossVjp(x, y) { <- loss (x : R) ( (loss)",
        "checkNumber(x, "lossVjp: x"); <- loss (x : R) (",
        "checkNumber(y, "lossVjp: y"); <- loss (x : R) (",
        "const far = x * y; <- x * y in",
        "far = x * y; <- far = x * y in (far)",
        "return { <- near + scale *",
        "value: Math.sin(far) + 2 * x, <- near + scale *",
        "pullback: (cotangent) => { <- near + scale *",
        "checkNumber(cotangent, "lossVjp: c <- loss (x : R) (",
        "const far_ = cotangent * Math.cos( <- sin far in",
        "return { x: cotangent * 2 + far_ * <- scale * x",
        "}, <- near + scale *",
        "}; <- near + scale *",
        "} <- loss (x : R) (",
        "/** Value of \`loss\`, and its gradi <- nothing",
        "export function lossGrad(x, y) { <- loss (x : R) (",
        "lossGrad(x, y) { <- loss (x : R) ( (loss)",
        "checkNumber(x, "lossGrad: x"); <- loss (x : R) (",
        "checkNumber(y, "lossGrad: y"); <- loss (x : R) (",
        "const far = x * y; <- x * y in",
        "far = x * y; <- far = x * y in (far)",
        "const far_ = Math.cos(far); <- x * y in",
        "return { <- near + scale *",
        "value: Math.sin(far) + 2 * x, <- near + scale *",
        "grad: { x: 2 + far_ * y, y: far_ * <- near + scale *",
        "}; <- near + scale *",
        "} <- loss (x : R) (",
        "let scale2Value; <- nothing",
      ]
    `);
  });

  test("the code is the same as without a map, in every stage", () => {
    const [source = { name: "", text: "" }] = modelsIn(join(fixtures, "models"));
    for (const stage of ["primal", "d1", "d2", "tape", "contrib", "delta-let", "parallel", "forward"] as const) {
      const { code, map } = compiled(source, { stage, sourceMap: true });
      expect(code).toBe(compiled(source, { stage }).code);
      const { mapped } = sharesOf(code, map);
      expect(mapped, stage).toBeGreaterThan(0.9);
    }
  });

  test("lines of the examples are from what they compute", { timeout: 300_000 }, () => {
    // Of those that use the library one: they are its code for the most part
    const models = modelsIn(examples).filter(({ name }) => !/published.(?!probit)/.test(name));
    const all = models.flatMap((source) => {
      const { code, map } = compiled(source, { sourceMap: true });
      expect(code, source.name).toBe(compiled(source, {}).code);
      return linesOf(code, map);
    });
    const share = (lines: readonly unknown[]): number => lines.length / all.length;
    expect(all.length).toBeGreaterThan(5_000);
    // What is from the name of a definition checks arguments, or lays out what is given
    expect(share(all.filter(({ kind }) => kind !== "nowhere"))).toBeGreaterThan(0.97);
    expect(share(all.filter(({ kind }) => kind === "expression"))).toBeGreaterThan(0.8);
    expect(share(all.filter(({ isInside }) => isInside))).toBeGreaterThan(0.9);
  });

  test("what is imported is mapped, too, with files of the library", () => {
    const lib = "def twice (x : R) : R =\n  let y = exp x in\n  x * y + sin y\n";
    const text =
      'import "./lib.lam" (twice)\nimport "std/solve.lam" (root)\n\ndef f (a : R) : R = root (\\x. twice x - a) 1\n';
    const load = (path: string): string | null => (path === "lib.lam" ? lib : null);
    const sourceName = (file: string): string => `../models/${file}`;
    const { code, map } = compiled({ name: "m.lam", text }, { load, sourceMap: { file: "m.grad.ts", sourceName } });
    const trace = new TraceMap(map);
    expect(trace.file).toBe("m.grad.ts");
    expect([...trace.sources].sort()).toEqual(["../models/lib.lam", "../models/m.lam", "dualrev:///std/solve.lam"]);
    expect(trace.sourcesContent).toContain(lib);
    expect(code.trimEnd().split("\n").at(-1)).toBe("//# sourceMappingURL=m.grad.ts.map");
  });

  test.each(["adjoint", "tape"] as const)(
    "a call of a function of the caller's is from where it stands, in %s",
    (stage) => {
      const text = `extern def outside (x : R) : R from "./o.js"

extern def slope (x : R) : R from "./o.js"

rule derivative outside x dx =
  slope x * dx

def named (x : R) : R =
  let y =
    x * 2 in
  sin x + outside y

def nested (x : R) : R =
  outside
    (x * 2)
`;
      const { code, map } = compiled({ name: "m.lam", text }, { sourceMap: true, stage });
      const trace = new TraceMap(map);
      const found = code.split("\n").flatMap((line, row) => {
        const column = line.search(/\S/);
        const [, name] = /[=n] (outside|slope)Extern\d*\(/.exec(line) ?? [];
        if (name === undefined) return [];
        const at = originalPositionFor(trace, { line: row + 1, column });
        return at.line === null ? [] : [`${name} ${at.line}:${at.column + 1}`];
      });
      expect([...new Set(found)].sort()).toEqual(["outside 11:11", "outside 14:3", "slope 6:3"]);
    },
  );

  test("what comes with the runtime is mapped to nothing, for readers too that carry a mapping over the lines that follow", () => {
    const text =
      'def third (xs : [R]) : R = xs ! 2\n\ndef logOf (x : R) : R = if x > 0 then log x else fail "not positive"\n';
    const { code, map } = compiled({ name: "m.lam", text }, { target: "js", sourceMap: { file: "m.js" } });
    const segments = decodedMappings(new TraceMap(map));
    const lines = code.split("\n");
    // As Node reads them: the last segment that stands before
    const carried = lines.map(
      (_, row) =>
        segments
          .slice(0, row + 1)
          .flat()
          .at(-1)?.[1] ?? null,
    );
    const runtime = lines.findIndex((line) => line.startsWith("function outside"));
    const last = lines.findLastIndex((line) => line === "}");
    expect(last).toBeGreaterThan(runtime);
    expect(carried.slice(runtime, last + 1).filter((source) => source !== null)).toEqual([]);
    expect(carried.slice(0, runtime)).toContain(0);
  });

  test("a module with a name is the source of what comes with the runtime", () => {
    const text = "def third (xs : [R]) : R = xs ! 2\n";
    const { code, map } = compiled({ name: "m.lam", text }, { target: "js", sourceMap: { moduleName: "m.lam.js" } });
    const trace = new TraceMap(map);
    expect([...trace.sources].sort()).toEqual(["m.lam", "m.lam.js"]);
    const own = trace.sources.indexOf("m.lam.js");
    expect(trace.sourcesContent?.[own]).toBe(code);
    expect(JSON.parse(map)).toMatchObject({ ignoreList: [own] });
    const lines = code.split("\n");
    const sourcesAt = decodedMappings(trace).map((segments) => segments[0]?.[1] ?? null);
    const [helper, model] = ["function outside", "export function third("].map((start) => lines.findIndex((line) => line.startsWith(start))); // prettier-ignore
    expect([sourcesAt[helper ?? -1], sourcesAt[model ?? -1]]).toEqual([own, 1 - own]);
    // Each line that is not empty is from somewhere, and those of the runtime from themselves
    expect(lines.filter((line, row) => line !== "" && sourcesAt[row] === null)).toEqual([]);
    expect(decodedMappings(trace)[(helper ?? -1) + 1]).toEqual([[0, own, (helper ?? -1) + 1, 0]]);
  });

  test("without the option there is no map", () => {
    const { map } = compiled({ name: basename("m.lam"), text: "def f (x : R) : R = x\n" }, {});
    expect(map).toBe("");
  });
});
