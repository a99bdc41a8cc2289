// packages/unplugin: models as modules of a bundle, in the projects of examples/bundlers and with mistakes in them.

import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { eachMapping, TraceMap } from "@jridgewell/trace-mapping";
import { rspack } from "@rspack/core";
import { build as esbuild } from "esbuild";
import { rolldown } from "rolldown";
import { rollup } from "rollup";
import dualrev from "unplugin-dualrev";
import { build as vite, createServer, type Logger } from "vite";
import webpack from "webpack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { propertyOf } from "../src/driver/evaluate.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const examples = join(root, "examples/bundlers");
const scratch = mkdtempSync(join(tmpdir(), "dualrev-bundlers-"));
const own = (file: string): string => join(scratch, file);
const broken = `def loss (x : R) : R =\n  x + true\n`;

beforeAll(() => {
  cpSync(join(examples, "fit"), scratch, { recursive: true });
  writeFileSync(own("broken.lam"), broken);
  writeFileSync(own("broken.js"), 'export { loss } from "./broken.lam";\n');
});

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

interface Stats {
  toJson(options: object): { readonly errors?: readonly { readonly message: string }[] };
}

/** The errors of a run of webpack or Rspack. */
async function errorsOf(
  run: (done: (error: Error | null, stats?: Stats) => void) => unknown,
): Promise<readonly string[]> {
  return new Promise((done, fail) => {
    run((error, stats) => {
      if (error === null) done((stats?.toJson({}).errors ?? []).map(({ message }) => message));
      else fail(error);
    });
  });
}

/** What `npm run build` is in each example. */
const programs: readonly (readonly [string, ...(readonly string[])])[] = [
  ["vite", "node_modules/vite/bin/vite.js", "build"],
  ["rollup", "node_modules/rollup/dist/bin/rollup", "-c"],
  ["rolldown", "node_modules/rolldown/bin/cli.mjs", "-c"],
  ["esbuild", "examples/bundlers/esbuild/build.js"],
  ["webpack", "node_modules/webpack-cli/bin/cli.js"],
  ["rspack", "node_modules/@rspack/cli/bin/rspack.js", "build"],
];

describe("the example for", () => {
  test.each(programs)("%s fits the curve, and its map has the lines of the models", (bundler, program, ...args) => {
    execFileSync(process.execPath, [join(root, program), ...args], { cwd: join(examples, bundler), stdio: "pipe" });
    const file = join(examples, bundler, "dist/main.js");
    expect(execFileSync(process.execPath, [file], { encoding: "utf8" })).toBe("start 3.000, rate 0.500\n");
    const map = new TraceMap(readFileSync(`${file}.map`, "utf8"));
    const lines = new Set<string>();
    eachMapping(map, ({ source, originalLine }) =>
      lines.add(`${source?.split("/").at(-1) ?? ""}:${String(originalLine)}`),
    );
    expect([...lines]).toEqual(expect.arrayContaining(["model.lam:8", "shapes.lam:2", "main.js:9"]));
    // The working directory is beside that of the model
    expect(map.sources.filter((source) => /runtime\/_\/fit\/model\.lam\.js$/.test(source ?? ""))).toHaveLength(1);
  });
});

test("the types beside a model are those of its module", () => {
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [tsc, "-p", join(examples, "fit")], { stdio: "pipe" });
  expect(readFileSync(join(examples, "fit/model.lam.d.ts"), "utf8")).toContain("export declare function lossGrad(");
});

test("types of one's own beside a model stay", async () => {
  const [input, mine] = [own("own.js"), "export declare function loss(x: number): number;\n"];
  writeFileSync(own("own.lam"), "def loss (x : R) : R = x * x\n");
  writeFileSync(own("own.lam.d.ts"), mine);
  writeFileSync(input, 'export { loss } from "./own.lam";\n');
  const warnings: string[] = [];
  await rollup({ input, plugins: [dualrev.rollup()], onwarn: ({ message }) => warnings.push(message) });
  expect(warnings.join()).toContain("own.lam.d.ts has not been written by dualrev, and stays");
  expect(readFileSync(own("own.lam.d.ts"), "utf8")).toBe(mine);
});

