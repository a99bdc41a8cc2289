import prettier from "prettier";
import { expect, it } from "vitest";
import { typeErrors } from "../../test/support/typecheck.js";
import { embeddedDeclarations } from "../runtime/embedded.js";
import { fragmentName, fragmentsFor } from "../runtime/fragments.js";
import { renameInText } from "./rename-text.js";

const references = embeddedDeclarations.map(({ reference }) => reference);
const names = references.map(fragmentName);

/** The declarations of one file of the runtime with what they need: different files may declare the same name. */
function textOf(file: string, isType: (name: string) => boolean): string {
  const own = references.filter((reference) => reference.startsWith(`${file}.`));
  const fragments = fragmentsFor(own, { counted: false });
  const renamed = fragments.map(({ reference }) => fragmentName(reference));
  const fresh = (chosen: readonly string[]): ReadonlyMap<string, string> =>
    new Map(chosen.map((name) => [name, `${name}Renamed`]));
  const renaming = { values: fresh(renamed.filter((name) => !isType(name))), types: fresh(renamed.filter(isType)) };
  return fragments
    .map(({ ts }) => `export ${renameInText(ts, renaming).replace(/^\/\*\*[^]*?\*\/\n/, "")}`)
    .join("\n\n");
}

const types = new Set(
  embeddedDeclarations.filter(({ plain }) => plain.js === "").map(({ reference }) => fragmentName(reference)),
);

it.each([...new Set(references.map((reference) => reference.slice(0, reference.indexOf("."))))])(
  "every declaration of runtime/%s can have another name",
  (file) => {
    expect(names.length).toBeGreaterThan(0);
    expect(typeErrors(textOf(file, (name) => types.has(name)))).toEqual([]);
  },
);

// As a module has it where an exported name is that of the runtime: with a digit behind it
it.each([...references])(
  "prettier leaves %s alone where it and what it mentions have longer names",
  async (reference) => {
    for (const counted of [false, true]) {
      const fragment = fragmentsFor([reference], { counted }).at(-1);
      const mentioned = [reference, ...(fragment?.needs ?? [])].map(fragmentName);
      for (const names of [mentioned, ...mentioned.map((name) => [name])]) {
        const longer = (chosen: readonly string[]): ReadonlyMap<string, string> =>
          new Map(chosen.map((name) => [name, `${name}1`]));
        const renaming = {
          values: longer(names.filter((name) => !types.has(name))),
          types: longer(names.filter((name) => types.has(name))),
        };
        for (const parser of ["typescript", "babel"] as const) {
          const text = renameInText(fragment?.[parser === "babel" ? "js" : "ts"] ?? "", renaming);
          // Names are longer, so that where a line may break the text is too wide as it is
          if (text.split("\n").every((line) => line.length <= 80)) continue;
          expect(`${text}\n`).toBe(await prettier.format(text, { parser }));
        }
      }
    }
  },
);

it("properties keep their names", () => {
  const renaming = { values: new Map([["run", "run1"]]), types: new Map() };
  const renamed = (text: string): string => renameInText(text, renaming);
  expect(renamed("run(x.run, rerun, runs)")).toBe("run1(x.run, rerun, runs)");
  expect(renamed("return { run, a: run, run: a };")).toBe("return { run: run1, a: run1, run: a };");
  expect(renamed("let run: number = 0; // run")).toBe("let run1: number = 0; // run");
  expect(renamed("f(...run, ...x.run)")).toBe("f(...run1, ...x.run)");
  expect(renamed('f("run", `run ${run(1)}`)')).toBe('f("run", `run ${run1(1)}`)');
});
