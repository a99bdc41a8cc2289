// The commands `jvp`, `hvp`, `jacobian` and `hessian`.

import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { functionOf, propertyOf } from "../src/driver/evaluate.js";
import { Folder, type Finished } from "./command-line.js";

const model = `def loss (x : R) (ys : [R]) (n : Z) : R = x ^ 2 * sum ys + toReal n * ys ! 0 ^ 3

def both (x : R) (y : R) : (R, R) = (x * y, x + y ^ 2)

def stopped (x : R) (y : R) : R = stopGradient (x * y) * x

def tree (t : (R, Z) + R) : R = case t of { inl (x, _) -> x ^ 3; inr y -> y }

def count (n : Z) : R = toReal n

def three : R = 3
`;
const point = '{"x": 2, "ys": [1, 3], "n": 5}';
const pair = '{"x": 1, "y": 2}';

const folders: Folder[] = [];

afterEach(() => {
  for (const used of folders.splice(0)) used.remove();
});

function folder(files: Readonly<Record<string, string>> = {}): Folder {
  const made = new Folder({ "m.lam": model, ...files });
  folders.push(made);
  return made;
}

/** The one JSON document on standard output, of a command that has succeeded. */
function documentOf({ code, out, err }: Finished): unknown {
  expect([code, err]).toEqual([0, ""]);
  const value: unknown = JSON.parse(out);
  return value;
}

