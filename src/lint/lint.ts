// What a file says that is right, and yet probably not meant: looked for once names and types are.

import type * as Tree from "../syntax/tree.js";
import { endlessIn } from "./endless.js";
import type { Suspicion } from "./mistakes.js";
import { usesOf, type Uses } from "./uses.js";

/** A file without mistakes, and what is known of it. */
export interface LintRequest {
  readonly tree: Tree.Module;
  readonly text: string;
  /** The other files of the program. */
  readonly imported: readonly Tree.Module[];
  readonly prelude: Tree.Module;
  /** The definitions that can be exported, and those that were asked for. */
  readonly exported: ReadonlySet<string>;
}

export function lint(request: LintRequest): readonly Suspicion[] {
  const { items } = request.tree;
  const uses = new Map(items.map((item) => [item, usesOf(item)]));
  const all = [...uses.values()];
  return [
    // A rule has as many parameters as its definition has it
    ...[...uses].flatMap(([item, { unused }]) => (item.kind === "rule" ? [] : unused)),
    ...unusedDefinitions(request, uses),
    ...unusedImports(request, all),
    ...strayDocumentation(request),
    ...items.flatMap((item) => (item.kind === "def" ? endlessIn(item) : [])),
    ...hiding(request, uses),
  ];
}

/** Definitions that nothing exported reaches. Those with documentation are there for other files, as is all of a file that exports nothing. */
function unusedDefinitions({ tree, exported }: LintRequest, uses: ReadonlyMap<Tree.Item, Uses>): readonly Suspicion[] {
  if (exported.size === 0) return [];
  const definitions = new Map(
    tree.items.flatMap((item) => (item.kind === "def" ? [[item.binding.name.name, item]] : [])),
  );
  const documented = [...definitions].flatMap(([name, { doc }]) => (doc === "" ? [] : [name]));
  const reached = new Set([...exported, ...documented]);
  // A definition is differentiated by its rules
  const rules = new Map<string, Tree.Item[]>();
  for (const item of tree.items) if (item.kind === "rule") rules.set(item.name.name, [...(rules.get(item.name.name) ?? []), item]); // prettier-ignore
  for (const name of reached) {
    const item = definitions.get(name);
    for (const each of item === undefined ? [] : [item, ...(rules.get(name) ?? [])])
      for (const used of uses.get(each)?.variables.keys() ?? []) reached.add(used);
  }
  return [...definitions].flatMap(([name, { binding }]): readonly Suspicion[] =>
    reached.has(name) || name.startsWith("_") ? [] : [{ kind: "unusedDefinition", name, span: binding.name.span }],
  );
}

/**
 * Names of imports that the file does not use; of a data type also by its constructors and fields. Aliases are of use where the file does not mention
 * them: the types of its module have their names. A file of imports alone is there to hand them on.
 */
function unusedImports({ tree, imported, exported }: LintRequest, uses: readonly Uses[]): readonly Suspicion[] {
  if (tree.items.every(({ kind }) => kind === "import")) return [];
  const items = imported.flatMap((file) => file.items);
  const data = items.filter((item) => item.kind === "data");
  const aliases = new Set(items.flatMap((item) => (item.kind === "alias" ? [item.name.name] : [])));
  const isUsed = (name: string): boolean => {
    if (exported.has(name) || aliases.has(name)) return true;
    const own = data.filter((item) => item.name.name === name).flatMap((item) => item.constructors);
    return uses.some(
      ({ variables, constructors, types, fields }) =>
        variables.has(name) ||
        types.has(name) ||
        own.some(
          (each) => constructors.has(each.name.name) || (each.fieldNames ?? []).some((field) => fields.has(field.name)),
        ),
    );
  };
  return tree.items.flatMap((item) => {
    if (item.kind !== "import") return [];
    return item.names
      .filter(({ name }) => !isUsed(name))
      .map(({ name, span }): Suspicion => ({ kind: "unusedImport", name, span }));
  });
}

/** `---` comments that are not directly above an item: nothing has them as its documentation. */
function strayDocumentation({ tree, text }: LintRequest): readonly Suspicion[] {
  const docs = tree.comments.filter(({ kind }) => kind === "doc");
  const starts = new Set(tree.items.filter((item) => item.kind !== "import").map(({ span }) => span.start));
  const attached = new Set<Tree.Comment>();
  let below: number | null = null;
  for (const comment of [...docs].reverse()) {
    const gap = /^[^\S\n]*\n?[^\S\n]*/.exec(text.slice(comment.span.end))?.[0] ?? "";
    const next = comment.span.end + gap.length;
    const line = text.lastIndexOf("\n", comment.span.start - 1) + 1;
    const ownLine = comment.span.start === 0 || text.slice(line, comment.span.start).trim() === "";
    if (ownLine && (starts.has(next) || next === below)) {
      attached.add(comment);
      below = comment.span.start;
    } else below = null;
  }
  return docs
    .filter((comment) => !attached.has(comment))
    .map(({ span }): Suspicion => ({ kind: "strayDocumentation", span }));
}

/**
 * Definitions, and local functions that are called, with the name of one of the prelude's. What the prelude has for itself, without documentation,
 * nobody takes another one for; nor a number called `sum` for a function.
 */
function hiding({ tree, prelude }: LintRequest, uses: ReadonlyMap<Tree.Item, Uses>): readonly Suspicion[] {
  const known = new Set(
    prelude.items.flatMap((item) => (item.kind === "def" && item.doc !== "" ? [item.binding.name.name] : [])),
  );
  return tree.items.flatMap((item): readonly Suspicion[] => {
    if (item.kind !== "def") return [];
    const local = (uses.get(item)?.called ?? [])
      .filter(({ name }) => known.has(name))
      .map((called): Suspicion => ({ kind: "hidesPrelude", isLocal: true, ...called }));
    const { name, span } = item.binding.name;
    if (!known.has(name)) return local;
    const [use] = [...uses].flatMap(([other, { variables }]) => (other === item ? [] : (variables.get(name) ?? [])));
    return use === undefined ? local : [{ kind: "hidesPrelude", isLocal: false, name, span, use }, ...local];
  });
}
