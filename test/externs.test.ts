// `extern def`: functions of whoever uses a model, in every stage, from the command line, and in emitted modules.

import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { compile, type CompileOptions } from "../src/driver/compile.js";
import type { ExternModules } from "../src/driver/externs.js";
import { functionOf } from "../src/driver/evaluate.js";
import { grad } from "../src/driver/grad.js";
import { hessian } from "../src/driver/point-derivatives.js";
import { run } from "../src/driver/run.js";
import { stageNames, stageNamed } from "../src/driver/stages.js";
import { format } from "../src/driver/format.js";
import { programErrors } from "./document.js";
import { Folder } from "./command-line.js";

const functions = `export const sine = (x) => Math.sin(x);
export const cosine = (x) => Math.cos(x);
export function scaled(n, on, xs) { const out = Array.from(xs, (x) => (on ? n * x : x)); xs.fill(99); return out; }
export const rows = (xss) => xss.map((xs) => xs.map((x) => 2 * x));
export const at = (xs, i) => xs[i];
export const wrong = (x) => String(x);
export const short = (xs) => [1, "2"];
export const failing = (x) => { if (x > 1) throw new Error("too large"); return x; };
`;

const model = `extern def sine (x : R) : R from "./functions.js"

rule derivative sine x dx = cosine x * dx

extern def cosine (x : R) : R from "./functions.js"

rule derivative cosine x dx = -(sine x) * dx

extern def scaled (n : Z) (on : Bool) (xs : [R]) : [R] from "./functions.js"

rule pullback scaled n on xs w = (0, on, map (\\v. if on then toReal n * v else v) w)

extern def rows (xss : [[R]]) : [[R]] from "./functions.js"

rule derivative rows xss dxss = map (\\dxs. map (\\v. 2 * v) dxs) dxss

extern def at (xs : [Z]) (i : Z) : Z from "./functions.js"

def loss (x : R) (ys : [R]) : R =
  sine (x ^ 2) * sum (scaled 3 (x > 0) ys) + sum (map sum (rows [ys, [x]])) + toReal (at [4, 5] 1) * sum ys

def wave (x : R) : R = sine (2 * x) * cosine x
`;

const source = { name: "m.lam", text: model };

const modules: ExternModules = await (async () => {
  const code = `data:text/javascript,${encodeURIComponent(functions)}`;
  const loaded: unknown = await import(code);
  return { "./functions.js": typeof loaded === "object" && loaded !== null ? loaded : {} };
})();

const close = (value: number): unknown => expect.closeTo(value, 12);

const folders: Folder[] = [];

afterEach(() => {
  for (const used of folders.splice(0)) used.remove();
});

function folder(files: Readonly<Record<string, string>> = {}): Folder {
  const made = new Folder({
    "m.lam": model,
    "functions.js": functions,
    "package.json": '{"type": "module"}',
    ...files,
  });
  folders.push(made);
  return made;
}

