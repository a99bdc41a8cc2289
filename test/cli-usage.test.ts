// Options and arguments of `dualrev` that do not go together, or can be given in several ways.

import { existsSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = "def f (x : R, y : R) : R =\n  let z = x + y in\n  x * z\n\ndef g (x : R) : [R] = [x, 2 * x]\n";

describe("usage", () => {
  const folders: Folder[] = [];
  const folder = (): Folder => {
    const made = new Folder({ "m.lam": model });
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  test("documents may be written on the command line", async () => {
    const at = folder();
    const point = '{"x": 3, "y": 4}';
    expect((await at.run(["run", "m.lam", "f", point])).out).toBe('{ "value": 21 }\n');
    expect((await at.run(["grad", "m.lam", "f", ` ${point}`])).out).toBe(
      '{ "value": 21, "grad": { "x": 10, "y": 3 } }\n',
    );
    expect((await at.run(["cost", "m.lam", "f", point])).out).toMatch(/^stage +primitives/);
    expect((await at.run(["grad", "m.lam", "g", '{"x": 3}', "--cotangent", "[1, 10]"])).out).toBe(
      '{ "value": [3, 6], "grad": { "x": 21 } }\n',
    );
    const { code, err } = await at.run(["run", "m.lam", "f", '{"x": 3']);
    expect([code, err]).toEqual([
      2,
      "error: the document on the command line is not JSON: `}` is expected, line 1, column 8\n",
    ]);
  });

  test("what is typed by habit is answered with what to type", async () => {
    const at = folder();
    const errorOf = async (...args: string[]): Promise<string> => {
      const { code, err } = await at.run(args);
      expect(code).toBe(2);
      return err;
    };
    expect(await errorOf("m.lam")).toBe("error: m.lam is a model, not a command: dualrev compile m.lam\n");
    expect((await at.run(["-v"])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await errorOf("compile", "m.lam", "--entry", "f g")).toContain("Names are separated by commas: `f,g`.");
    expect(await errorOf("compile", "m.lam", "--wrt", "f.x.a")).toContain("Parameters are differentiated as a whole: `f.x`"); // prettier-ignore
    expect(await errorOf("compile", "m.lam", "-o", "x.d.lam.ts")).toContain(
      "x.d.lam.ts is a name of declarations: -o x.js",
    );
    expect((await at.run(["grad", "m.lam", "f", '{"x": 3, "y": 4}', "--cotangent", "2"])).out).toBe(
      '{ "value": 21, "grad": { "x": 20, "y": 6 } }\n',
    );
    expect((await at.run(["run", "m.lam", "f", "-"], { stdin: "" })).err).toBe(
      "error: nothing came on standard input, where a JSON document is expected\n",
    );
  });

  test("--check takes line ends as a checkout has made them", async () => {
    const at = folder();
    expect((await at.run(["compile", "m.lam", "-o", "m.ts"])).code).toBe(0);
    for (const name of ["m.ts", "m.lam"]) {
      writeFileSync(at.at(name), readFileSync(at.at(name), "utf8").replaceAll("\n", "\r\n"));
    }
    expect(await at.run(["compile", "m.lam", "-o", "m.ts", "--check"])).toEqual({ code: 0, out: "", err: "" });
    expect(await at.run(["fmt", "m.lam", "--check"])).toEqual({ code: 0, out: "", err: "" });
    await at.run(["fmt", "m.lam"]);
    expect(readFileSync(at.at("m.lam"), "utf8")).toContain("\r\n");
  });

  test("several models in one command", async () => {
    const at = new Folder({ "a.lam": model, "sub/b.lam": "def h (x : R) : R = sin x\n", "bad.lam": "def h : R = x\n" });
    folders.push(at);
    expect(await at.run(["compile", "a.lam", "sub/b.lam", "--out-dir", "gen/models"])).toEqual({
      code: 0,
      out: "",
      err: "",
    });
    expect(readFileSync(at.at("gen/models/a.grad.ts"), "utf8")).toContain("export function fGrad(");
    expect(readFileSync(at.at("gen/models/b.grad.ts"), "utf8")).toContain("export function hGrad(");
    expect((await at.run(["compile", "a.lam", "sub/b.lam", "--out-dir", "gen/models", "--check"])).code).toBe(0);
    const { code, err } = await at.run(["compile", "bad.lam", "a.lam", "--out-dir", "js", "--target", "js"]);
    expect([code, existsSync(at.at("js/a.grad.js")), existsSync(at.at("js/a.grad.d.ts"))]).toEqual([1, true, true]);
    expect(err).toContain("error[E0201]");
    const usage = async (...args: string[]): Promise<string> => (await at.run(["compile", ...args])).err;
    expect(await usage("a.lam", "sub/b.lam")).toBe(
      "error: several models need a folder: dualrev compile a.lam sub/b.lam --out-dir gen\n",
    );
    expect(await usage("a.lam", "sub/a.lam", "--out-dir", "g")).toContain("two of the models would be compiled to");
    expect(await usage("a.lam", "b.lam", "--out-dir", "g", "--entry", "f")).toContain("--entry is about one model");
    expect(await usage("a.lam", "--out-dir", "g", "-o", "a.ts")).toContain("exclude each other");
  });

  test("--with says which derivatives a module has", async () => {
    const at = folder();
    const exportsOf = async (...args: string[]): Promise<readonly string[]> => {
      const { out } = await at.run(["compile", "m.lam", ...args]);
      return [...out.matchAll(/^export function (\w+)/gm)].map(([, name = ""]) => name);
    };
    expect(await exportsOf()).toEqual(["f", "fVjp", "fGrad", "g", "gVjp"]);
    expect(await exportsOf("--with", "grad")).toEqual(["f", "fGrad", "g"]);
    expect(await exportsOf("--with", "vjp", "--stage", "tape")).toEqual(["f", "fVjp", "g", "gVjp"]);
    expect(await exportsOf("--with", "jvp,hvp")).toEqual(["f", "g", "fJvp", "fHvp", "gJvp"]);
    expect((await at.run(["compile", "m.lam", "--with", "hess"])).err).toContain(
      "The derivatives are vjp, grad, jvp, hvp, jacobian, hessian, linearize, flat, and all.",
    );
  });

  test("help of a command that there is not", async () => {
    const at = folder();
    expect((await at.run(["help", "run"])).out).toBe((await at.run(["run", "--help"])).out);
    expect((await at.run(["help"])).out).toBe((await at.run(["--help"])).out);
    expect(await at.run(["help", "nope"])).toEqual({
      code: 2,
      out: "",
      err: "error: there is no command nope: the commands are compile, build, check, steps, run, repl, grad, jvp, hvp, jacobian, hessian, cost, bisect, fmt, lsp, help\n",
    });
  });

  test("options of one stage do not go with another", async () => {
    const at = folder();
    expect((await at.run(["compile", "m.lam", "--dump", "cse", "--stage", "adjoint"])).code).toBe(0);
    expect((await at.run(["compile", "m.lam", "--dump", "flaten"])).err).toContain("did you mean `flatten`?");
    expect(await at.run(["compile", "m.lam", "--dump", "cse", "--stage", "tape"])).toEqual({
      code: 2,
      out: "",
      err: "error: --dump shows passes of the stage adjoint: not of --stage tape\n",
    });
  });

  test("an output may be a link to a file that is still to be made", async () => {
    const at = folder();
    symlinkSync("new.ts", at.at("link.ts"));
    expect((await at.run(["compile", "m.lam", "-o", "link.ts"])).code).toBe(0);
    expect([lstatSync(at.at("link.ts")).isSymbolicLink(), existsSync(at.at("new.ts"))]).toEqual([true, true]);
  });

  test("outputs at paths that lead nowhere are said in one line", async () => {
    const at = folder();
    symlinkSync("loop.ts", at.at("loop.ts"));
    for (const [out, problem] of [
      ["loop.ts", "too many symbolic links"],
      ["m.lam/x.ts", "a part of the path is not a directory"],
      [`${"long".repeat(100)}.ts`, "the name is too long"],
    ] as const) {
      const { code, err } = await at.run(["compile", "m.lam", "-o", out]);
      expect([code, err]).toEqual([2, `error: cannot write ${out}: ${problem}\n`]);
    }
  });
});

describe("warnings", () => {
  const model = 'import "lib.lam" (half, Line, Cup)\ndef f (x : R) (c : Cup) : R = let y = x in x + c.level\n';
  const lib =
    "def half (x : R) : R = x / 2\n" +
    "data Line = Line { slope : R }\ndata Cup = Cup { level : R }\ndef unused (x : R) (y : R) : R = x\n";

  test("do not stop anything, unless they are denied, and are those of the model alone", async () => {
    const at = new Folder({ "m.lam": model, "lib.lam": lib, "lib2.lam": "def once h = h 1.0\n" });
    try {
      const { code, err } = await at.run(["check", "m.lam"]);
      expect(code).toBe(0);
      expect(err.match(/^warning.*/gm)).toEqual([
        "warning[W0103]: `half` is imported, and not used",
        "warning[W0103]: `Line` is imported, and not used",
        "warning[W0101]: the variable `y` is not used",
      ]);
      expect(err).toMatch(/^3 warnings$/m);
      const denied = `${err}error: m.lam has warnings, and --deny-warnings is given\n`;
      const told = { code: 1, out: "", err: denied };
      expect(await at.run(["check", "m.lam", "--deny-warnings"])).toEqual(told);
      expect(await at.run(["compile", "m.lam", "-o", "m.ts", "--deny-warnings"])).toEqual(told);
      expect((await at.run(["check", "m.lam", "--deny-warnings", "--json"])).code).toBe(1);
      expect(existsSync(at.at("m.ts"))).toBe(false);
      const compiled = await at.run(["compile", "m.lam", "-o", "m.ts"]);
      expect([compiled.code, compiled.err]).toEqual([0, err]);
      const json = await at.run(["check", "m.lam", "--json"]);
      expect(json.out).toContain('"code":"W0101","severity":"warning"');
      expect((await at.run(["run", "m.lam", "f", '{"x": 1, "c": {"level": 2}}'])).err).toBe("");
      expect(await at.run(["check", "lib2.lam", "--deny-warnings"])).toEqual({ code: 0, out: "", err: "" });
      expect((await at.run(["compile", "lib2.lam", "-o", "lib2.ts", "--deny-warnings"])).err).toMatch(
        /^warning: lib2.lam has no definition that can be exported\n(.*\n)*error: lib2.lam has warnings/,
      );
    } finally {
      at.remove();
    }
  });
});