describe("jvp, hvp, jacobian and hessian", () => {
  test("print one JSON document, which differences agree with, in every kind of stage", async () => {
    const at = folder();
    const tangent = ["--tangent", '{"x": 1, "ys": [0, 2]}'];
    const grad = { x: 16, ys: [19, 4] };
    for (const stage of ["adjoint", "tape", "forward", "primal"]) {
      const of = async (command: string, ...more: readonly string[]): Promise<unknown> =>
        documentOf(await at.run([command, "m.lam", "loss", point, ...more, "--check", "--stage", stage]));
      expect(await of("jvp", ...tangent)).toEqual({ value: 21, tangent: 24 });
      expect(await of("hvp", ...tangent)).toEqual({ value: 21, grad, hvp: { x: 16, ys: [4, 4] } });
      expect(await of("jacobian")).toEqual({ value: 21, rows: 1, columns: 3, jacobian: [16, 19, 4] });
      expect(await of("hessian")).toEqual({ value: 21, grad, size: 3, hessian: [8, 4, 4, 4, 30, 0, 4, 0, 0] });
    }
  }, 60_000);

  test("a result that is not one number has tangents and a Jacobian", async () => {
    const at = folder();
    expect(documentOf(await at.run(["jacobian", "m.lam", "both", pair, "--check"]))).toEqual({
      value: [2, 5],
      rows: 2,
      columns: 2,
      jacobian: [2, 1, 1, 4],
    });
    const along = await at.run(["jvp", "m.lam", "both", pair, "--tangent", '{"x": 1, "y": -1}', "--check"]);
    expect(documentOf(along)).toEqual({ value: [2, 5], tangent: [1, -3] });
    for (const [command, ...more] of [["hvp", "--tangent", pair], ["hessian"]] as const) {
      const { code, out, err } = await at.run([command, "m.lam", "both", pair, ...more]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain("error[E0506]: `both` has no ");
      expect(err).toContain("the result is not one number");
    }
  });

  test("the tangent in a file, on standard input, or written here", async () => {
    const at = folder({ "t.json": pair, "args.json": pair });
    const expected = { value: [2, 5], tangent: [4, 9] };
    for (const [tangent, stdin] of [["t.json"], ["-", pair], [pair]] as const) {
      const options = stdin === undefined ? {} : { stdin };
      const run = await at.run(["jvp", "m.lam", "both", "args.json", "--tangent", tangent], options);
      expect(documentOf(run)).toEqual(expected);
    }
    const twice = await at.run(["jvp", "m.lam", "both", "-", "--tangent", "-"], { stdin: pair });
    expect([twice.code, twice.err]).toEqual([2, "error: standard input (`-`) can stand for one file only\n"]);
    const none = await at.run(["hvp", "m.lam", "loss", point]);
    expect([none.code, none.err]).toEqual([2, "error: required option '--tangent <json>' not specified\n"]);
  });

  test("a gradient is a tangent: integers may be there, and are 0", async () => {
    const tangent = '{"x": 1, "ys": [0, 2], "n": 0}';
    const run = await folder().run(["jvp", "m.lam", "loss", point, "--tangent", tangent]);
    expect(documentOf(run)).toEqual({ value: 21, tangent: 24 });
  });

  test("tangents that do not fit", async () => {
    const at = folder();
    const told = async (entry: string, args: string, tangent: string): Promise<string> => {
      const { code, out, err } = await at.run(["jvp", "m.lam", entry, args, "--tangent", tangent]);
      expect([code, out]).toEqual([1, ""]);
      expect(err).toContain(`error[E0602]: the tangent does not fit \`${entry}\`\n --> m.lam:`);
      return err;
    };
    expect(await told("loss", point, '{"x": 1}')).toContain('expected an object with "x", "ys"\n          found    no "ys"'); // prettier-ignore
    expect(await told("loss", point, "[1]")).toContain("at the tangent\n");
    expect(await told("loss", point, '{"x": 1, "ys": [1]}')).toContain("at ys\n          expected an array of 2, as in the argument\n          found    one of 1"); // prettier-ignore
    expect(await told("loss", point, '{"x": 1, "ys": [1, 2], "n": 1}')).toContain("expected 0, the tangent of an integer"); // prettier-ignore
    expect(await told("loss", point, '{"x": 1, "ys": [1, true]}')).toContain("at ys[1]\n");
    const tree = '{"t": {"tag": "inl", "_0": [2, 1]}}';
    expect(await told("tree", tree, '{"t": {"tag": "inr", "_0": 1}}')).toContain('expected "tag": "inl", as in the argument'); // prettier-ignore
  });

  test("what takes no real numbers has no derivatives", async () => {
    const at = folder();
    const integer = await at.run(["jvp", "m.lam", "count", '{"n": 1}', "--tangent", "{}"]);
    expect([integer.code, integer.out]).toEqual([1, ""]);
    expect(integer.err).toContain("error[E0604]: `count` takes no real numbers: it has no directional derivative");
    const constant = await at.run(["hessian", "m.lam", "three", "{}"]);
    expect(constant.err).toContain("error[E0604]: `three` is a constant: it has no Hessian");
  });

  test("--check fails where differences say otherwise, and names what stops gradients", async () => {
    const at = folder();
    const told = async (command: string, ...more: readonly string[]): Promise<string> => {
      const { code, out, err } = await at.run([command, "m.lam", "stopped", pair, ...more, "--check"]);
      expect(code).toBe(1);
      expect(out).toContain('"value": 2');
      return err;
    };
    const stop = "  finite differences do not stop at `stopGradient`, which is at m.lam:5:35\n";
    const tangent = ["--tangent", '{"x": 1, "y": 1}'];
    const jvp = await told("jvp", ...tangent);
    expect(jvp).toContain("error: the tangent differs from finite differences\n  tangent: adjoint says 2, finite");
    const hvp = await told("hvp", ...tangent);
    expect(hvp).toContain("error: the Hessian times the tangent differs from finite differences\n  x: adjoint says 0,");
    const jacobian = await told("jacobian");
    expect(jacobian).toContain("error: the Jacobian differs from finite differences\n  value by x: adjoint says 2,");
    const hessian = await told("hessian");
    expect(hessian).toContain("error: the Hessian differs from finite differences\n  x by x: adjoint says 0,");
    const grad = await told("grad");
    for (const text of [jvp, hvp, jacobian, hessian, grad]) expect(text.endsWith(stop)).toBe(true);
  });

  test("what the model shows, and where it fails", async () => {
    const text = 'def f (x : R) (n : Z) : R = debug "x" (x * toReal (div 6 n))\n';
    const at = folder({ "f.lam": text });
    const shown = await at.run(["hessian", "f.lam", "f", '{"x": 1, "n": 2}']);
    expect([shown.code, shown.err]).toEqual([0, 'debug f.lam:1:29 "x": 3\n']);
    const failed = await at.run(["jacobian", "f.lam", "f", '{"x": 1, "n": 0}']);
    expect([failed.code, failed.out]).toEqual([1, ""]);
    expect(failed.err).toContain("error[E0601]");
    expect(failed.err).toContain("--> f.lam:1:");
  });

  test("stand in the help, with examples", async () => {
    const { out } = await folder().run(["--help"]);
    for (const command of ["jvp", "hvp", "jacobian", "hessian"]) {
      expect(out).toContain(`  ${command} `);
      const help = await folder().run([command, "--help"]);
      expect([help.code, help.err]).toEqual([0, ""]);
      expect(help.out).toContain(`\nExamples:\n  dualrev ${command} `);
    }
  });

  test("modules have what they export for the parameters that are asked for", async () => {
    const at = folder();
    const compiled = await at.run(["compile", "m.lam", "--entry", "loss", "--wrt", "loss.ys", "--with", "all", "-o", "m.mjs"]); // prettier-ignore
    expect([compiled.code, compiled.err]).toEqual([0, ""]);
    const module: unknown = await import(pathToFileURL(at.at("m.mjs")).href);
    const call = (name: string, ...args: readonly unknown[]): unknown => functionOf(propertyOf(module, name))(...args);
    const point = [2, [1, 3], 5];
    const gradient = new Float64Array(2);
    const flat = functionOf(propertyOf(call("lossFlat", ...point), "valueGrad"));
    const linear = call("lossLinearize", ...point);
    const found = [
      call("lossJvp", ...point, [0, 2]),
      call("lossHessian", ...point),
      flat([1, 3], gradient),
      [...gradient],
      propertyOf(linear, "value"),
      functionOf(propertyOf(linear, "pushforward"))([0, 2]),
      functionOf(propertyOf(linear, "pullback"))(1),
    ];
    const ys = { 0: 19, 1: 4 };
    expect(JSON.parse(JSON.stringify(found))).toEqual([
      { value: 21, tangent: 8 },
      { value: 21, grad: { ys }, size: 2, hessian: { 0: 30, 1: 0, 2: 0, 3: 0 } },
      21,
      [19, 4],
      21,
      8,
      { ys },
    ]);
  }, 60_000);
});

describe("check --rules", () => {
  const rules = `def square (x : R) : R = x * x

rule derivative square x dx = 2 * x * dx

def scaled (x : R) (ys : [R]) : [R] = map (\\y. x * y) ys

rule pullback scaled x ys w = (dot ys w, map (\\a. 2 * x * a) w)
`;

  test("is silent where rules are right, and names the entries that differ", async () => {
    const at = folder({ "r.lam": rules });
    const right = await at.run(["check", "r.lam", "--rules", '{"square": {"x": 3}}']);
    expect(right).toMatchObject({ code: 0, out: "", err: "" });
    const wrong = await at.run(["check", "r.lam", "--rules", '{"scaled": {"x": 3, "ys": [1]}, "square": {"x": 3}}']);
    expect([wrong.code, wrong.out]).toEqual([1, ""]);
    expect(wrong.err).toContain("the rule for `scaled`: [0].ys[0]: the rule says 6, the text of the definition 3\n");
    expect(wrong.err).toContain("finite differences say");
    expect(wrong.err).not.toContain("square");
  });

  test("names a definition without a rule, and refuses other documents", async () => {
    const at = folder({ "r.lam": rules });
    const missing = await at.run(["check", "r.lam", "--rules", '{"cube": {"x": 3}}']);
    expect([missing.code, missing.err.split("\n")[0]]).toEqual([1, "error[E0604]: there is no rule for `cube` in this file"]); // prettier-ignore
    expect((await at.run(["check", "r.lam", "--rules", "[1]"])).code).toBe(2);
    expect((await at.run(["check", "m.lam", "--rules", '{"loss": {}}'])).err).toContain("it has no rules");
  });
});

test("a rule that gives another shape fails in every stage where it is asked, and nowhere else", async () => {
  const text = `def twice (xs : [R]) : [R] = map (\\x. 2 * x) xs
rule derivative twice xs dxs = build (length xs - 1) (\\i. 2 * dxs ! i)
def doubled (xs : [R]) : R = sum (twice xs)
def squares (xs : [R]) : [R] = map (\\x. x * x) xs
rule pullback squares xs w = append (zipWith (\\x a. 2 * x * a) xs w) w
def squared (xs : [R]) : R = sum (squares xs)
def rest (xs : List R) : List R = case xs of { Nil -> Nil; _ :: ys -> ys }
rule derivative rest _xs dxs = dxs
def stretched (xs : [R]) : R = listSum (rest (xs ! 0 :: xs ! 1 :: Nil))
`;
  const at = folder({ "shapes.lam": text });
  const of = async (...command: readonly string[]): Promise<Finished> => at.run([...command, '{"xs": [1, 2]}']);
  expect(documentOf(await of("run", "shapes.lam", "squared"))).toEqual({ value: 5 });
  const problems = { doubled: "twice`: the lengths 2 and 1", squared: "squares`: the lengths 2 and 4", stretched: "rest`: the lengths 0 and 1" } as const; // prettier-ignore
  for (const [entry, problem] of Object.entries(problems)) {
    for (const stage of ["adjoint", "tape", "forward", "d4"]) {
      const { code, err } = await of("grad", "--stage", stage, "shapes.lam", entry);
      expect([code, err.split("\n")[0]]).toEqual([1, `error[E0601]: run-time error in \`${problem} must be the same`]);
    }
  }
}, 60_000);