describe("in every stage", () => {
  const [x, ys] = [0.7, [1.5, -2]];
  const sum = -0.5;
  const value = Math.sin(x * x) * 3 * sum + 2 * (sum + x) + 5 * sum;
  test.each(stageNames)("%s: values and gradients are those of the functions and of their rules", (stage) => {
    expect(run(source, "loss", { x, ys }, { externs: modules })).toMatchObject({ ok: true, value });
    if (stageNamed(stage).mode === "primal") return;
    const found = grad(source, "loss", { x, ys }, { externs: modules, stage, check: true });
    expect(found.diagnostics).toEqual([]);
    if (!found.ok) return;
    expect(found.value.differences).toEqual([]);
    const ofY = 3 * Math.sin(x * x) + 2 + 5;
    const ofX = 2 * x * Math.cos(x * x) * 3 * sum + 2;
    expect(JSON.parse(JSON.stringify(found.value.document))).toMatchObject({ grad: { x: close(ofX), ys: { 0: close(ofY), 1: close(ofY) } } }); // prettier-ignore
  });

  test("rules that name each other go on at any order", () => {
    for (const stage of ["adjoint", "tape", "forward"] as const) {
      const found = hessian(source, "wave", { x }, { externs: modules, stage, check: true });
      expect(found).toMatchObject({ ok: true, value: { differences: [] } });
      if (!found.ok) continue;
      const second = -5 * Math.sin(2 * x) * Math.cos(x) - 4 * Math.cos(2 * x) * Math.sin(x);
      expect(Array.from(found.value.document.hessian)).toEqual([close(second)]);
    }
  });

  test("a rule may name the definition that it is for, whether that has a text or not", () => {
    const text = "def f (x : R) : R = exp x\n\nrule derivative f x dx = f x * dx\n\ndef g (x : R) : R = f (2 * x)\n";
    const found = hessian({ name: "m.lam", text }, "g", { x: 0 });
    expect(found).toMatchObject({ ok: true, value: { document: { value: 1, grad: { x: 2 } } } });
    if (found.ok) expect(Array.from(found.value.document.hessian)).toEqual([4]);
  });

  test("derivatives of values of derivatives are the rules', too", () => {
    const text = `${model}\ndef up (x : R) : R = fst (jvp sine x 1)\n`;
    const found = grad({ name: "m.lam", text }, "up", { x }, { externs: modules });
    expect(found).toMatchObject({ ok: true, value: { document: { grad: { x: Math.cos(x) } } } });
  });
});

describe("what has no rule", () => {
  const text = `extern def table (xs : [R]) (i : Z) : R from "./functions.js"

def passive (x : R) (i : Z) : R = x * table [1, 2] i

def active (x : R) : R = table [x] 0

def inside (x : R) : R = snd (jvp (\\y. table [y] 0) x 1)
`;
  const codes = (entry: string, stage: "adjoint" | "tape" | "forward" | "primal"): readonly string[] =>
    compile({ name: "m.lam", text }, { entries: [entry], stage }).diagnostics.map(({ code }) => code);

  test.each(["adjoint", "tape", "forward"] as const)(
    "is not differentiated in %s, and told of where it would be",
    (stage) => {
      expect(codes("passive", stage)).toEqual([]);
      expect(codes("active", stage)).toEqual(["E0509"]);
      expect(codes("inside", stage)).toEqual(["E0509"]);
    },
  );

  test("has values", () => {
    expect(codes("active", "primal")).toEqual([]);
    const externs = { "./functions.js": { table: (xs: readonly number[], i: number) => xs[i] } };
    expect(run({ name: "m.lam", text }, "active", { x: 3 }, { externs })).toMatchObject({ ok: true, value: 3 });
    expect(grad({ name: "m.lam", text }, "passive", { x: 3, i: 1 }, { externs })).toMatchObject({ ok: true, value: { document: { value: 6, grad: { x: 2 } } } }); // prettier-ignore
  });

  test("is not exported by itself", () => {
    const [own = ""] = text.split("def inside");
    const compiled = compile({ name: "m.lam", text: own }, { stage: "primal" });
    expect(compiled).toMatchObject({ ok: true, value: { exports: ["passive", "active"] } });
  });
});

