// What modules use of the runtime, in one module that they import, instead of in each of them.

import { embeddedDeclarations } from "../runtime/embedded.js";
import type { Stage } from "../stages/stage.js";
import { typesMentioned } from "../typescript/mentioned.js";
import { fragmentFile, fragmentName, fragmentsFor, type Fragment } from "../runtime/fragments.js";
import type { TsDeclaration, TsFragment, TsModule } from "../typescript/tree.js";
import { ownNumbers } from "./own-memory.js";
import { fragmentDeclaration } from "./rename.js";

/** A module without the parts of the runtime, and the references (`file.name`) of those that it imports. */
export interface Importing {
  readonly module: TsModule;
  readonly references: readonly string[];
}

/** The module with what it mentions of the runtime imported `from` the module of `runtimeModule`. */
export function importingRuntime({ header, declarations }: TsModule, from: string): Importing {
  const own = declarations.filter((declaration) => declaration.kind !== "fragment");
  const mentioned = declarations.filter(
    (declaration): declaration is TsFragment => declaration.kind === "fragment" && declaration.isDirect,
  );
  if (mentioned.length === 0) return { module: { header, declarations }, references: [] };
  const imported = mentioned
    .map(({ reference, name, js }) => ({ name: sharedName(reference), as: name, isType: js === "" }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  // Arrays of the runtime are of this type
  const numbers = own.includes(ownNumbers) || !typesMentioned(own).has(ownNumbers.name) ? [] : [ownNumbers];
  return {
    module: { header, declarations: [{ kind: "import", names: imported, from }, ...numbers, ...own] },
    references: mentioned.map(({ reference }) => reference),
  };
}

/** The module that has the parts of the runtime with these references, for modules of any stages. */
export function runtimeModule(references: Iterable<string>, header: readonly string[]): TsModule {
  const roots = new Set(references);
  const fragments = fragmentsFor(roots, { counted: false, shared: true }).map(shared);
  const names = fragments
    .filter(({ reference }) => roots.has(reference))
    .map(({ name, js }) => ({ name, isType: js === "" }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  const exported: readonly TsDeclaration[] = names.length === 0 ? [] : [{ kind: "export", names }];
  return { header, declarations: [{ ...ownNumbers, exported: true }, ...fragments, ...exported] };
}

/** Files of the runtime that modules of any stage use. */
const commonFiles = ["arrays", "buffers", "compressed", "debug", "deep", "impossible", "limits", "numbers", "values"];

/** The references of all that modules of a stage may use of the runtime: the same for each, so that they are compiled one by one. */
export function libraryNeeds({ operations, opaqueTypes, monoids }: Stage): readonly string[] {
  const used = [
    ...[...operations.values()].map(({ runtime }) => runtime),
    ...[...opaqueTypes.values()].flatMap(({ runtime }) => runtime ?? []),
    ...monoids.flatMap(({ zero, plus, sum }) => [zero, plus, sum]),
  ];
  const files = new Set([...commonFiles, ...used.map(fragmentFile)]);
  return embeddedDeclarations.flatMap(({ reference }) => (files.has(fragmentFile(reference)) ? [reference] : []));
}

/** A fragment under its name among all of the runtime. */
function shared(fragment: Fragment): TsFragment {
  const renamed = [fragment.reference, ...fragment.needs].filter((each) => sharedName(each) !== fragmentName(each));
  const names = new Map(renamed.map((each) => [fragmentName(each), sharedName(each)]));
  return fragmentDeclaration(fragment, { values: names, types: names }, true);
}

const owners = new Map<string, number>();
for (const { reference } of embeddedDeclarations) {
  const name = fragmentName(reference);
  owners.set(name, (owners.get(name) ?? 0) + 1);
}

/** The name of a part of the runtime among all of them: several stages have an `sCall`. */
function sharedName(reference: string): string {
  const name = fragmentName(reference);
  if (owners.get(name) === 1) return name;
  const file = fragmentFile(reference).replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
  return `${name}Of${file}`;
}
