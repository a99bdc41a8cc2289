// A program with another text of one definition: what is wrong with it, by inferring that definition again, and, where its type is another one, those that use
// it. Hints are tried this way. What is known of the program stays as it is.

import type * as Tree from "../syntax/tree.js";
import { Context } from "./context.js";
import { type DefinitionGroup, declarationsOf, inferDefinitions, type ProgramScope } from "./definition-groups.js";
import type { GroupMember } from "./infer-groups.js";
import type { TypeMistake } from "./mistakes.js";
import { type FunctionSymbol, resolveAgain, type Scope } from "./scope.js";
import { prune, type Ty, type Variable } from "./ty.js";

/** The mistakes in names and types of the file `changed`, which differs from the program's in one definition; null where everything has to be inferred. */
export function mistakesWith(
  program: ProgramScope & { readonly cx: Context },
  changed: Tree.Module,
): readonly TypeMistake[] | null {
  const { files, definitions, groups } = program;
  const at = changed.items.findIndex((item, i) => item !== files.main.items[i]);
  const [old, item] = [files.main.items[at], changed.items[at]];
  if (changed.items.length !== files.main.items.length || old?.kind !== "def" || item?.kind !== "def") return null;
  if (changed.items.some((other, i) => i > at && other !== files.main.items[i])) return null;
  const symbol = definitions.get(files.main)?.get(old.binding.name.name);
  // A definition with a rule is another one in the program; a second one of a name is none
  if (symbol?.definition?.item !== old || item.binding.name.name !== symbol.name) return null;
  const group = groups.find(({ symbols }) => symbols.includes(symbol));
  // Without one of its calls a group may be two
  if (group === undefined || group.symbols.length > 1) return null;
  return new Again(program, symbol, item).mistakes(group);
}

class Again {
  readonly #before = new Map<FunctionSymbol, Pick<FunctionSymbol, "type" | "variables">>();
  readonly #found: TypeMistake[] = [];
  readonly #done = new Set<DefinitionGroup>();

  constructor(
    readonly program: ProgramScope & { readonly cx: Context },
    readonly symbol: FunctionSymbol,
    readonly item: Tree.DefItem,
  ) {}

  mistakes(first: DefinitionGroup): readonly TypeMistake[] | null {
    try {
      return this.#run(first) ? this.#all() : null;
    } finally {
      for (const [symbol, { type, variables }] of this.#before) Object.assign(symbol, { type, variables });
    }
  }

  /** Infers the group, and those after it that use one whose type is another one now; false where that says too little. */
  #run(first: DefinitionGroup): boolean {
    const { groups, scope } = this.program;
    const others = new Set<FunctionSymbol>();
    for (const group of groups.slice(groups.indexOf(first))) {
      const uses = group.symbols.some((symbol) =>
        [...(scope.references.get(symbol) ?? [])].some((each) => others.has(each)),
      );
      if (group !== first && !uses) continue;
      if (!this.#infer(group, group === first)) return false;
      for (const symbol of group.symbols) {
        const before = this.#before.get(symbol);
        if (before === undefined || !isClosed(symbol) || !isClosed(before)) return false;
        const [now, then] = [schemeKey(symbol), schemeKey(before)];
        if (now === null || now !== then) others.add(symbol);
      }
    }
    return true;
  }

  #infer(group: DefinitionGroup, isFirst: boolean): boolean {
    const { program, symbol: changed, item } = this;
    const itemOf = (symbol: FunctionSymbol): Tree.DefItem | undefined =>
      symbol === changed ? item : symbol.definition?.item;
    const items = new Map(
      group.symbols.flatMap((symbol) => {
        const found = itemOf(symbol);
        return found === undefined ? [] : [[symbol, found] as const];
      }),
    );
    const own = resolveAgain(items, program.visibleIn);
    for (const [symbol, references] of own.references) {
      const before = program.scope.references.get(symbol);
      for (const each of references) {
        // One that is not inferred yet, or is inferred after this one: the groups are other ones
        if (before?.has(each) !== true && !this.#isEarlier(each, group)) return false;
        if (!group.symbols.includes(each) && !isClosed(each)) return false;
      }
    }
    const members = group.members.map((member): GroupMember => {
      return member.symbol === changed ? { ...member, binding: item.binding } : member;
    });
    const [only] = group.symbols;
    const recursive = group.symbols.length > 1 || (only !== undefined && own.references.get(only)?.has(only) === true);
    if (isFirst && group.recursive !== recursive) return false;
    for (const symbol of group.symbols) this.#before.set(symbol, { type: symbol.type, variables: symbol.variables });
    this.#done.add(group);
    this.#found.push(...[...own.inDefinition.values()].flat());
    const scope: Scope = own;
    const cx = new Context(program.cx.unifier, scope, declarationsOf(program, program.files.main), this.#found);
    inferDefinitions(cx, { ...group, members, recursive }, { ...program, scope });
    return true;
  }

  #isEarlier(symbol: FunctionSymbol, group: DefinitionGroup): boolean {
    if (group.symbols.includes(symbol)) return true;
    const { groups } = this.program;
    const place = groups.findIndex(({ symbols }) => symbols.includes(symbol));
    return place !== -1 && place < groups.indexOf(group);
  }

  #all(): readonly TypeMistake[] {
    const { outside, scope, groups, inGroup } = this.program;
    const again = new Set([...this.#done].flatMap(({ symbols }) => symbols));
    return [
      ...outside,
      ...[...scope.inDefinition].flatMap(([symbol, mistakes]) => (again.has(symbol) ? [] : mistakes)),
      ...groups.flatMap((group) => (this.#done.has(group) ? [] : (inGroup.get(group) ?? []))),
      ...this.#found,
    ];
  }
}

/** Whether all variables of a type are those that it is polymorphic in: others may yet be decided elsewhere. */
function isClosed({ type, variables }: { readonly type: Ty; readonly variables: readonly Variable[] }): boolean {
  const known = new Set<Ty>(variables);
  const seen = new Set<Ty>();
  const todo = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const part = prune(next);
    if (seen.has(part)) continue;
    seen.add(part);
    if (part.kind === "variable" && !known.has(part)) return false;
    if (part.kind === "tuple") todo.push(...part.items);
    else if (part.kind === "fn") todo.push(part.from, part.to);
    else if (part.kind === "data") todo.push(...part.args);
    else if (part.kind === "array") todo.push(part.element);
  }
  return true;
}

/** Types of more parts are not compared. */
const maxParts = 2_000;

/** The type with what is asked of its variables: the same for types that differ in the names of these alone. Null where it is large. */
function schemeKey({ type, variables }: { readonly type: Ty; readonly variables: readonly Variable[] }): string | null {
  const parts: string[] = variables.map(({ constraint }) => constraint);
  const todo = [type];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const part = prune(next);
    if (parts.length > maxParts) return null;
    switch (part.kind) {
      case "variable":
        parts.push(`${variables.indexOf(part)}`);
        break;
      case "tuple":
        parts.push(`(${part.items.length}`);
        todo.push(...part.items);
        break;
      case "data":
        parts.push(part.data.unique);
        todo.push(...part.args);
        break;
      case "fn":
        parts.push("->");
        todo.push(part.to, part.from);
        break;
      case "array":
        parts.push("[]");
        todo.push(part.element);
        break;
      default:
        parts.push(part.kind);
    }
  }
  return parts.join(" ");
}