describe("an emitted module", () => {
  const failing = `extern def failing (x : R) : R from "./functions.js"

rule derivative failing x dx = dx

extern def wrong (x : R) : R from "./functions.js"

rule derivative wrong x dx = dx

extern def short (xs : [R]) : [R] from "./functions.js"

rule derivative short xs dxs = dxs

def f (x : R) : R = failing x * x

def g (x : R) : R = wrong x

def h (xs : [R]) : R = sum (short xs)
`;

  test.each(["adjoint", "tape", "d4", "forward"])(
    "in %s passes on what is thrown, and refuses what does not fit",
    async (stage) => {
      const at = folder({ "f.lam": failing });
      expect(await at.run(["compile", "f.lam", "--stage", stage, "-o", "f.js"])).toMatchObject({ code: 0 });
      const module: unknown = await import(pathToFileURL(at.at("f.js")).href);
      const of = (name: string) => functionOf(Reflect.get(Object(module), name));
      const derived = stage === "forward" ? (x: number) => of("fJvp")(x, 1) : of("fGrad");
      expect(of("f")(1)).toBe(1);
      expect(() => of("f")(2)).toThrow(new Error("too large"));
      expect(() => derived(2)).toThrow(new Error("too large"));
      expect(JSON.stringify(derived(0.5))).toContain("0.25");
      expect(() => of("g")(2)).toThrow(new TypeError('wrong: the result must be a number, got "2"'));
      expect(() => of("h")([1, 2])).toThrow(new TypeError('short: the result[1] must be a number, got "2"'));
    },
  );

  test("imports from where the functions are, seen from where it is", async () => {
    const importing = `import "lib/l.lam" (twice)\n\n${model}\ndef both (x : R) : R = twice x + sine x\n`;
    const at = folder({
      "models/m.lam": importing,
      "models/functions.js": functions,
      "models/lib/l.lam": 'extern def twice (x : R) : R from "./two.js"\n\nrule derivative twice x dx = 2 * dx\n',
      "models/lib/two.js": "export const twice = (x) => 2 * x;\n",
      "out/empty.txt": "",
    });
    const importsOf = (file: string): readonly string[] =>
      readFileSync(at.at(file), "utf8").match(/(?<=from )"[^"]*"(?=;)/g) ?? [];
    await at.run(["compile", "models/m.lam", "--entry", "both", "-o", "models/m.ts"]);
    expect(importsOf("models/m.ts").toSorted()).toEqual(['"./functions.js"', '"./lib/two.js"']);
    await at.run(["compile", "models/m.lam", "--entry", "both", "-o", "out/m.js"]);
    expect(importsOf("out/m.js").toSorted()).toEqual(['"../models/functions.js"', '"../models/lib/two.js"']);
    const module: unknown = await import(pathToFileURL(at.at("out/m.js")).href);
    expect(functionOf(Reflect.get(Object(module), "both"))(1)).toBe(2 + Math.sin(1));
    expect(await at.run(["run", "models/m.lam", "both", '{"x": 0}'])).toMatchObject({
      code: 0,
      out: '{ "value": 0 }\n',
    });
  });

  test("has paths as texts, and packages by their names", () => {
    const path = "./a'b\\\\*/${x}`.js";
    const text = `extern def f (x : R) : R from "${path}"\n\nrule derivative f x dx = dx\n\nextern def g (x : R) : R from "some-package"\n\nrule derivative g x dx = dx\n\ndef h (x : R) : R = f x + g x\n`;
    const compiled = compile({ name: "m.lam", text });
    expect(compiled.diagnostics).toEqual([]);
    if (!compiled.ok) return;
    expect(compiled.value.code).toContain(`from ${JSON.stringify(path)};`);
    expect(compiled.value.code).toContain('from "some-package";');
    expect(compiled.value.code).not.toMatch(/^ ?\*\/\$/m);
  });

  test("is type-checked with what it imports", async () => {
    const at = folder();
    await at.run(["compile", "m.lam", "-o", "m.ts"]);
    const types = (sine: string): string => `export declare function sine(x: number): ${sine};
export declare function cosine(x: number): number;
export declare function scaled(n: number, on: boolean, xs: Float64Array): readonly number[];
export declare function rows(xss: readonly ArrayLike<number>[]): Float64Array[];
export declare function at(xs: readonly number[], i: number): number;
`;
    const errorsWith = (sine: string): readonly string[] => {
      writeFileSync(at.at("functions.d.ts"), types(sine));
      return programErrors([at.at("m.ts")]);
    };
    expect(errorsWith("number")).toEqual([]);
    expect(errorsWith("string").join("\n")).toContain("not assignable");
  });
});

