// What `compile --threads` writes, as TypeScript in a bundle: of every bundler the bits of Node's pool, in Chromium and in Node, by the configuration that
// docs/parallel.md names.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build as esbuild, transform } from "esbuild";
import { rollup, type Plugin } from "rollup";
import { build as vite, createServer } from "vite";
import webpack from "webpack";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { functionOf, propertyOf } from "../src/driver/evaluate.js";
import { Chromium, isolated } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

const model = `data Curve = Curve { a : R, b : R }

def loss (c : Curve) (xs : [R]) (ys : [R]) : R =
  parSum (\\(x, y). let e = c.a * x / (1 + c.b * x) - y in sqrt (1 + e * e) - 1) (zip xs ys)
`;

const curve = { a: 1, b: 0.5 };
const xs = Array.from({ length: 500 }, (_, i) => i / 1000);
const ys = xs.map((x) => 2 * x);

/** A program of a page and of Node. */
const main = `import { openLossPool, type LossPool } from "./gen/m.grad.js";

async function found(threads: number): Promise<unknown> {
  const pool: LossPool = await openLossPool({ threads, minWork: 100 });
  const { value, grad } = await pool.lossGrad(${JSON.stringify(curve)}, pool.share(${JSON.stringify(xs)}), ${JSON.stringify(ys)});
  await pool.close();
  return [pool.mode, value, grad.c, Array.from(grad.xs), Array.from(grad.ys)];
}

const text = await found(3).then(JSON.stringify, String);
const page = (globalThis as { document?: { querySelector(name: string): { textContent: string } } }).document;
if (page === undefined) console.log(text);
else page.querySelector("output").textContent = text;
`;

const html = (script: string): string =>
  `<!doctype html><title>t</title><link rel="icon" href="data:," /><output></output><script type="module" src="${script}"></script>\n`;

const path = programOf("chromium");
const root = mkdtempSync(join(tmpdir(), "dualrev-threads-bundlers-"));
const source = (file: string): string => join(root, "src", file);
/** Both files as entry points, beside each other under their names: for what looks for no workers. */
const entries = { main: source("main.ts"), "m.grad.worker": source("gen/m.grad.worker.ts") };
let browser: Chromium | null = null;
let expected = "";

beforeAll(async () => {
  mkdirSync(source("gen"), { recursive: true });
  const options = { threads: "./m.grad.worker.js" };
  const [ts, js] = [compile({ name: "m.lam", text: model }, options), compile({ name: "m.lam", text: model }, { ...options, target: "js" })]; // prettier-ignore
  if (!ts.ok || !js.ok) throw new Error(ts.diagnostics[0]?.title);
  writeFileSync(join(root, "package.json"), '{"type": "module"}');
  writeFileSync(source("gen/m.grad.ts"), ts.value.code);
  writeFileSync(source("gen/m.grad.worker.ts"), ts.value.worker ?? "");
  writeFileSync(source("main.ts"), main);
  writeFileSync(source("index.html"), html("./main.ts"));
  // Without a bundler, in Node
  const plain = join(root, "plain");
  mkdirSync(plain);
  writeFileSync(join(plain, "m.grad.js"), js.value.code);
  writeFileSync(join(plain, "m.grad.worker.js"), js.value.worker ?? "");
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(join(plain, "m.grad.js")).href);
  const pool = await functionOf(propertyOf(loaded, "openLossPool"))({ threads: 2, minWork: 100 });
  const result = await functionOf(propertyOf(pool, "lossGrad"))(curve, xs, ys);
  const grad = propertyOf(result, "grad");
  const numbers = (name: string): readonly number[] => Object.values(propertyOf(grad, name) ?? {}).map(Number);
  expected = JSON.stringify([propertyOf(pool, "mode"), propertyOf(result, "value"), propertyOf(grad, "c"), numbers("xs"), numbers("ys")]); // prettier-ignore
  await functionOf(propertyOf(pool, "close"))();
  expect(Reflect.has(globalThis, "Worker")).toBe(false);
  if (path !== null) browser = await Chromium.start(path);
});

afterAll(async () => {
  await browser?.close();
  rmSync(root, { recursive: true });
});

/** What the program writes on an isolated page of a folder. */
async function inPage(folder: string): Promise<string> {
  if (browser === null) throw new Error("no browser");
  const { page, output } = await browser.open(folder, isolated);
  const text = await output();
  await page.close();
  return text;
}

function inNode(file: string): string {
  return execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60_000 }).trimEnd();
}

/** A folder for what a bundler writes. */
function output(name: string): string {
  const made = join(root, name);
  mkdirSync(made);
  return made;
}

const quiet = { configFile: false, root: join(root, "src"), logLevel: "error" } as const;

