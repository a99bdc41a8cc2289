// Gradients on several threads, in Node: the same bits for any number of threads and in every run, those of the sequential gradient up to rounding; errors
// are those of the program; a worker that ends is replaced.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import fc from "fast-check";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { collected } from "./support/collected.js";
import { firstDifference } from "./support/compare.js";
import { forkingPrograms } from "./support/random-forks.js";
import { functionOf, propertyOf, type EmittedFunction } from "../src/driver/evaluate.js";

const model = `data Model = Model { weights : [R], scale : R }

def residual (m : Model) (row : [R]) (y : R) : R =
  let e = m.scale * dot row m.weights - y in
  if abs e < 1 then e * e / 2 else abs e - 0.5

def loss (m : Model) (rows : [[R]]) (ys : [R]) : R =
  0.1 * dot m.weights m.weights + log (1 + parSum (\\(row, y). residual m row y) (zip rows ys))

def particles (steps : Z) (ps : [(R, R)]) : R =
  let step (x, v) = (x + 0.01 * v, v - 0.01 * x) in
  sum (parMap (\\p. let (x, v) = iterate steps step p in x * v) ps)

def reading (at : Z) (xs : [R]) : R = parSum (\\x. x * xs ! at) xs

def scaled (big : R) (xs : [R]) : R = parSum (\\x. sin (x / big)) xs

def late (k : Z) (xs : [R]) : R =
  let rec spin i = if i < k then spin (mod (i + 1) 7 - 7) else 1 in
  let (a, b) = xs ! 3 |*| xs ! 0 * toReal (spin 0) in a + b

def plain (x : R) : R = x * x

def steep (xs : [R]) : R = 1e-250 * parSum (\\x. 1e155 * sin (1e155 * x)) xs

def simpson (a : R) (lo : R) (hi : R) : R =
  let f x = exp (-a * x * x) * sin (9 * a * x) in
  (hi - lo) / 6 * (f lo + 4 * f ((lo + hi) / 2) + f hi)

def quadrature (a : R) (lo : R) (hi : R) (error : R) : R =
  let mid = (lo + hi) / 2 in
  let halves = simpson a lo mid + simpson a mid hi in
  if abs (halves - simpson a lo hi) < error then halves
  else let (left, right) = quadrature a lo mid (error / 2) |*| quadrature a mid hi (error / 2) in left + right

def area (a : R) (hi : R) (error : R) : R = log (quadrature a 0 hi error) ^ 2

def thirds (n : Z) (x : R) (y : R) : R =
  let rec go n x = if n < 1 then sin (x * y) else let (a, b, c) = (go (n - 1) (x / 2) |*| x * y |*| go (n - 2) (x + y)) in a + b * c in
  if y < 0 then go n y else go n x * y

-- Names in common with other definitions, of other types
def listed (m : List R) (rows : R) (ys : R) : R = listSum m * (let (p, q) = sin rows |*| ys in p * q)

data Pool = Pool { parts : R }

def serve (partOf : Pool) (xs : [R]) : R = partOf.parts * parSum (\\x. sin (partOf.parts * x)) xs
`;

type Options = { readonly threads?: number; readonly minWork?: number; readonly worker?: () => unknown };

let folder = "";
let module: object = {};

/** A function of the module, or of a pool. */
function call(of: unknown, name: string): EmittedFunction {
  return functionOf(propertyOf(of, name));
}

async function opened(name: string, options: Options, use: (pool: unknown) => Promise<void>): Promise<void> {
  const pool = await call(module, name)(options);
  try {
    await use(pool);
  } finally {
    await call(pool, "close")();
  }
}

const text = (value: unknown): string => JSON.stringify(value, (_, part: unknown) => (part instanceof Float64Array ? Array.from(part) : part)); // prettier-ignore

const m = { weights: [0.5, -0.25, 1, 0.125], scale: 0.75 };
const rows = Array.from({ length: 3000 }, (_, i) => m.weights.map((_, j) => Math.sin(i * 4 + j)));
const ys = rows.map((_, i) => Math.cos(i));
const ps = Array.from({ length: 9 }, (_, i) => [1 + i / 10, 0.5 - i / 5]);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dualrev-threads-"));
  const compiled = compile({ name: "model.lam", text: model }, { target: "js", threads: "./model.worker.js" });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.title);
  writeFileSync(join(folder, "package.json"), '{"type": "module"}');
  writeFileSync(join(folder, "model.js"), compiled.value.code);
  writeFileSync(join(folder, "model.worker.js"), compiled.value.worker ?? "");
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(join(folder, "model.js")).href);
  if (typeof loaded === "object" && loaded !== null) module = loaded;
});

afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe("the gradient", () => {
  test("has the same bits for any number of threads, in every run, awaited or waited for", async () => {
    const found = new Set<string>();
    for (const threads of [1, 2, 3]) {
      await opened("openLossPool", { threads, minWork: 1000 }, async (pool) => {
        expect(propertyOf(pool, "mode")).toBe(threads === 1 ? "one thread: one core" : "workers");
        expect(propertyOf(pool, "threads")).toBe(threads);
        for (let run = 0; run < 5; run++) {
          found.add(text(await call(pool, "lossGrad")(m, rows, call(pool, "share")(ys))));
          found.add(text(call(pool, "lossGradSync")(m, rows, ys)));
        }
      });
    }
    expect(found.size).toBe(1);
  });

  test("is that of the module up to rounding, in records and rows, too", async () => {
    await opened("openLossPool", { threads: 2, minWork: 1000 }, async (pool) => {
      const [inParallel, alone] = [
        numbersIn(await call(pool, "lossGrad")(m, rows, ys)),
        numbersIn(call(module, "lossGrad")(m, rows, ys)),
      ];
      expect(inParallel.length).toBe(alone.length);
      const largest = Math.max(...alone.map(Math.abs));
      expect(Math.max(...inParallel.map((x, at) => Math.abs(x - (alone[at] ?? NaN))))).toBeLessThan(1e-12 * largest);
    });
    await opened("openParticlesPool", { threads: 2 }, async (pool) => {
      const [inParallel, alone] = [numbersIn(await call(pool, "particlesGrad")(20000, ps)), numbersIn(call(module, "particlesGrad")(20000, ps))]; // prettier-ignore
      expect(inParallel.length).toBe(alone.length);
      for (const [at, x] of inParallel.entries()) expect(x).toBeCloseTo(alone[at] ?? NaN, 10);
    });
  });

  test("is that of recursion that forks, too, whose work no size tells", async () => {
    for (const [name, args] of [
      ["area", [0.7, 3, 1e-9]],
      ["area", [0.7, 3, 1]],
      ["thirds", [7, 0.25, 0.5]],
      ["thirds", [7, 0.25, -0.5]],
      ["listed", [{ tag: "Cons", _0: 2, _1: { tag: "Nil" } }, 0.25, -0.5]],
    ] as const) {
      const found = new Set<string>();
      const alone: unknown = call(module, `${name}Grad`)(...args);
      for (const threads of [1, 2, 3]) {
        await opened(`open${name.slice(0, 1).toUpperCase()}${name.slice(1)}Pool`, { threads }, async (pool) => {
          const inParallel: unknown = await call(pool, `${name}Grad`)(...args);
          expect(firstDifference(numbersIn(inParallel), numbersIn(alone), 1e-12, 1e-12)).toBeNull();
          found.add(text(inParallel)).add(text(call(pool, `${name}GradSync`)(...args)));
        });
      }
      expect(found.size).toBe(1);
    }
  });

  test("of little work is that of the module, bit by bit", async () => {
    await opened("openLossPool", { threads: 2 }, async (pool) => {
      const few = [rows.slice(0, 3), ys.slice(0, 3)];
      expect(text(await call(pool, "lossGrad")(m, ...few))).toBe(text(call(module, "lossGrad")(m, ...few)));
    });
  });

  test("does not take a number that happens to be whole for how often something is done", async () => {
    await opened("openScaledPool", { threads: 1 }, async (pool) => {
      expect(text(await call(pool, "scaledGrad")(1e9, ys))).toBe(text(call(module, "scaledGrad")(1e9, ys)));
    });
  });

  test("reads what is not shared as it was at the call", async () => {
    await opened("openScaledPool", { threads: 2, minWork: 1000 }, async (pool) => {
      const xs = Float64Array.from(ys);
      const expected = text(call(pool, "scaledGradSync")(0.5, Float64Array.from(ys)));
      const running = call(pool, "scaledGrad")(0.5, xs);
      xs.fill(0);
      expect(text(await running)).toBe(expected);
    });
    await opened("openLossPool", { threads: 2, minWork: 1000 }, async (pool) => {
      const own = { weights: Float64Array.from(m.weights), scale: m.scale };
      const expected = text(await call(pool, "lossGrad")(own, rows, ys));
      const running = [call(pool, "lossGrad")(own, rows, ys), call(pool, "lossGrad")(own, rows, ys)];
      own.scale = 50;
      own.weights.fill(9);
      for (const each of running) expect(text(await each)).toBe(expected);
    });
  });

  test("is computed by every worker, where there are jobs for all", async () => {
    const started: Worker[] = [];
    const worker = (): Worker => {
      const next = new Worker(pathToFileURL(join(folder, "model.worker.js")));
      started.push(next);
      return next;
    };
    await opened("openParticlesPool", { threads: 2, worker }, async (pool) => {
      expect(propertyOf(pool, "mode")).toBe("workers");
      const busy = started.map((each) => each.performance.eventLoopUtilization());
      await call(pool, "particlesGrad")(300000, ps);
      for (const [at, each] of started.entries()) expect(each.performance.eventLoopUtilization(busy[at]).active).toBeGreaterThan(1); // prettier-ignore
    });
  });
});

