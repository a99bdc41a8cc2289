// Models compiled and loaded at once: what the functions give, and what goes wrong.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { load } from "../src/index.js";
import { Chromium } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

interface Loss {
  readonly loss: (x: number, ys: readonly number[]) => number;
  readonly lossGrad: (x: number, ys: readonly number[]) => { value: number; grad: { x: number; ys: Float64Array } };
}

const loss = "def loss (x : R) (ys : [R]) : R = sum (map (\\y. x * y) ys)";

test("gives the functions of the module", () => {
  const model = load<Loss>(loss);
  expect(Object.keys(model).sort()).toEqual(["loss", "lossGrad", "lossVjp"]);
  expect(model.loss(2, [1, 3])).toBe(8);
  expect(model.lossGrad(2, [1, 3])).toEqual({ value: 8, grad: { x: 4, ys: Float64Array.of(2, 2) } });
});

test("takes what compile takes", () => {
  const text =
    'import "half.lam" (half)\nextern def twice (x : R) : R from "./twice.js"\n\
rule derivative twice x dx = 2 * dx\ndef f (x : R) (y : R) : R = half x * twice y\ndef g (x : R) : R = x';
  const options = {
    load: () => "def half (x : R) : R = x / 2",
    externs: { "./twice.js": { twice: (x: number) => 2 * x } },
  };
  const model = load(text, {
    ...options,
    entries: ["f"],
    wrt: ["f.y"],
    with: ["grad", "hessian"],
    name: "folder/m.lam",
  });
  expect(Object.keys(model).sort()).toEqual(["f", "fGrad", "fHessian"]);
  expect(model["fGrad"]?.(3, 4)).toEqual({ value: 12, grad: { y: 3 } });
  const forward = load(text, { ...options, stage: "forward" });
  expect(Object.keys(forward)).toContain("fJvp");
});

test("throws what diagnostics say, with the name of the model", () => {
  expect(() => load("def f (x : R) : R = y", { name: "cell 3" })).toThrowErrorMatchingInlineSnapshot(`
    [Error: error[E0201]: there is no variable \`y\`
     --> cell 3:1:21
      |
    1 | def f (x : R) : R = y
      |                     ^ not defined

    1 error
    ]
  `);
  expect(() => load("def f (g : R -> R) : R = g 1", { entries: ["f"] })).toThrow(/^error\[E0503\]/);
  expect(() => load('extern def f (x : R) : R from "./f.js"\ndef g : R = f 1')).toThrow(/^error\[E0607\]/);
  const other = { externs: { "f.js": {}, "./g.js": {} } };
  expect(() => load('extern def f (x : R) : R from "./f.js"\ndef g : R = f 1', other)).toThrow('note: The option `externs` has "f.js", "./g.js".'); // prettier-ignore
  const unnamed = { externs: { "./f.js": { g: Math.exp } } };
  expect(() => load('extern def f (x : R) : R from "./f.js"\ndef g : R = f 1', unnamed)).toThrow("note: It exports g.");
  const thrown = (): unknown => {
    try {
      return load("def f (x : R) : R = y");
    } catch (error) {
      return error instanceof Error ? error.cause : null;
    }
  };
  expect(thrown()).toMatchObject([{ code: "E0201", span: { file: "model.lam", start: 20, end: 21 } }]);
});

test.each(["adjoint", "tape", "d4", "forward", "parallel"] as const)(
  "what a function of the caller's throws passes through in %s",
  (stage) => {
    const text =
      'extern def f (x : R) : R from "./f.js"\nrule derivative f x dx = f x * dx\ndef g (x : R) : R = f (2 * x)';
    const thrown = { isMine: true };
    const f = (): number => {
      // eslint-disable-next-line @typescript-eslint/only-throw-error -- whatever it is
      throw thrown;
    };
    const model = load(text, { stage, entries: ["g"], externs: { "./f.js": { f } } });
    const functions = Object.entries(model).flatMap(([name, each]) => (name.startsWith("g") ? [each] : []));
    expect(functions.length).toBeGreaterThan(1);
    for (const each of functions) {
      let caught: unknown = null;
      try {
        each(1, 1);
      } catch (error) {
        caught = error;
      }
      expect(caught).toBe(thrown);
    }
  },
);

test("a call that the types do not allow is a TypeError", () => {
  const call =
    (...args: unknown[]) =>
    (): unknown =>
      Reflect.apply(load, undefined, args);
  expect(call(3)).toThrow(new TypeError("load: the text of the model must be a string, and is 3"));
  expect(call(loss, { target: "js" })).toThrow(/^load: there is no option `target`; there are debug, entries, /);
  expect(call(loss, { name: 3 })).toThrow(new TypeError("load: the option `name` must be a string, and is 3"));
});

