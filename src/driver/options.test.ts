import { describe, expect, test } from "vitest";
import * as dualrev from "../index.js";

const source = { name: "m.lam", text: "def f (x : R) (y : R) : R = x * y\n" };

/** What a call throws, which TypeScript would not let pass. */
function thrown(
  name: "check" | "compile" | "cost" | "dump" | "format" | "grad" | "hessian" | "jvp" | "run" | "steps",
  ...args: unknown[]
): string {
  try {
    Reflect.apply(dualrev[name], undefined, args);
  } catch (error) {
    return String(error);
  }
  return "nothing";
}

describe("what is passed to the library", () => {
  test.each([
    [thrown("compile", "def f x = x"), "compile: a model is an object with the strings name and text"],
    [thrown("check", { text: "def f x = x" }), "check: a model is an object with the strings name and text"],
    [thrown("format", null), "format: a model is an object with the strings name and text"],
    [thrown("compile", source, null), "compile: the options must be an object, and are null"],
    [
      thrown("compile", source, { stage: "tpae" }),
      /^TypeError: compile: the option `stage` must be one of the stages primal, .*, adjoint, and is "tpae": did you mean `tape`\?$/,
    ],
    [
      thrown("compile", source, { with: ["grad", "gard"] }),
      /^TypeError: compile: the option `with` must be a list of vjp, .*, all, and has "gard": did you mean `grad`\?$/,
    ],
    [
      thrown("compile", source, { with: "all" }),
      /^TypeError: compile: the option `with` must be a list .*, and is "all"$/,
    ],
    [
      thrown("check", source, { laod: () => null }),
      "check: there is no option `laod`: did you mean `load`? There are load",
    ],
    [thrown("compile", source, { target: "cjs" }), 'compile: the option `target` must be "ts" or "js", and is "cjs"'],
    [
      thrown("compile", source, { entries: "f" }),
      'compile: the option `entries` must be an array of strings, and is "f"',
    ],
    [
      thrown("compile", source, { wrt: [1] }),
      "compile: the option `wrt` must be an array of strings, and is an array of other values",
    ],
    [
      thrown("compile", source, { entry: ["f"] }),
      "compile: there is no option `entry`: did you mean `entries`? There are command, debug, entries, externPath, library, load, modulePath, onPass, runtime, sourceMap, stage, target, threads, verify, with, wrt",
    ],
    [thrown("check", source, { load: "lib" }), 'check: the option `load` must be a function, and is "lib"'],
    [thrown("run", source, 1, {}), "run: the definition must be a string, and is 1"],
    [thrown("grad", source, "f", {}, { check: 1 }), "grad: the option `check` must be true or false, and is 1"],
    [
      thrown("jvp", source, "f", {}, {}, { tangent: {} }),
      "jvp: there is no option `tangent`; there are check, externs, load, stage",
    ],
    [thrown("hessian", source, "f", {}, { stage: 1 }), /^TypeError: hessian: the option `stage` must be one of/],
    [
      thrown("cost", source, "f", {}, { budget: NaN }),
      "cost: the option `budget` must be a positive number, and is NaN",
    ],
    [thrown("dump", source, "nope"), /^TypeError: dump: the pass must be one of inline, .*, and is "nope"$/],
    [thrown("steps", source, { from: "tape", to: "d1" }), "steps: from tape is behind to d1"],
  ])("%s", (message, expected) => {
    if (typeof expected === "string") expect(message).toBe(`TypeError: ${expected}`);
    else expect(message).toMatch(expected);
  });

  test("options that are undefined or null are left out", () => {
    for (const nothing of [undefined, null]) {
      const options = {
        stage: nothing,
        entries: nothing,
        wrt: nothing,
        target: nothing,
        load: nothing,
        onPass: nothing,
      };
      expect(thrown("compile", source, options)).toBe("nothing");
    }
  });

  test("parameters are written with their definition", () => {
    const result = dualrev.compile(source, { wrt: ["y"] });
    expect(result.diagnostics).toMatchObject([
      {
        code: "E0513",
        title: "`y` names no parameter: one is written as `definition.parameter`",
        notes: ["there are `f.x`, `f.y`"],
      },
    ]);
  });

  test("a loader that gives a promise is told so", () => {
    const importing = { name: "m.lam", text: 'import "a.lam" (g)\n\ndef f (x : R) : R = g x\n' };
    const load: unknown = () => Promise.resolve("def g (x : R) : R = x");
    const result: unknown = Reflect.apply(dualrev.check, undefined, [importing, { load }]);
    expect(result).toMatchObject({
      ok: false,
      diagnostics: [{ code: "E0213", label: "`load` has to give a text, at once: files cannot be waited for" }],
    });
  });

  test("diagnostics are rendered without options", () => {
    const wrong = { name: "m.lam", text: "def f (x : R) : R = z\n" };
    const text = dualrev.renderDiagnostics(dualrev.check(wrong).diagnostics, dualrev.textOf(wrong));
    expect(text).toMatch(/^error\[E0201\]: there is no variable `z`\n --> m.lam:1:21\n/);
  });
});