describe("where a job cannot say what is wanted", () => {
  test("a gradient that overflows there, and not in the module, is that of the module", async () => {
    await opened("openSteepPool", { threads: 2, minWork: 10 }, async (pool) => {
      const alone = text(call(module, "steepGrad")(ys));
      expect(alone).not.toMatch(/null/);
      expect(text(await call(pool, "steepGrad")(ys))).toBe(alone);
    });
  });

  test("arguments that no message can carry stay on the calling thread", async () => {
    await opened("openLossPool", { threads: 2, minWork: 1000 }, async (pool) => {
      const [given, proxied] = [m, new Proxy(m, {})];
      const expected = text(await call(pool, "lossGrad")(given, rows, ys));
      expect(text(await call(pool, "lossGrad")(proxied, rows, ys))).toBe(expected);
      expect(text(call(pool, "lossGradSync")(proxied, rows, ys))).toBe(expected);
    });
  });

  test("what threads that have ended leave undone is done by the one that waits", async () => {
    const started: Worker[] = [];
    const worker = (): Worker => {
      const next = new Worker(pathToFileURL(join(folder, "model.worker.js")));
      started.push(next);
      return next;
    };
    await opened("openLossPool", { threads: 2, minWork: 1000, worker }, async (pool) => {
      const expected = text(await call(pool, "lossGrad")(m, rows, ys));
      for (const each of started) void each.terminate();
      expect(text(call(pool, "lossGradSync")(m, rows, ys))).toBe(expected);
    });
  });

  test("names that the runtime has, too, are the model's", async () => {
    await opened("openServePool", { threads: 2, minWork: 10 }, async (pool) => {
      const [inParallel, alone] = [await call(pool, "serveGrad")({ parts: 2 }, ys), call(module, "serveGrad")({ parts: 2 }, ys)].map(numbersIn); // prettier-ignore
      expect(firstDifference(inParallel ?? [], alone ?? [], 1e-12)).toBeNull();
    });
  });
});

