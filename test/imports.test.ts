// Models of several files, by way of the library.

import { describe, expect, test } from "vitest";
import {
  check,
  compile,
  cost,
  grad,
  renderDiagnostics,
  run,
  stageNames,
  steps,
  textOf,
  type Load,
} from "../src/index.js";
import { args, document, files, model } from "./support/several-files.js";

describe("the library", () => {
  const source = { name: "m.lam", text: model };
  const others: ReadonlyMap<string, string> = new Map(Object.entries(files));
  const load: Load = (path) => others.get(path);

  test("every function reads imports", () => {
    expect(check(source, { load })).toEqual({ ok: true, diagnostics: [] });
    expect(run(source, "f", args, { load })).toMatchObject({ ok: true, value: 140 });
    for (const stage of stageNames.filter((name) => name !== "primal")) {
      expect([stage, grad(source, "f", args, { load, stage, check: true })]).toMatchObject([
        stage,
        { ok: true, value: { document, differences: [] } },
      ]);
    }
    const shown = steps(source, { load, from: "tape", to: "tape" });
    expect(shown.ok && shown.value[0]?.term).toContain("dot3");
    expect(cost(source, "f", args, { load })).toMatchObject({ ok: true });
  });

  test("without a loader imports are mistakes", () => {
    for (const { diagnostics } of [check(source), compile(source), run(source, "f", args), grad(source, "f", args)]) {
      expect(diagnostics).toMatchObject([{ code: "E0209", label: "no other file can be read here" }]);
    }
  });

  test("the file's own definitions are exported, and those of its imports that are asked for", () => {
    const exported = (entries: readonly string[] | null) => {
      const compiled = compile(source, { load, entries, stage: "primal" });
      return compiled.ok ? compiled.value.exports : compiled.diagnostics.map(({ code }) => code);
    };
    expect(exported(null)).toEqual(["f"]);
    expect(exported(["dot3", "f"])).toEqual(["dot3", "f"]);
    // not named by an import of the model
    expect(exported(["times"])).toEqual(["E0501"]);
    const asked = compile(source, { load, entries: ["dot3"] });
    expect(asked.ok && asked.value.code).toContain("/**\n * The inner product.\n");
    expect(asked.ok && asked.value.code).toContain("/** A vector. */\nexport type Vec3 = {");
  });

  test("a file that changes is loaded again", () => {
    let factor = 2;
    const changing: Load = (path) => (path === "a.lam" ? `def a = ${factor}.0` : null);
    const text = 'import "a.lam" (a)\ndef g (x : R) : R = a * x';
    const value = (): unknown => {
      const result = run({ name: "changing.lam", text }, "g", { x: 1 }, { load: changing });
      return result.ok ? result.value : result.diagnostics.map(({ code }) => code);
    };
    expect(value()).toBe(2);
    factor = 3;
    expect(value()).toBe(3);
    expect(value()).toBe(3);
  });

  test("a run-time error in an imported file shows that file", () => {
    const lists = 'import "lib/at.lam" (at)\ndef g (xs : [R]) : R = at xs 7';
    const source = { name: "models/g.lam", text: lists };
    const at: Load = (path) => (path === "models/lib/at.lam" ? "def at (xs : [R]) (i : Z) : R =\n  xs ! i\n" : null);
    const result = run(source, "g", { xs: [1] }, { load: at });
    expect(renderDiagnostics(result.diagnostics, textOf(source, at), { colors: false, limit: 5 }))
      .toMatchInlineSnapshot(`
        "error[E0601]: run-time error in \`at\`: index 7 is outside an array of length 1
         --> models/lib/at.lam:2:3
          |
        2 |   xs ! i
          |   ^^ it happened here
         ::: models/g.lam:2:5
          |
        2 | def g (xs : [R]) : R = at xs 7
          |     - while \`g\` was evaluated

        1 error
        "
      `);
  });
});
