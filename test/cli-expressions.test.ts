// Expressions: `run -e`, `repl`, and what `check --types` says of definitions.

import { afterEach, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";

const model = `--- Squares anything.
def square x = x * x

--- Applies twice.
--- Any function will do.
def twice (f : R -> R) (x : R) : R = f (f x)

data Line = Line { slope : R, offset : R }

def at (line : Line) (x : R) : R = line.slope * x + line.offset

def loss (w : [R]) (x : R) : R = sum (map square w) * x
`;

describe("expressions", () => {
  const folders: Folder[] = [];
  const folder = (): Folder => {
    const made = new Folder({ "models/m.lam": model, "wrong.lam": "def f (x : R) : R = y\n" });
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  test("check --types prints what there is, and why something is not exported", async () => {
    const at = folder();
    const { code, out } = await at.run(["check", "--types", "models/m.lam"]);
    expect([code, out]).toEqual([
      0,
      `--- Squares anything.
square : a -> a    (a: R or Z)

--- Applies twice.
--- Any function will do.
twice : (R -> R) -> R -> R
  not exported: its parameter f is a function: R -> R

at : Line -> R -> R

loss : [R] -> R -> R
`,
    ]);
    const json = await at.run(["check", "--types", "--json", "models/m.lam"]);
    const [, first = ""] = /^(.*"name":"square".*)$/m.exec(json.out) ?? [];
    expect(JSON.parse(first)).toMatchObject({ name: "square", type: "a -> a", exported: true, reason: null });
    const wrong = await at.run(["check", "--types", "wrong.lam"]);
    expect([wrong.code, wrong.out]).toEqual([1, ""]);
    expect(wrong.err).toContain("there is no variable `y`");
  });

  test("run -e evaluates with the definitions of a model", async () => {
    const at = folder();
    const value = async (...args: readonly string[]): Promise<string> => {
      const { code, out, err } = await at.run(["run", ...args]);
      expect([code, err]).toEqual([0, ""]);
      return out;
    };
    expect(await value("-e", "lgamma 3")).toBe('{ "value": 0.6931471805599453 }\n');
    expect(await value("-e", "loss [1, 2] 3", "--load", "models/m.lam")).toBe('{ "value": 15 }\n');
    expect(await value("-e", "Line { slope = 1, offset = 2 }", "--load", "models/m.lam")).toBe(
      '{ "value": { "slope": 1, "offset": 2 } }\n',
    );
    const failing = async (...args: readonly string[]) => {
      const { code, out, err } = await at.run(["run", ...args]);
      expect(out).toBe("");
      return [code, err];
    };
    expect(await failing("-e", "[1] ! 1")).toEqual([
      1,
      expect.stringContaining("1 | def it = [1] ! 1\n  |          ^ it happened here"),
    ]);
    expect(await failing("-e", "\\x. x + 1.0")).toEqual([2, "error: the expression is a function, R -> R: apply it\n"]);
    expect(await failing("-e", "f 1", "--load", "wrong.lam")).toEqual([1, expect.stringContaining("wrong.lam:1:21")]);
    expect(await failing("-e", "1", "m.lam")).toEqual([
      2,
      "error: -e takes the definitions of a model by --load m.lam\n",
    ]);
    expect(await failing("models/m.lam", "loss")).toEqual([
      2,
      "error: the arguments are missing: dualrev run FILE ENTRY ARGS, or dualrev run -e EXPRESSION\n",
    ]);
  });

  test("repl keeps definitions, and goes on after mistakes", async () => {
    const at = folder();
    const stdin = [
      "lgamma 3",
      ":type \\x. sin x",
      ":grad loss [1, 2] 3",
      "def f (x : R) (y : R) : R =",
      "  x * y",
      ":grad f 3 4",
      "f 1 true",
      "def f (x : R) : R = x ^ 2",
      "f 3",
      "let a = 1 in",
      "a + 1",
      ":grad at (Line { slope = 2, offset = 1 }) 3",
      ":grad (\\p. fst p * 2) (1.0, 2.0)",
      ":grad 3",
      ":load none.lam",
      ":what",
      "f",
      ":load",
      'debug "half" (1.0 / 2) + 1',
      ":quit",
      "f 3",
    ].join("\n");
    const { code, out, err } = await at.run(["repl", "models/m.lam"], { stdin });
    expect(code).toBe(1);
    expect(out.split("\n")).toEqual([
      "0.6931471805599453 : R",
      "R -> R",
      '{ "value": 15, "grad": { "w": [6, 12], "x": 5 } }',
      "f : R -> R -> R",
      '{ "value": 12, "grad": { "x": 4, "y": 3 } }',
      "f : R -> R",
      "9 : R",
      "2 : R",
      '{ "value": 7, "grad": { "line": { "slope": 3, "offset": 1 }, "x": 2 } }',
      '{ "value": 2, "grad": { "x1": [2, 0] } }',
      "a function : R -> R",
      'debug <input>:1:10 "half": 0.5',
      "1.5 : R",
      "",
    ]);
    expect(err).toContain("1 | def it = f 1 true");
    expect(err).toContain("only a function that is applied has a gradient here");
    expect(err).toContain("cannot read none.lam");
    expect(err).toContain("a file is missing: `:load model.lam`");
    expect(err).toContain("there is no :what: there are :type, :grad, :load, :help and :quit");
    expect((await at.run(["repl"], { stdin: "1 + 1\n" })).code).toBe(0);
    // What the end cuts off is a mistake
    expect((await at.run(["repl"], { stdin: "let a = 1 in" })).code).toBe(1);
  });
});