describe("debuggers and stack traces", () => {
  const folder = mkdtempSync(join(tmpdir(), "dualrev-load-"));
  const third = "-- ä€\ndef third (xs : [R]) : R =\n  let a = xs ! 0 in\n  a * xs ! 2";

  beforeAll(async () => {
    const entry = join(import.meta.dirname, "../src/index.ts");
    await build({ entryPoints: [entry], bundle: true, platform: "neutral", format: "esm", outfile: join(folder, "dualrev.mjs"), mainFields: ["module", "main"] }); // prettier-ignore
  });

  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** The frames of what Node says of calls that throw, in models that are loaded with some options. */
  const frames = (...options: readonly object[]): readonly string[] => {
    const script = `import { load } from "./dualrev.mjs";
      const models = ${JSON.stringify(options)}.map(({ text, ...options }) => load(text, options));
      for (const { third, thirdGrad } of models) for (const each of [third, thirdGrad]) try { each([1, 2]); } catch (error) { console.log(error.stack); }`;
    writeFileSync(join(folder, "run.mjs"), script);
    const said = execFileSync(process.execPath, ["--enable-source-maps", "run.mjs"], { cwd: folder, encoding: "utf8" });
    return Array.from(
      said.matchAll(/^ +at (?:Object\.)?(\w+) \((.*)\)$/gm),
      ([, name = "", place = ""]) => `${name} ${place}`,
    );
  };

  test("show the lines of the model, and of the runtime its own", () => {
    const found = frames({ text: third });
    const [model, gradient] = ["third dualrev:///model.lam:4:7", "thirdGrad dualrev:///model.lam:4:7"];
    expect(found.map((frame) => frame.replace(/\?[\da-f]+:\d+:\d+$/, "?"))).toEqual(["outside dualrev:///model.lam.js?", model, "outside dualrev:///model.lam.js?", gradient]); // prettier-ignore
  });

  test("tell models of one name apart, even where their code is the same", () => {
    const found = frames({ text: third }, { text: `\n\n${third}` }).filter((frame) => frame.startsWith("third "));
    expect(found).toEqual(["third dualrev:///model.lam:4:7", "third dualrev:///model.lam:6:7"]);
  });

  test("take a name for a path, or for the URL that it is", () => {
    const [path, url] = ["a b/cell 3.lam", "https://example.org/m.lam"];
    const found = frames({ text: third, name: path }, { text: third, name: url });
    expect(found.filter((frame) => frame.startsWith("third "))).toEqual(["third dualrev:///a%20b/cell%203.lam:4:7", "third https://example.org/m.lam:4:7"]); // prettier-ignore
  });

  test("show the code where no map is wanted", () => {
    const found = frames({ text: third, sourceMap: false });
    expect(found.filter((frame) => frame.includes(" dualrev:///model.lam.js?"))).toHaveLength(4);
  });
});

const path = programOf("chromium");

describe.skipIf(path === null)("in a page without a build step", () => {
  const folder = mkdtempSync(join(tmpdir(), "dualrev-load-"));
  let chromium: Chromium | undefined;

  beforeAll(async () => {
    const entry = join(import.meta.dirname, "../src/index.ts");
    await build({ entryPoints: [entry], bundle: true, platform: "browser", format: "esm", outfile: join(folder, "dualrev.js") }); // prettier-ignore
    const script = `import { load } from "./dualrev.js";
      const lam = (strings, ...values) => load(String.raw(strings, ...values.map((value) => "(" + value + ")")));
      const say = (text) => (document.querySelector("output").textContent = text);
      try {
        const { f, fGrad } = lam\`def f (x : R) : R = (\\y. \${-2} * y * y) x\`;
        say(JSON.stringify([f(3), fGrad(3).grad]));
      } catch (error) {
        say(error.message);
      }`;
    writeFileSync(join(folder, "page.js"), script);
    writeFileSync(
      join(folder, "index.html"),
      '<!doctype html><output></output><script type="module" src="page.js"></script>',
    );
    chromium = await Chromium.start(path ?? "");
  });

  afterAll(async () => {
    await chromium?.close();
    rmSync(folder, { recursive: true });
  });

  test("a tagged template is a model", async () => {
    const opened = await chromium?.open(folder, {});
    expect(await opened?.output()).toBe('[-18,{"x":-12}]');
  });

  test("what the page does not allow is said", async () => {
    const policy = "script-src 'self' 'unsafe-inline'";
    const opened = await chromium?.open(folder, { "Content-Security-Policy": policy });
    expect(await opened?.page.locator("output:not(:empty)").innerText()).toMatch(
      /^load: the Content-Security-Policy of this page does not allow `unsafe-eval`, which load needs: compile/,
    );
  });
});

test("a name is text, whatever is in it", () => {
  interface Square {
    readonly f: (x: number) => number;
  }
  const names = ["\nfunction f() { return 7; } //", "\r)", "\u2028)", "*/ )", "\ud800.lam", "'\"`"];
  for (const name of names.flatMap((each) => [each, `https://x/m.lam${each}`]))
    expect(load<Square>("def f (x : R) : R = x * x\n", { name }).f(2), JSON.stringify(name)).toBe(4);
});
