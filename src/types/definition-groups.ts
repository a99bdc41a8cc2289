// The definitions of a program in groups of those that use each other, and what each group is inferred with.

import { components, shortestCycle } from "../components.js";
import type * as Tree from "../syntax/tree.js";
import type { Context } from "./context.js";
import { type Declarations, noDeclarations } from "./declarations.js";
import type { Files } from "./files.js";
import { inferExpr } from "./infer-expressions.js";
import { type GroupMember, inferGroup } from "./infer-groups.js";
import type { TypeMistake } from "./mistakes.js";
import type { FunctionSymbol, Scope, TopLevel, VisibleNames } from "./scope.js";

/** What is known of a program before its types are, and what was wrong with each part of it. */
export interface ProgramScope {
  readonly files: Files;
  readonly declarations: ReadonlyMap<Tree.Module, Declarations>;
  readonly definitions: ReadonlyMap<Tree.Module, TopLevel>;
  readonly scope: Scope;
  readonly visibleIn: (file: Tree.Module) => VisibleNames;
  /** The mistakes that are not in definitions. */
  readonly outside: readonly TypeMistake[];
  readonly groups: readonly DefinitionGroup[];
  /** The mistakes in the types of each group. */
  readonly inGroup: ReadonlyMap<DefinitionGroup, readonly TypeMistake[]>;
}

export function declarationsOf({ declarations }: Pick<ProgramScope, "declarations">, file: Tree.Module): Declarations {
  return declarations.get(file) ?? noDeclarations;
}

export interface DefinitionGroup {
  readonly members: readonly GroupMember[];
  readonly symbols: readonly FunctionSymbol[];
  readonly recursive: boolean;
}

/** The definitions that depend on each other, each group after those that it uses. */
export function groupsOf(files: Files, { references }: Scope): readonly DefinitionGroup[] {
  const mentioned = (symbol: FunctionSymbol): ReadonlySet<FunctionSymbol> => references.get(symbol) ?? new Set();
  return components([...references.keys()], mentioned).map((symbols) => {
    const [first] = symbols;
    const recursive = symbols.length > 1 || (first !== undefined && mentioned(first).has(first));
    const members = symbols.flatMap((symbol): GroupMember[] => {
      const { definition } = symbol;
      if (definition === null) return [];
      const { item, file } = definition;
      return [
        {
          binding: item.binding,
          symbol,
          origin: { doc: item.doc, own: file === files.main, extern: externOf(file, item), isFused: item.isFused },
        },
      ];
    });
    return { members, symbols, recursive };
  });
}

/** What a definition is of the caller's. */
function externOf(file: Tree.Module, { span }: Tree.DefItem): Tree.ExternItem | null {
  const found = file.items.find((item) => item.kind === "extern" && item.span === span);
  return found?.kind === "extern" ? found : null;
}

export function enter(
  cx: Context,
  { members }: Pick<DefinitionGroup, "members">,
  program: Pick<ProgramScope, "declarations">,
): void {
  const [first] = members;
  const file = first?.symbol.definition?.file;
  if (first === undefined || file === undefined) return;
  cx.enterDefinition(first.symbol.name, declarationsOf(program, file));
}

/** Gives the definitions of a group their types. */
export function inferDefinitions(
  cx: Context,
  { members, symbols, recursive }: DefinitionGroup,
  program: Pick<ProgramScope, "declarations" | "scope">,
): void {
  const { references } = program.scope;
  enter(cx, { members }, program);
  const constant = members.find(({ binding }) => binding.params.length === 0);
  if (recursive && constant !== undefined) {
    const cycle = shortestCycle(constant.symbol, symbols, (symbol) => references.get(symbol) ?? []);
    cx.mistakes.push({
      kind: "constantCycle",
      cycle: cycle.map(({ name, nameSpan }) => ({ name, span: nameSpan })),
      constant: constant.binding.name,
    });
  }
  inferGroup(cx, members, recursive, (body, expected) => {
    inferExpr(cx, body, expected);
  });
}