describe("what fails", () => {
  test("is told as the module tells it, and the pool goes on", async () => {
    await opened("openReadingPool", { threads: 2, minWork: 10 }, async (pool) => {
      const [grad, sync] = [call(pool, "readingGrad"), call(pool, "readingGradSync")];
      const message = (() => {
        try {
          return String(call(module, "readingGrad")(700, ys.slice(0, 500)));
        } catch (error) {
          return String(error);
        }
      })();
      expect(message).toMatch(/outside an array/);
      await expect(grad(700, ys.slice(0, 500))).rejects.toThrow(message.replace(/^\w+: /, ""));
      expect(() => sync(700, ys.slice(0, 500))).toThrow(message.replace(/^\w+: /, ""));
      expect(text(await grad(7, ys.slice(0, 500)))).toBe(text(sync(7, ys.slice(0, 500))));
    });
  });

  test("arguments that do not fit are told before anything runs", async () => {
    await opened("openLossPool", { threads: 2 }, async (pool) => {
      await expect(call(pool, "lossGrad")({ weights: 1 }, rows, ys)).rejects.toThrow(/^lossGrad: m\.weights must be /);
    });
  });

  test("a worker that ends: the call fails, and another takes its place", async () => {
    const started: Worker[] = [];
    const worker = (): Worker => {
      const next = new Worker(pathToFileURL(join(folder, "model.worker.js")));
      started.push(next);
      return next;
    };
    await opened("openParticlesPool", { threads: 2, worker }, async (pool) => {
      const grad = call(pool, "particlesGrad");
      const before = text(await grad(20000, ps));
      const running = grad(3_000_000, ps);
      setTimeout(() => void started[0]?.terminate(), 20);
      await expect(running).rejects.toThrow("has ended");
      expect(text(await grad(20000, ps))).toBe(before);
      expect(propertyOf(pool, "threads")).toBe(2);
      expect(started.length).toBe(3);
    });
  });

  test("a worker that cannot start", async () => {
    const worker = (): Worker => new Worker("throw new Error('no such model')", { eval: true });
    await expect(call(module, "openLossPool")({ threads: 2, worker })).rejects.toThrow("no such model");
  });

  test("a task that fails first, where a later one has no end", async () => {
    await opened("openLatePool", { threads: 2 }, async (pool) => {
      const message = "index 3 is outside an array of length 1";
      for (let times = 0; times < 3; times++)
        await expect(call(pool, "lateGrad")(1, ys.slice(0, 1))).rejects.toThrow(message);
      expect(() => call(pool, "lateGradSync")(1, ys.slice(0, 1))).toThrow(message);
      expect(text(await call(pool, "lateGrad")(0, ys))).toBe(text(call(module, "lateGrad")(0, ys)));
    });
  }, 20_000);

  test("options that say nothing, and arrays that are none", async () => {
    for (const threads of [0, -1, 1.5, NaN, Infinity])
      await expect(call(module, "openLossPool")({ threads })).rejects.toThrow("threads must be an integer from 1 on");
    for (const minWork of [NaN, -1])
      await expect(call(module, "openLossPool")({ minWork })).rejects.toThrow("minWork must be a number from 0 on");
    await opened("openLossPool", { threads: 1 }, (pool) => {
      for (const given of ["abc", 5, ["x"], undefined, null])
        expect(() => call(pool, "share")(given)).toThrow("share: xs must be an array of numbers");
      return Promise.resolve();
    });
  });

  test("calls that a pool has not answered when it is closed", async () => {
    const pool = await call(module, "openParticlesPool")({ threads: 2 });
    const grad = call(pool, "particlesGrad");
    const calls = [grad(3_000_000, ps), grad(2_000_000, ps)].map((each) => expect(each).rejects.toThrow("the pool is closed")); // prettier-ignore
    await new Promise((done) => setTimeout(done, 20));
    await call(pool, "close")();
    await Promise.all(calls);
  });

  test("a pool that is closed", async () => {
    const pool = await call(module, "openLossPool")({ threads: 2 });
    await call(pool, "close")();
    await expect(call(pool, "lossGrad")(m, rows, ys)).rejects.toThrow("closed");
  });
});

test("of random programs that fork, in one thread, it is that of the module up to rounding", async () => {
  let pools = 0;
  const programs = fc.sample(forkingPrograms, Number(process.env["DUALREV_RUNS"] ?? 30));
  for (const [at, text] of programs.entries()) {
    const compiled = compile({ name: "random.lam", text }, { target: "js", threads: "./random.worker.js" });
    if (!compiled.ok) throw new Error(`${text}: ${compiled.diagnostics[0]?.title ?? ""}`);
    const file = join(folder, `random${at}.js`);
    writeFileSync(file, compiled.value.code);
    const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(file).href);
    if (!compiled.value.code.includes("openFPool(")) continue;
    pools += 1;
    const pool: unknown = await call(loaded, "openFPool")({ threads: 1, minWork: 1 });
    for (const [x, y] of [
      [0.5, -0.75],
      [0, 2],
      [-1, 0],
    ]) {
      const [inJobs, alone] = [await call(pool, "fGrad")(x, y), call(loaded, "fGrad")(x, y)].map((result) => numbersIn(result)); // prettier-ignore
      expect(firstDifference(inJobs ?? [], alone ?? [], 1e-9, 1e-9), text).toBeNull();
    }
  }
  expect(pools).toBeGreaterThan(programs.length / 12);
}, 300_000);

/** The numbers of a result, in order. */
function numbersIn(value: unknown): readonly number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}

