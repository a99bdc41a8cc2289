// Files compiled apart (KR22 §8.1): a definition's differentiated form does not depend on where it is used.

import { pathToFileURL } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { compile, type StageName } from "../src/index.js";
import { exportOf, functionOf, propertyOf, type EmittedFunction } from "../src/driver/evaluate.js";
import { derivedName } from "../src/emit/interface/public-names.js";
import { apartStages, isTransformation, stageNamed } from "../src/driver/stages.js";
import { Folder } from "./command-line.js";
import { apart, type Files } from "./support/apart.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { functions, levels, recompiled } from "./support/library-models.js";
import { Model } from "./support/model.js";
import { expand, isRecord } from "./support/values.js";
import { typeErrorsIn } from "./support/typecheck.js";

type Exports = (name: string) => EmittedFunction;

const derivative = (stage: StageName): string => (stage === "primal" ? "" : stage === "forward" ? "Jvp" : "Grad");

const isDeep = (name: StageName): boolean => {
  const stage = stageNamed(name);
  return isTransformation(stage) && stage.deep;
};

/** The program as one module. */
function whole(files: Files, stage: StageName): string {
  const result = compile({ name: "app.lam", text: files["app.lam"] ?? "" }, { load: (path) => files[path], target: "js", stage }); // prettier-ignore
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics));
  return result.value.code;
}

/** A value, with 12 digits of its numbers. */
function rounded(value: unknown): unknown {
  if (typeof value === "number") return Number(value.toPrecision(12));
  const made: unknown = JSON.parse(JSON.stringify(value), (_, part: unknown) =>
    typeof part === "number" ? rounded(part) : part,
  );
  return made;
}