describe("Vite", () => {
  test.skipIf(path === null)("takes the worker along, and no other file", async () => {
    const outDir = output("vite");
    await vite({ ...quiet, build: { outDir, emptyOutDir: false } });
    expect(readdirSync(join(outDir, "assets")).map((name) => name.replace(/-[\w-]{8}\./, ".")).sort()).toEqual(["index.js", "m.grad.worker.js"]); // prettier-ignore
    expect(await inPage(outDir)).toBe(expected);
  });

  test.skipIf(path === null)("as a server while one works", async () => {
    const server = await createServer({ ...quiet, server: { port: 0, host: "127.0.0.1", headers: isolated, watch: null } }); // prettier-ignore
    try {
      await server.listen();
      const [address] = server.resolvedUrls?.local ?? [];
      if (browser === null || address === undefined) throw new Error("no browser, or no address");
      const { page, output } = await browser.openAddress(address);
      expect(await output()).toBe(expected);
      await page.close();
    } finally {
      await server.close();
    }
  });

  test("for Node, from both files", async () => {
    const outDir = output("vite-node");
    const rolldownOptions = { input: entries, output: { chunkFileNames: "[name].js" } };
    await vite({ ...quiet, build: { ssr: true, outDir, emptyOutDir: false, rolldownOptions } });
    expect(inNode(join(outDir, "main.js"))).toBe(expected);
  });
});

describe("webpack", () => {
  const bundled = async (name: string, options: webpack.Configuration): Promise<string> => {
    const folder = output(name);
    const loader = join(folder, "types-away.cjs");
    const own = createRequire(import.meta.url).resolve("esbuild");
    writeFileSync(loader, `module.exports = function (code) { return require(${JSON.stringify(own)}).transformSync(code, { loader: "ts", format: "esm" }).code; };\n`); // prettier-ignore
    const compiler = webpack({
      mode: "production",
      context: join(root, "src"),
      entry: "./main.ts",
      output: { path: folder },
      resolve: { extensionAlias: { ".js": [".ts", ".js"] } },
      module: { rules: [{ test: /\.ts$/, use: loader }] },
      ...options,
    });
    await new Promise<void>((resolve, reject) => {
      compiler.run((error, stats) => {
        compiler.close(() => {
          if (error !== null || stats === undefined || stats.hasErrors() || stats.hasWarnings())
            reject(error ?? new Error(stats?.toString())); // prettier-ignore
          else resolve();
        });
      });
    });
    expect(readdirSync(folder).filter((name) => name.endsWith(".ts"))).toEqual([]);
    return folder;
  };

  test.skipIf(path === null)("takes the worker along", async () => {
    const folder = await bundled("webpack", { target: "web" });
    writeFileSync(join(folder, "index.html"), html("./main.js"));
    expect(await inPage(folder)).toBe(expected);
  });

  test("for Node", async () => {
    const folder = await bundled("webpack-node", { target: "node", mode: "none" });
    writeFileSync(join(folder, "package.json"), '{"type": "commonjs"}');
    expect(inNode(join(folder, "main.js"))).toBe(expected);
  });
});

describe("esbuild, from both files", () => {
  const options = { entryPoints: entries, bundle: true, minify: true, format: "esm" } as const;

  for (const splitting of [false, true]) {
    const name = splitting ? "esbuild-split" : "esbuild";
    test.skipIf(path === null)(splitting ? "with a chunk for what they share" : "each with all it needs", async () => {
      const outdir = output(name);
      await esbuild({ ...options, outdir, splitting });
      writeFileSync(join(outdir, "index.html"), html("./main.js"));
      expect(await inPage(outdir)).toBe(expected);
    });
  }

  test("for Node", async () => {
    const outdir = output("esbuild-node");
    await esbuild({ ...options, outdir, platform: "node" });
    expect(inNode(join(outdir, "main.js"))).toBe(expected);
  });
});

describe("Rollup, from both files", () => {
  /** What a plugin for TypeScript does. */
  const typescript: Plugin = {
    name: "typescript",
    resolveId: (id, importer) =>
      importer !== undefined && id.startsWith(".") ? join(importer, "..", id.replace(/\.js$/, ".ts")) : null,
    transform: async (code) => ({ code: (await transform(code, { loader: "ts" })).code, map: null }),
  };
  const dir = join(root, "rollup");
  beforeAll(async () => {
    const bundle = await rollup({ input: entries, plugins: [typescript] });
    await bundle.write({ dir, format: "es" });
    await bundle.close();
  });

  test.skipIf(path === null)("in a page", async () => {
    writeFileSync(join(dir, "index.html"), html("./main.js"));
    expect(await inPage(dir)).toBe(expected);
  });

  test("in Node", () => {
    expect(inNode(join(dir, "main.js"))).toBe(expected);
  });
});
