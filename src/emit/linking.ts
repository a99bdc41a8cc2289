// What has to do with other modules, where files are compiled apart (KR22 §8.1): under which names definitions are called there, and what is imported.
//
//   lib.lam   def f x = ..          export function f$primal(x, depth), f$deltaLet(x, depth), $reset$deltaLet()
//   app.lam   import "lib.lam" (f)  import { f$primal, f$deltaLet, $reset$deltaLet } from "./lib.js"
//
// A name depends on the definition and the stage alone, and is that of nothing else: `$` is no letter of models.

import type { Link, Program } from "../core/term.js";
import type { Stage } from "../stages/stage.js";
import type * as Target from "../target-calculus/term.js";
import type { Scope } from "../typescript/naming.js";
import type { TsDeclaration } from "../typescript/tree.js";
import type { Imported, Linked } from "./lower/linked.js";

/** How a module imports the file of definitions, from the folder of the model. */
export type PathOf = (file: string) => string;

/** A program without what is of other modules, and what it has to do with them. */
export interface Apart {
  readonly program: Target.Program;
  readonly linked: Linked;
  readonly imports: readonly TsDeclaration[];
}

/** The name by which other modules call a definition in a stage: `f$deltaLet`. */
export function linkName(name: string, stage: Pick<Stage, "name">): string {
  const plain = name.replace(/[^\p{ID_Continue}]/gu, (char) => `$${(char.codePointAt(0) ?? 0).toString(16)}$`);
  return `${plain}$${stage.name.replace(/-(\w)/g, (_, first: string) => first.toUpperCase())}`;
}

/** The name of what makes constants be computed anew. */
const resetName = (stage: Stage): string => `$reset${linkName("", stage)}`;

/** The links of one module. */
export class Linking {
  readonly #links: Program["links"];
  readonly #pathOf: PathOf;
  readonly #values: Scope;

  /** Takes the names of the module's own definitions in its stages. */
  constructor(links: Program["links"], pathOf: PathOf, values: Scope, stages: readonly Stage[]) {
    this.#links = links;
    this.#pathOf = pathOf;
    this.#values = values;
    for (const stage of stages) {
      values.reserve(resetName(stage));
      for (const { kind, name } of links.values()) if (kind === "own") values.reserve(linkName(name, stage));
    }
  }

  /** A stage's program, of which only what is needed is left. */
  apart(program: Target.Program, stage: Stage): Apart {
    const own = new Map<string, string>();
    const imported = new Map<string, Imported>();
    const byPath = new Map<string, { readonly name: string; readonly as: string }[]>();
    const importFrom = (path: string, name: string): string => {
      const as = this.#values.fresh(name);
      byPath.set(path, [...(byPath.get(path) ?? []), { name, as }]);
      return as;
    };
    const linked = program.definitions.flatMap((fn) => {
      const link = this.#links.get(fn.name);
      return link === undefined ? [] : [{ fn, ...link }];
    });
    // The order does not depend on the texts of other files
    for (const { fn, kind, name, file } of linked.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (kind === "own") own.set(fn.name, linkName(name, stage));
      if (kind === "imported") imported.set(fn.name, { fn, name: importFrom(this.#pathOf(file), linkName(name, stage)) }); // prettier-ignore
    }
    const definitions = program.definitions.filter(({ name }) => !imported.has(name));
    // What remembers constants of a run is made to forget them wherever it is
    const resets =
      stage.mode === "primal" ? null : [...byPath.keys()].map((path) => importFrom(path, resetName(stage)));
    const reset = resets === null ? null : { own: resetName(stage), imported: resets };
    const imports = [...byPath].map(([from, names]): TsDeclaration => ({ kind: "import", names: names.map((each) => ({ ...each, isType: false })), from })); // prettier-ignore
    return { program: { ...program, definitions }, linked: { own, imported, reset }, imports };
  }

  /** The declarations of a program with those exported that other modules use. */
  exported(declarations: readonly TsDeclaration[], { own, reset }: Linked, stage: Stage): readonly TsDeclaration[] {
    const docs = new Map([...own].map(([definition, name]) => [name, docOf(this.#links.get(definition), stage)]));
    if (reset !== null) docs.set(reset.own, "Makes constants be computed anew, for a new run.");
    return declarations.map((declaration) => {
      if (declaration.kind === "type") return { ...declaration, exported: true };
      const doc = declaration.kind === "function" ? docs.get(declaration.fn.name) : undefined;
      return declaration.kind !== "function" || doc === undefined
        ? declaration
        : { ...declaration, doc, exported: true };
    });
  }

  /** What a module's header tells of other modules: which definitions it has for them, which are called there, and of which it has copies. */
  header(programs: readonly Target.Program[]): readonly string[] {
    const used = new Set(programs.flatMap(({ definitions }) => definitions.map(({ name }) => name)));
    const lines = new Map<string, Set<string>>();
    for (const [definition, link] of this.#links) {
      const title = used.has(definition) ? this.#titleOf(link) : null;
      if (title !== null) lines.set(title, (lines.get(title) ?? new Set()).add(link.name));
    }
    return [...lines]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([title, names]) => `${title}: ${[...names].sort().join(", ")}`);
  }

  #titleOf({ kind, file }: Link): string {
    switch (kind) {
      case "own":
        return "For other modules";
      case "imported":
        return `From the module of ${this.#pathOf(file)}`;
      case "included":
        return `Copied from ${this.#pathOf(file)}`;
    }
  }
}

function docOf(link: Link | undefined, stage: Stage): string {
  const name = link?.name ?? "";
  return stage.mode === "primal"
    ? `\`${name}\`, for other modules.`
    : `\`${name}\`, differentiated, for other modules.`;
}