describe("a mistake is told with its place by", () => {
  const input = own("broken.js");
  const place = { line: 2, column: 6 };

  test("rollup and rolldown", async () => {
    await expect(rollup({ input, plugins: [dualrev.rollup()] })).rejects.toMatchObject({ loc: place });
    const bundle = await rolldown({ input, plugins: [dualrev.rolldown()] });
    await expect(bundle.generate()).rejects.toThrow("broken.lam:2:7");
  });

  test("vite", async () => {
    const built = vite({ configFile: false, root: scratch, logLevel: "silent", plugins: [dualrev.vite()], build: { write: false, rolldownOptions: { input } } }); // prettier-ignore
    await expect(built).rejects.toThrow("broken.lam:2:7");
  });

  test("vite's server, which shows the lines of the model beside the message", async () => {
    const server = await createServer({ configFile: false, root: scratch, logLevel: "silent", plugins: [dualrev.vite({ declarations: false })], server: { middlewareMode: { server: createHttpServer() } }, appType: "custom" }); // prettier-ignore
    try {
      const failed: unknown = await server.transformRequest("/broken.lam").catch((error: unknown) => error);
      const [message, frame] = [String(propertyOf(failed, "message")), String(propertyOf(failed, "frame"))];
      expect(message).toMatch(/^error\[E0\d+\]: /);
      expect(message).not.toContain(" | ");
      expect(frame).toMatch(/broken\.lam:2:7\n +\|\n2 \| {3}x \+ true\n/);
      expect(frame).toContain("^");
    } finally {
      await server.close();
    }
  });

  test("vite, as are its warnings, and the mistakes after the first", async () => {
    const logs: string[] = [];
    const keep = (text: string): void => void logs.push(text);
    const customLogger: Logger = { info: keep, warn: keep, warnOnce: keep, error: keep, clearScreen: () => undefined, hasErrorLogged: () => false, hasWarned: false }; // prettier-ignore
    const text = "def f (x : R) : R = x + true\ndef g (x : R) : R = y\ndef h (x : R) : R = z\n";
    writeFileSync(own("several.lam"), text);
    writeFileSync(own("unused.lam"), "def f (x : R) (y : R) : R = x\n");
    const built = (file: string): Promise<unknown> => vite({ configFile: false, root: scratch, customLogger, plugins: [dualrev.vite({ declarations: false })], build: { write: false, rolldownOptions: { input: own(file) } } }); // prettier-ignore
    await expect(built("several.lam")).rejects.toThrow(/3 errors: the others stand among the warnings/);
    await built("unused.lam");
    const said = logs.join("\n");
    expect(said).toMatch(/E0201.*\n --> .*several\.lam:2:21\n {2}\|\n2 \| def g/);
    expect(said).toMatch(/E0201.*\n --> .*several\.lam:3:21\n/);
    expect(said).toMatch(/W0101.*\n --> .*unused\.lam:1:16\n {2}\|\n1 \| def f/);
  });

  test("esbuild", async () => {
    const built = esbuild({ entryPoints: [input], write: false, bundle: true, logLevel: "silent", plugins: [dualrev.esbuild()] }); // prettier-ignore
    const location = { line: 2, column: 6, length: 4, lineText: "  x + true" };
    await expect(built).rejects.toMatchObject({ errors: [{ location, detail: { code: "E0301" } }] });
  });

  test("webpack and rspack", async () => {
    const options = { mode: "development", entry: input, output: { path: own("out") } } as const;
    expect(await errorsOf((done) => webpack({ ...options, plugins: [dualrev.webpack()] }, done))).toEqual([expect.stringContaining("broken.lam:2:7")]); // prettier-ignore
    expect(await errorsOf((done) => rspack({ ...options, plugins: [dualrev.rspack()] }, done))).toEqual([expect.stringContaining("broken.lam:2:7")]); // prettier-ignore
  });
});

