// Inferring one definition again says what inferring all of the program says.

import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fixtureNames, fixturesFolder } from "../../test/support/fixture.js";
import { preludeSource } from "../driver/load-options.js";
import { parseModule } from "../syntax/parse.js";
import type * as Tree from "../syntax/tree.js";
import { inferAll, namesAndTypes } from "./infer.js";
import { mistakesWith } from "./infer-again.js";
import type { TypeMistake } from "./mistakes.js";

const prelude = parseModule(preludeSource).value;

const keys = (mistakes: readonly TypeMistake[]): readonly string[] =>
  [...new Set(mistakes.map((mistake) => JSON.stringify(mistake)))].sort();

/** The file with the bodies of other definitions, one at a time. */
function* changedFiles(tree: Tree.Module): Generator<Tree.Module> {
  const bodies = tree.items.flatMap((item) => (item.kind === "def" ? [item.binding.body] : []));
  for (const [i, item] of tree.items.entries()) {
    if (item.kind !== "def") continue;
    for (const body of [...bodies.slice(0, 3), ...bodies.slice(i, i + 2)])
      yield {
        ...tree,
        items: tree.items.with(i, { ...item, binding: { ...item.binding, body: structuredClone(body) } }),
      };
    yield { ...tree, items: tree.items.with(i, { ...item, binding: { ...item.binding, result: null } }) };
  }
}

test("a definition with another body", () => {
  let again = 0;
  let all = 0;
  for (const group of ["diagnostics", "models", "constructs"]) {
    for (const name of fixtureNames(group)) {
      const text = readFileSync(`${fixturesFolder}${group}/${name}.lam`, "utf8");
      const { value: tree, mistakes } = parseModule({ name, text });
      if (mistakes.length > 0 || tree.items.some(({ kind }) => kind === "import")) continue;
      const { program } = inferAll(tree, prelude, new Map());
      if (program === null) continue;
      for (const changed of changedFiles(tree)) {
        const found = mistakesWith(program, changed);
        all += 1;
        if (found === null) continue;
        again += 1;
        expect(keys(found), name).toEqual(keys(namesAndTypes(changed, prelude, new Map())));
      }
    }
  }
  expect(again).toBeGreaterThan(all / 2);
});