describe("what rules call, where it has none", () => {
  const text = `extern def outside (x : R) : R from "./o.js"
extern def slope (x : R) : R from "./o.js"
rule derivative outside x dx = slope x * dx
def f (x : R) : R = outside x
`;
  const notes = (options: CompileOptions, model = text): unknown =>
    compile({ name: "m.lam", text: model }, options).diagnostics.map(({ code, notes }) => [code, notes[1] ?? null]);

  test("is said to be needed by second derivatives alone, if so", () => {
    expect(notes({ with: ["grad", "jvp"] })).toEqual([]);
    expect(notes({ with: ["all"] })).toEqual([["E0509", "`hvp` and `hessian` are second derivatives, and they differentiate what rules call: the other forms do not."]]); // prettier-ignore
    expect(notes({ with: ["hvp"] })).toEqual([["E0509", "`hvp` is a second derivative, and it differentiates what rules call: the other forms do not."]]); // prettier-ignore
    expect(notes({ with: ["all"] }, `${text}def g (x : R) : R = slope x\n`)).toEqual([["E0509", null]]);
  });
});

describe("from the command line", () => {
  test("run, grad, hvp and cost load the file, check and fmt do not", async () => {
    const at = folder({ "gone.lam": model.replaceAll("functions.js", "gone.js") });
    expect(await at.run(["run", "m.lam", "wave", '{"x": 0}'])).toMatchObject({ code: 0, out: '{ "value": 0 }\n' });
    expect(await at.run(["grad", "m.lam", "wave", '{"x": 0}', "--check"])).toMatchObject({ code: 0 });
    expect(await at.run(["hvp", "m.lam", "wave", '{"x": 0}', "--tangent", '{"x": 1}'])).toMatchObject({ code: 0 });
    expect(await at.run(["cost", "m.lam", "wave", '{"x": 0}'])).toMatchObject({ code: 0 });
    expect(await at.run(["run", "-e", "wave 0", "--load", "m.lam"])).toMatchObject({
      code: 0,
      out: '{ "value": 0 }\n',
    });
    const missing = await at.run(["run", "gone.lam", "wave", '{"x": 0}']);
    expect([missing.code, missing.err]).toEqual([2, "error: cannot load ./gone.js, which the model has functions from: there is no such file\n"]); // prettier-ignore
    expect(await at.run(["check", "gone.lam"])).toMatchObject({ code: 0 });
    expect(await at.run(["compile", "gone.lam", "-o", "gone.ts"])).toMatchObject({ code: 0 });
  }, 60_000);

  test("a function that is not there, and one that throws, are told with their places", async () => {
    const at = folder({ "other.lam": 'extern def other (x : R) : R from "./functions.js"\n', "f.lam": 'extern def failing (x : R) : R from "./functions.js"\n' }); // prettier-ignore
    const none = await at.run(["run", "other.lam", "other", '{"x": 0}']);
    expect(none.code).toBe(1);
    expect(none.err).toContain('error[E0607]: "./functions.js" exports no function `other`\n --> other.lam:1:12');
    const thrown = await at.run(["run", "f.lam", "failing", '{"x": 2}']);
    expect(thrown.code).toBe(1);
    expect(thrown.err).toContain("error[E0601]: failing: it has thrown: too large");
  });
});

describe("as text", () => {
  test("is laid out, with its comments", () => {
    const text = `--- Of Bessel.\nextern   def f (x:R)  (ys : [R]) : R -- here\n   from   "./f.js"\n`;
    expect(format({ name: "m.lam", text })).toMatchObject({
      ok: true,
      value: '--- Of Bessel.\nextern def f (x : R) (ys : [R]) : R -- here\n  from "./f.js"\n',
    });
  });

  test("its words are names everywhere else", () => {
    const text = "def extern (from : R) : R = from\n\ndef f (x : R) : R = let extern = x in extern + extern\n";
    expect(compile({ name: "m.lam", text }).diagnostics).toEqual([]);
  });
});