test("files of the library are in a bundle's map as files of the compiler's package", async () => {
  writeFileSync(own("root.lam"), 'import "std/solve.lam" (root)\n\ndef f (a : R) : R = root (\\x. x * x - a) 1\n');
  writeFileSync(own("root.js"), 'export { f } from "./root.lam";\n');
  const input = own("root.js");
  const output = { dir: own("out/js"), sourcemap: true } as const;
  const [one, other] = [
    await rollup({ input, plugins: [dualrev.rollup({ declarations: false })] }),
    await rolldown({ input, plugins: [dualrev.rolldown({ declarations: false })] }),
  ];
  const made = [await one.generate(output), await other.generate(output)];
  for (const {
    output: [{ map }],
  } of made) {
    expect(map?.sources.some((source) => source.includes(":"))).toBe(false);
    expect(map?.sources.map((source) => resolve(own("out/js"), source))).toContain(join(root, "std/solve.lam"));
  }
});

describe("what comes with the runtime is no line of the model, but its own, in bundles of", () => {
  const input = (): string => own("third.js");
  const out = (name: string): string => own(`out/${name}/main.mjs`);
  const [text, last] = [
    "def third (xs : [R]) : R = xs ! 2\n",
    "try { third([1]); } catch (e) { console.log(e.stack); }",
  ];
  beforeAll(() => {
    writeFileSync(own("third.lam"), text);
    writeFileSync(input(), `import { third } from "./third.lam";\n${last}\n`);
  });

  const builds: readonly (readonly [string, (file: string) => Promise<unknown>])[] = [
    ["esbuild", async (outfile) => esbuild({ entryPoints: [input()], bundle: true, outfile, format: "esm", sourcemap: true, plugins: [dualrev.esbuild({ declarations: false })] })], // prettier-ignore
    ["esbuild, minified", async (outfile) => esbuild({ entryPoints: [input()], bundle: true, outfile, format: "esm", minify: true, keepNames: true, sourcemap: true, plugins: [dualrev.esbuild({ declarations: false })] })], // prettier-ignore
    ["rollup", async (file) => (await rollup({ input: input(), plugins: [dualrev.rollup({ declarations: false })] })).write({ file, sourcemap: true })], // prettier-ignore
    ["rolldown", async (file) => (await rolldown({ input: input(), plugins: [dualrev.rolldown({ declarations: false })] })).write({ file, sourcemap: true })], // prettier-ignore
    ["vite", async (file) => vite({ configFile: false, root: scratch, logLevel: "silent", plugins: [dualrev.vite({ declarations: false })], build: { outDir: dirname(file), emptyOutDir: false, minify: false, sourcemap: true, rolldownOptions: { input: input(), output: { entryFileNames: "main.mjs" } } } })], // prettier-ignore
  ];
  test.each(builds)("%s", async (name, build) => {
    const file = out(name);
    await build(file);
    const stack = execFileSync(process.execPath, ["--enable-source-maps", file], { encoding: "utf8" });
    expect(stack.match(/^ +at .*third\.lam:.*$/gm)).toEqual([expect.stringContaining("third.lam:1:28")]);
    const line = Number(/^ +at outside .*[/\\]runtime[/\\].*third\.lam\.js:(\d+):\d+\)$/m.exec(stack)?.[1]);
    const { sources, sourcesContent } = new TraceMap(readFileSync(`${file}.map`, "utf8"));
    const module = sourcesContent?.[sources.findIndex((source) => source?.endsWith("third.lam.js"))] ?? "";
    const begun = module.split("\n").slice(0, line).filter((each) => /^(?:export )?function/.test(each)); // prettier-ignore
    expect(begun.at(-1)).toMatch(/^function outside\(/);
  });
});

test("vite's server takes a model again after what it imports has changed", async () => {
  const server = await createServer({ configFile: false, root: scratch, logLevel: "silent", plugins: [dualrev.vite({ declarations: false })], server: { middlewareMode: { server: createHttpServer() } }, appType: "custom" }); // prettier-ignore
  try {
    const code = async (): Promise<string> => (await server.transformRequest("/model.lam"))?.code ?? "";
    // As a page does
    await server.transformRequest("/main.js");
    expect(await code()).not.toContain("Math.sin");
    writeFileSync(own("shapes.lam"), "def decay (rate : R) (t : R) : R = sin (rate * t)\n");
    server.watcher.emit("change", own("shapes.lam"));
    await expect.poll(code, { timeout: 10_000 }).toContain("Math.sin");
  } finally {
    await server.close();
  }
});
