// Gradients on several threads, in Chromium: the bits of Node's for any number of threads; errors are those of the program; where there is no shared memory,
// one thread, and the same bits. The model has no function of `Math` but `sqrt`: those of two engines may differ in the last bit.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../src/driver/compile.js";
import { functionOf, propertyOf } from "../src/driver/evaluate.js";
import { Chromium, isolated } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

const model = `data Model = Model { weights : [R], scale : R }

def residual (m : Model) (row : [R]) (y : R) : R =
  let e = m.scale * dot row m.weights - y in
  if abs e < 1 then e * e / 2 else sqrt (abs e) - 0.5

def loss (m : Model) (rows : [[R]]) (ys : [R]) : R =
  0.1 * dot m.weights m.weights + sqrt (1 + parSum (\\(row, y). residual m row y) (zip rows ys))

def particles (steps : Z) (ps : [(R, R)]) : R =
  let step (x, v) = (x + 0.01 * v, v - 0.01 * x) in
  sum (parMap (\\p. let (x, v) = iterate steps step p in x * v) ps)

def reading (at : Z) (xs : [R]) : R = parSum (\\x. x * xs ! at) xs
`;

const rows = Array.from({ length: 400 }, (_, i) => [1, 2, 3, 4].map((j) => ((i * j) % 17) / 7 - 1));
const given = {
  m: { weights: [0.5, -0.25, 1, 0.125], scale: 0.75 },
  rows,
  ys: rows.map((_, i) => ((i * 5) % 13) / 3),
  ps: Array.from({ length: 16 }, (_, i) => [1 + i / 10, 0.5 - i / 5]),
};

/** What scripts of pages begin with: `say` ends them. */
const begin = `import * as model from "./model.js";
import { given } from "./given.js";

const { m, rows, ys, ps } = given;
const text = (value) => JSON.stringify(value, (_, part) => (part instanceof Float64Array ? Array.from(part) : part));
const errorOf = async (compute) => {
  try {
    return "no error: " + text(await compute());
  } catch (error) {
    return String(error);
  }
};
const say = (value) => {
  document.querySelector("output").textContent = text(value);
};
`;

/** The same gradient in three runs of each of three numbers of threads, awaited; and waited for, where that is allowed. */
const gradients = `${begin}
const [modes, found, waited] = [[], new Set(), []];
for (const threads of [1, 2, 3]) {
  const pool = await model.openLossPool({ threads, minWork: 100 });
  modes.push([pool.mode, pool.threads]);
  for (let run = 0; run < 3; run++) found.add(text(await pool.lossGrad(m, rows, pool.share(ys))));
  waited.push(await errorOf(() => pool.lossGradSync(m, rows, ys)));
  await pool.close();
  waited.push(await errorOf(() => pool.lossGrad(m, rows, ys)));
}
say({ modes, found: [...found], waited });
`;

/** How many jobs each worker has done, which says so after each gradient. */
const counted = `${begin}
const counts = [];
const counting = new BroadcastChannel("jobs");
const both = new Promise((done) => {
  counting.onmessage = ({ data }) => {
    if (counts.push(data) === 2) done();
  };
});
const worker = () => new Worker("./counting.worker.js", { type: "module" });
const pool = await model.openParticlesPool({ threads: 2, worker });
const grad = text(await pool.particlesGrad(300000, ps));
await both;
await pool.close();
say({ mode: pool.mode, grad, counts });
`;

const countingWorker = `import { serveJobs } from "./model.js";

const { exchange } = Atomics;
let jobs = 0;
// What a thread says of each job that it has done
Atomics.exchange = (...args) => {
  jobs += 1;
  return exchange(...args);
};
const channel = new BroadcastChannel("jobs");
serveJobs();
addEventListener("message", () => channel.postMessage(jobs));
`;

/** A worker of the page has a pool, and waits for what it computes. */
const nested = `${begin}
const worker = new Worker("./waiting.worker.js", { type: "module" });
worker.onmessage = ({ data }) => {
  worker.terminate();
  say(data);
};
`;

const waitingWorker = `${begin}
const { exchange } = Atomics;
let own = 0;
Atomics.exchange = (...args) => {
  own += 1;
  return exchange(...args);
};
const pool = await model.openParticlesPool({ threads: 2 });
const grad = text(pool.particlesGradSync(300000, ps));
await pool.close();
postMessage({ mode: pool.mode, grad, own });
`;

const failing = `${begin}
const pool = await model.openReadingPool({ threads: 2, minWork: 10 });
const few = ys.slice(0, 300);
const errors = [await errorOf(() => pool.readingGrad(350, few)), await errorOf(() => model.readingGrad(350, few))];
const after = text(await pool.readingGrad(7, few));
const mode = pool.mode;
await pool.close();
say({ mode, errors, after });
`;

const scripts = { gradients, counted, nested, failing };

const path = programOf("chromium");
let folder = "";
let browser: Chromium | null = null;