describe("files compiled apart", () => {
  const folders: Folder[] = [];
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  /** The exports of one of the modules. */
  const load = async (modules: Files, name = "app.js"): Promise<Exports> => {
    const folder = new Folder({ ...modules, "package.json": '{ "type": "module" }' });
    folders.push(folder);
    const module: unknown = await import(/* @vite-ignore */ pathToFileURL(folder.at(name)).href);
    return (exported) => functionOf(propertyOf(module, exported));
  };

  const cases = Object.entries({ functions, levels }).flatMap(([name, each]) => apartStages.map((stage) => ({ name, stage, ...each }))); // prettier-ignore

  test.each(cases)("$name in $stage: what the whole program gives", async ({ stage, files, calls }) => {
    const app = await load(apart(files, { stage }));
    const all = await load({ "app.js": whole(files, stage) });
    for (const { entry, args, direction } of calls) {
      const given = stage === "forward" ? [...args, ...direction] : args;
      const name = `${entry}${derivative(stage)}`;
      const value = app(name)(...given);
      expect(value).toBeDefined();
      // What takes derivatives is simplified together with what it uses in one module, and apart in two
      const shown = entry === "special" ? rounded : (each: unknown): unknown => each;
      expect([name, shown(value)]).toEqual([name, shown(all(name)(...given))]);
      // Constants are computed anew in each run
      expect(app(name)(...given)).toEqual(value);
    }
  });

  test.each(apartStages)("%s: strict TypeScript", (stage) => {
    for (const { files } of [functions, levels]) {
      const modules = apart(files, { stage, target: "ts" });
      const named = Object.fromEntries(Object.entries(modules).map(([name, text]) => [`/${name}`, text]));
      expect(typeErrorsIn(named)).toEqual([]);
    }
  });

  test.each(apartStages)("%s: another text of a definition needs no other text of what calls it", async (stage) => {
    const { files, changed, args, direction, before, after } = recompiled;
    const modules = apart(files, { stage });
    const again = apart({ ...files, ...changed }, { stage });
    expect(again["app.js"]).toBe(modules["app.js"]);
    const name = `loss${derivative(stage)}`;
    const given = stage === "forward" ? [...args, ...direction] : args;
    const plain = (value: unknown): unknown => (stage === "primal" ? { value } : value);
    const [old, fresh] = [await load(modules), await load({ ...modules, "lib.js": again["lib.js"] ?? "" })];
    expect(plain(old(name)(...given))).toMatchObject(stage === "primal" ? { value: before.value } : before[stage === "forward" ? "jvp" : "grad"]); // prettier-ignore
    expect(plain(fresh(name)(...given))).toMatchObject(stage === "primal" ? { value: after.value } : after[stage === "forward" ? "jvp" : "grad"]); // prettier-ignore
  });

  test("an import goes to the file that defines it", () => {
    const { "app.js": app = "", "lib/mid.js": mid = "" } = apart(levels.files, { stage: "delta-let" });
    expect([...app.matchAll(/from "(.*)"/g)].map(([, path]) => path)).toEqual(["./shared.js", "./lib/mid.js", "./base.js"]); // prettier-ignore
    expect([...mid.matchAll(/from "(.*)"/g)].map(([, path]) => path)).toEqual(["../shared.js", "../base.js"]);
    expect(app.split("\n").filter((line) => /^\/\/ (?:For|From|Copied)/.test(line))).toMatchInlineSnapshot(`
      [
        "// Copied from ./lib/mid.lam: both",
        "// For other modules: loss",
        "// From the module of ./base.lam: times",
        "// From the module of ./lib/mid.lam: dot2",
      ]
    `);
  });

  test.each(apartStages.filter(isDeep))("%s: recursion goes beyond the stack", async (stage) => {
    const app = await load(apart(functions.files, { stage }));
    const value = (entry: string, n: number): unknown => {
      const found = app(`${entry}${derivative(stage)}`)(n, 1, ...(stage === "forward" ? [0, 1] : []));
      return stage === "primal" ? { value: found } : found;
    };
    expect(value("deep", 200000)).toMatchObject({ value: 200000 });
    // Functions of the other module are called by the trampoline
    expect(value("continued", 200000)).toMatchObject({ value: 200006 });
    expect(value("nested", 5)).toMatchObject({ value: 1 });
    // From file to file and back recursion is as deep as the JavaScript stack
    expect(value("across", 1000)).toMatchObject({ value: 1001 });
  });

  const fixtures = ["constructs", "derivatives"].flatMap((group) =>
    fixtureNames(group).map((name) => readFixture(group, name)),
  );
  const alone = fixtures.filter(({ source }) => !/^(?:import|extern) /m.test(source.text));

  test.each(alone)("$group/$name by way of another file", async ({ source, cases }) => {
    const entries = [...new Set(cases.map(({ entry }) => entry))];
    const files = { "lib.lam": source.text, "app.lam": `import "lib.lam" (${entries.join(", ")})\n` };
    const app = await load(apart(files, { stage: "delta-let" }, { "app.lam": entries }));
    const model = new Model({ ...source, name: "lib.lam" });
    const told = (run: EmittedFunction, args: readonly unknown[]): unknown => {
      try {
        const given = run(...structuredClone(args));
        const value = propertyOf(given, "value");
        return rounded([value, typeof value === "number" ? functionOf(propertyOf(given, "pullback"))(1) : null]);
      } catch (error) {
        return String(error);
      }
    };
    for (const { entry, args } of cases) {
      const expanded = expand(args);
      const own = model.parameters(entry).map(({ name }) => (isRecord(expanded) ? expanded[name] : undefined));
      if (own.length === 0) continue;
      const name = derivedName(entry, "vjp");
      expect([entry, told(app(name), own)]).toEqual([entry, told(exportOf(model.module("delta-let"), name), own)]);
    }
  });

  test("stages that need the whole program are refused", () => {
    const source = { name: "m.lam", text: "def f (x : R) : R = x" };
    const message = (stage: StageName): string => {
      try {
        compile(source, { stage, library: true, runtime: "./shared.js" });
        return "";
      } catch (error) {
        return String(error);
      }
    };
    expect((["d1", "d2", "d3", "d4", "delta-vector", "adjoint"] as const).map(message)).toMatchInlineSnapshot(`
      [
        "TypeError: compile: the option library: in the stage d1 the type of a dual number, D1[R], mentions c, which depends on the input of the program",
        "TypeError: compile: the option library: in the stage d2 the type of a dual number, D2[R], mentions c, which depends on the input of the program",
        "TypeError: compile: the option library: in the stage d3 the type of a dual number, D3[R], mentions c, which depends on the input of the program",
        "TypeError: compile: the option library: in the stage d4 the type of a dual number, D4[R], mentions c, which depends on the input of the program",
        "TypeError: compile: the option library: in the stage delta-vector the type of a dual number, D1[R], mentions dS, which depends on the input of the program",
        "TypeError: compile: the option library: the stage adjoint resolves backpropagators over the whole program",
      ]
    `);
    expect(apartStages.map(message).join("")).toBe("");
    expect(() => compile(source, { stage: "tape", library: true })).toThrow("it needs the option runtime");
  });
});
