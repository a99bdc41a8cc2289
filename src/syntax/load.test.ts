import { describe, expect, test } from "vitest";
import { loadProgram } from "./load.js";
import type { Load } from "./loaded-file.js";
import { normalizePath, resolveImport } from "./paths.js";

/** What is loaded for `main` from some files, by path, and what is wrong. */
function loaded(main: string, files: Readonly<Record<string, string>>, name = "m.lam") {
  const asked: string[] = [];
  const load: Load = (path) => {
    asked.push(path);
    return files[path];
  };
  const { value, mistakes } = loadProgram({ name, text: main }, load, new Map());
  return {
    asked,
    files: value.files.map((file) => file.name),
    places: value.files.map(({ place }) => place),
    mistakes,
  };
}

describe("paths", () => {
  test.each([
    ["m.lam", "a.lam", "a.lam"],
    ["./m.lam", "./a.lam", "a.lam"],
    ["models/m.lam", "lib/a.lam", "models/lib/a.lam"],
    ["models/m.lam", "../lib//./a.lam", "lib/a.lam"],
    ["models/m.lam", "../../a.lam", "../a.lam"],
    ["../models/m.lam", "../../a.lam", "../../a.lam"],
    ["/models/m.lam", "../../../a.lam", "/a.lam"],
    ["models/m.lam", "/lib/../a.lam", "/a.lam"],
    ["C:/models/m.lam", "../a.lam", "C:/a.lam"],
    ["<stdin>", "lib/a.lam", "lib/a.lam"],
    ["m.lam", "lib/", "lib/"],
    ["m.lam", "lib/..", "."],
  ])("%s imports %s: %s", (from, path, expected) => {
    expect(resolveImport(from, path)).toBe(expected);
    expect(normalizePath(expected)).toBe(expected);
  });
});

describe("loading", () => {
  test("each file once, whatever ways lead to it", () => {
    const files = {
      "models/lib/a.lam": 'import "b.lam" (b)\nimport "../../base.lam" (c)',
      "models/lib/b.lam": 'import "./../../base.lam" (c)\nimport "../m.lam" (d)',
      "base.lam": "def c = 1",
    };
    const main = 'import "lib/a.lam" (a)\nimport "./lib/b.lam" (b)\nimport "lib/../lib/a.lam" (e)';
    const result = loaded(main, files, "models/m.lam");
    expect(result.mistakes).toEqual([]);
    expect(result.asked).toEqual(["models/lib/a.lam", "models/lib/b.lam", "base.lam"]);
    expect(result.files).toEqual(["models/m.lam", "models/lib/a.lam", "models/lib/b.lam", "base.lam"]);
    expect(result.places).toEqual(["m.lam", "lib/a.lam", "lib/b.lam", "../base.lam"]);
  });

  test("what is shown of a file does not depend on the working directory", () => {
    const files = (folder: string) => ({ [`${folder}lib/a.lam`]: 'import "../b.lam" (b)', [`${folder}b.lam`]: "" });
    for (const folder of ["", "x/", "../x/", "/x/y/"]) {
      const { places } = loaded('import "lib/a.lam" (a)', files(folder), `${folder}m.lam`);
      expect(places).toEqual(["m.lam", "lib/a.lam", "b.lam"]);
    }
    expect(loaded('import "/home/me/a.lam" (a)', { "/home/me/a.lam": "" }).places).toEqual(["m.lam", "a.lam"]);
  });

  test("a file with two names is one file", () => {
    const load: Load = (path) => ({ text: 'import "m2.lam" (f)', id: path.startsWith("m") ? "m.lam" : "a" });
    const { value } = loadProgram(
      { name: "m.lam", text: 'import "a.lam" (a)\nimport "link.lam" (b)' },
      load,
      new Map(),
    );
    expect(value.files.map(({ name }) => name)).toEqual(["m.lam", "a.lam"]);
    const [main] = value.files;
    expect([...value.imported.values()].map((tree) => tree === main.tree)).toEqual([false, false, true]);
  });

  test("the mistakes of all files, and none that follow from them", () => {
    const files = { "a.lam": 'import "gone.lam" (x)\ndef a = (', "b.lam": "def b = [" };
    const { mistakes } = loaded('import "a.lam" (a)\nimport "b.lam" (b)\nimport "c.lam" (c)', files);
    expect(mistakes.map(({ kind, span }) => [kind, span.file])).toEqual([
      ["unexpected", "a.lam"],
      ["unexpected", "b.lam"],
      ["missingFile", "m.lam"],
    ]);
    expect(loaded('import "a.lam" (a)\ndef f = (', files).asked).toEqual([]);
  });

  test("what a loader throws is the reason why a file cannot be read", () => {
    const load: Load = () => {
      throw new Error("the disk is on fire");
    };
    const { mistakes } = loadProgram({ name: "m.lam", text: 'import "a.lam" (a)' }, load, new Map());
    expect(mistakes).toMatchObject([{ kind: "unreadableFile", file: "a.lam", reason: "the disk is on fire" }]);
    const without = loadProgram({ name: "m.lam", text: 'import "a.lam" (a)' }, null, new Map());
    expect(without.mistakes).toMatchObject([{ kind: "noLoader", path: "a.lam" }]);
  });

  test("an ending that was forgotten", () => {
    const files = { "lib/a.lam": "def a = 1" };
    expect(loaded('import "lib/a" (a)', files).mistakes).toMatchObject([{ kind: "missingFile", meant: "lib/a.lam" }]);
    expect(loaded('import "lib/b" (a)', files).mistakes).toMatchObject([{ kind: "missingFile", meant: null }]);
  });

  test("a loader that makes files up comes to an end", () => {
    const load: Load = (path) => `import "x${path}" (f)`;
    const { value, mistakes } = loadProgram({ name: "m.lam", text: 'import "a.lam" (f)' }, load, new Map());
    expect(value.files).toHaveLength(1000);
    expect(mistakes).toMatchObject([{ kind: "tooManyFiles", limit: 1000 }]);
  });
});