/** What Node's pool of so many threads computes. */
async function inNode(definition: "Loss" | "Particles" | "Reading", ...args: readonly unknown[]): Promise<string> {
  const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(join(folder, "model.js")).href);
  const pool = await functionOf(propertyOf(loaded, `open${definition}Pool`))({ threads: 2, minWork: definition === "Particles" ? 300_000 : definition === "Loss" ? 100 : 10 }); // prettier-ignore
  expect(propertyOf(pool, "mode")).toBe("workers");
  const result = await functionOf(propertyOf(pool, `${definition.toLowerCase()}Grad`))(...args);
  await functionOf(propertyOf(pool, "close"))();
  return JSON.stringify(result, (_, part: unknown) => (part instanceof Float64Array ? Array.from(part) : part));
}

beforeAll(async () => {
  if (path === null) return;
  folder = mkdtempSync(join(tmpdir(), "dualrev-threads-browser-"));
  const compiled = compile({ name: "model.lam", text: model }, { target: "js", threads: "./model.worker.js" });
  if (!compiled.ok) throw new Error(compiled.diagnostics[0]?.title);
  const files = {
    "package.json": '{"type": "module"}',
    "model.js": compiled.value.code,
    "model.worker.js": compiled.value.worker ?? "",
    "given.js": `export const given = ${JSON.stringify(given)};\n`,
    "counting.worker.js": countingWorker,
    "waiting.worker.js": waitingWorker,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  for (const [name, script] of Object.entries(scripts)) {
    writeFileSync(join(folder, `${name}.js`), script);
    writeFileSync(join(folder, `${name}.html`), `<!doctype html><title>${name}</title><output></output><script type="module" src="./${name}.js"></script>\n`); // prettier-ignore
  }
  browser = await Chromium.start(path);
});

afterAll(async () => {
  await browser?.close();
  if (folder !== "") rmSync(folder, { recursive: true });
});

/** What the script of a page says, on a page with such headers; no worker of a pool runs then any more. */
async function said(name: keyof typeof scripts, headers: Readonly<Record<string, string>>): Promise<unknown> {
  if (browser === null) throw new Error("no browser");
  const { page, output, workers } = await browser.open(folder, headers, `${name}.html`);
  const text = await output();
  // Under load this browser keeps a worker that the page has ended, if that had workers: those of pools are what matters
  await expect.poll(() => workers().filter((file) => !file.startsWith("waiting")), { timeout: 30_000 }).toEqual([]);
  await page.close();
  const parsed: unknown = JSON.parse(text);
  return parsed;
}

const mayNotWait =
  "TypeError: a page's main thread may not wait: there is a promise of the gradient, by the name without Sync";
const closed = "Error: the pool is closed";

describe.skipIf(path === null)("in a page that is cross-origin isolated", () => {
  test("the gradient has the bits of Node's, for any number of threads, in every run; the main thread may not wait", async () => {
    const grad = await inNode("Loss", given.m, given.rows, given.ys);
    expect(await said("gradients", isolated)).toEqual({
      modes: [["one thread: one core", 1], ["workers", 2], ["workers", 3]], // prettier-ignore
      found: [grad],
      waited: [`no error: ${grad}`, closed, mayNotWait, closed, mayNotWait, closed],
    });
  });

  test("every worker does jobs", async () => {
    const grad = await inNode("Particles", 300_000, given.ps);
    const answer = await said("counted", isolated);
    expect(answer).toEqual({ mode: "workers", grad, counts: [expect.any(Number), expect.any(Number)] });
    const counts = Object.values(propertyOf(answer, "counts") ?? {}).map(Number);
    expect(Math.min(...counts)).toBeGreaterThan(0);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(given.ps.length);
  });

  test("a worker of the page may wait for a pool of its own", async () => {
    const grad = await inNode("Particles", 300_000, given.ps);
    const answer = await said("nested", isolated);
    expect(answer).toMatchObject({ mode: "workers", grad });
    // It does itself what is missing after a second without news; not all, as where no message reaches the others while it waits
    expect(propertyOf(answer, "own")).toBeLessThan(given.ps.length);
  });

  test("an error of the program is told as the module tells it, and the pool goes on", async () => {
    const error = "RangeError: reading (model.lam:14:55): index 350 is outside an array of length 300";
    const after = await inNode("Reading", 7, given.ys.slice(0, 300));
    expect(await said("failing", isolated)).toEqual({ mode: "workers", errors: [error, error], after });
  });

  test("a content security policy needs to allow workers of one's own alone", async () => {
    const policy = "default-src 'none'; script-src 'self'; worker-src 'self'";
    const grad = await inNode("Loss", given.m, given.rows, given.ys);
    expect(await said("gradients", { ...isolated, "Content-Security-Policy": policy })).toMatchObject({
      modes: [["one thread: one core", 1], ["workers", 2], ["workers", 3]], // prettier-ignore
      found: [grad],
    });
  });
});

test.skipIf(path === null)(
  "a page that is not isolated has one thread, which may wait, and the same bits",
  async () => {
    const grad = await inNode("Loss", given.m, given.rows, given.ys);
    const mode = "one thread: no SharedArrayBuffer";
    expect(await said("gradients", {})).toEqual({
      modes: [[mode, 1], [mode, 1], [mode, 1]], // prettier-ignore
      found: [grad],
      waited: [`no error: ${grad}`, closed, `no error: ${grad}`, closed, `no error: ${grad}`, closed],
    });
  },
);