test("many calls hold nothing", async () => {
  await opened("openLossPool", { threads: 2, minWork: 100 }, async (pool) => {
    const few = [rows.slice(0, 60), ys.slice(0, 60)];
    for (let times = 0; times < 200; times++) await call(pool, "lossGrad")(m, ...few);
    const before = await held();
    for (let times = 0; times < 2000; times++) await call(pool, "lossGrad")(m, ...few);
    expect((await held()) - before).toBeLessThan(2e6);
  });
}, 120_000);

/** The bytes that can be reached. */
async function held(): Promise<number> {
  await collected();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test("workers are started by a name of pages, which Node has for that moment alone", async () => {
  const own = { value: "a page's own", configurable: true, enumerable: false, writable: false };
  expect(Reflect.has(globalThis, "Worker")).toBe(false);
  const open = (): Promise<void> =>
    opened("openLossPool", { threads: 2 }, (pool) => {
      expect(propertyOf(pool, "threads")).toBe(2);
      return Promise.resolve();
    });
  await open();
  expect(Reflect.has(globalThis, "Worker")).toBe(false);
  Object.defineProperty(globalThis, "Worker", own);
  try {
    await open();
    expect(Object.getOwnPropertyDescriptor(globalThis, "Worker")).toEqual(own);
  } finally {
    Reflect.deleteProperty(globalThis, "Worker");
  }
});

test("pools do not keep Node from ending, and a module of a definition without forks says why it has none", () => {
  const code =
    'import { openLossPool } from "./model.js"; const pool = await openLossPool({ threads: 2 }); console.log(pool.mode);';
  writeFileSync(join(folder, "run.js"), code);
  expect(execFileSync("node", ["run.js"], { cwd: folder, encoding: "utf8", timeout: 60_000 })).toBe("workers\n");
  const compiled = compile({ name: "model.lam", text: model }, { threads: "./model.worker.js" });
  expect(compiled.ok && compiled.value.code).toMatch(
    /openPlainPool.*it takes no sum of what a fork gives once, and forks no numbers/,
  );
});

test("names of the model that a module with pools needs are told", () => {
  const clash =
    "def serveJobs (x : R) : R = x\n\ndata FPool = FPool R\n\ndef f (xs : [R]) : R = parSum (\\x. x * x) xs\n";
  const compiled = compile({ name: "model.lam", text: clash }, { threads: "./model.worker.js" });
  expect(compiled.diagnostics.map(({ code, title }) => `${code} ${title}`)).toEqual([
    "E0507 `serveJobs` is defined in the model, and is what `threads` would export",
    "E0507 `FPool` is defined in the model, and is what `threads` would export",
  ]);
});

test("what a module exports besides is as it is without pools", () => {
  const texts = [{}, { threads: "./model.worker.js" }].map((options) => {
    const compiled = compile({ name: "model.lam", text: model }, options);
    return compiled.ok ? compiled.value.code : "";
  });
  const functionIn = (code: string | undefined, name: string): string => new RegExp(`export function ${name}\\([^]*?\n}\n`).exec(code ?? "")?.[0] ?? name; // prettier-ignore
  for (const name of ["loss", "lossGrad", "lossVjp", "particlesGrad", "residualGrad", "plainVjp"]) {
    expect(functionIn(texts[1], name)).toBe(functionIn(texts[0], name));
    expect(functionIn(texts[0], name)).not.toBe(name);
  }
});

test("the module type-checks without a page's types and without Node's", () => {
  const compiled = compile({ name: "model.lam", text: model }, { threads: "./model.worker.js" });
  if (!compiled.ok) throw new Error("it does not compile");
  const inJs = compile({ name: "model.lam", text: model }, { threads: "./model.worker.js", target: "js" });
  writeFileSync(join(folder, "declared.d.ts"), inJs.ok ? (inJs.value.declarations ?? "") : "");
  writeFileSync(join(folder, "model.ts"), compiled.value.code);
  writeFileSync(join(folder, "model.worker.ts"), compiled.value.worker ?? "");
  for (const lib of [["lib.es2022.d.ts"], ["lib.es2022.d.ts", "lib.dom.d.ts"]]) {
    const program = ts.createProgram([join(folder, "model.worker.ts"), join(folder, "declared.d.ts")], {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      moduleResolution: ts.ModuleResolutionKind.Bundler,
      lib,
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      noUnusedLocals: true,
      noUnusedParameters: true,
      noEmit: true,
    });
    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  }
});
