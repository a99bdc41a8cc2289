// Whether the names of an emitted module are free of clashes.

import type { Entry } from "../../core/term.js";
import type { Mode } from "../../stages/stage.js";
import type { Span } from "../../syntax/source.js";
import type * as Tree from "../../syntax/tree.js";
import { leavesOf } from "./interface.js";
import type { Claim, NameMistake } from "./mistakes.js";
import { identifier } from "../../typescript/naming.js";
import { derivedName, hasValueAlone, propertyName } from "./public-names.js";
import type { PublicTypes } from "./public-types.js";

export interface NameRequest {
  /** The user's file. */
  readonly tree: Tree.Module;
  /** The files that it imports, directly or not. */
  readonly imported: readonly Tree.Module[];
  readonly entries: readonly Entry[];
  readonly types: PublicTypes;
  readonly mode: Mode;
}

/** The mistakes in the names of a module's interface. */
export function checkNames(request: NameRequest): readonly NameMistake[] {
  const places = new Places([request.tree, ...request.imported]);
  return [
    ...clashesAmong(exportClaims(request, places), request.tree.span),
    ...clashesAmong(typeClaims(request, places), request.tree.span),
    ...request.entries.flatMap((entry) => parameterClashes(entry, places, request.tree.span)),
  ];
}

type Named = readonly [name: string, claim: Claim];

function exportClaims({ entries, mode }: NameRequest, places: Places): readonly Named[] {
  return entries.flatMap((entry): readonly Named[] => {
    const { name: source } = entry;
    const span = places.definition(source);
    const derived = (what: "vjp" | "grad" | "jvp"): Named => [derivedName(source, what), { what, source, span }];
    const own: Named = [identifier(source), { what: "definition", source, span }];
    if (hasValueAlone(entry) || mode === "primal") return [own];
    if (mode === "forward") return [own, derived("jvp")];
    return entry.result.kind === "real" ? [own, derived("vjp"), derived("grad")] : [own, derived("vjp")];
  });
}

function typeClaims({ types }: NameRequest, places: Places): readonly Named[] {
  const claims: Named[] = [];
  for (const { source, what, name } of types.claims()) {
    claims.push([name, { what, source, span: places.type(source) }]);
  }
  return claims;
}

function clashesAmong(claims: readonly Named[], whole: Span): readonly NameMistake[] {
  const first = new Map<string, Claim>();
  return claims.flatMap(([name, second]): readonly NameMistake[] => {
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, second);
      return [];
    }
    return [{ kind: "exportClash", name, first: earlier, second, span: second.span ?? earlier.span ?? whole }];
  });
}

function parameterClashes(entry: Entry, places: Places, whole: Span): readonly NameMistake[] {
  const first = new Map<string, Claim>();
  const spans = places.parameters(entry.name);
  const seen = new Map<string, number>();
  return leavesOf(entry.params).flatMap(({ leaf }): readonly NameMistake[] => {
    const count = seen.get(leaf.name) ?? 0;
    seen.set(leaf.name, count + 1);
    const span = spans.get(leaf.name)?.[count] ?? places.definition(entry.name);
    const name = propertyName(leaf.name);
    const claim: Claim = { what: "parameter", source: leaf.name, span };
    const earlier = first.get(name);
    if (earlier === undefined) {
      first.set(name, claim);
      return [];
    }
    return [
      { kind: "parameterClash", definition: entry.name, name, first: earlier, second: claim, span: span ?? whole },
    ];
  });
}

/** Where names stand: in the first of some files that defines them. */
class Places {
  readonly #definitions = new Map<string, Pick<Tree.FunctionBinding, "name" | "params">>();
  readonly #types = new Map<string, Span>();

  constructor(files: readonly Tree.Module[]) {
    // The last to be set counts
    for (const item of [...files].reverse().flatMap(({ items }) => [...items].reverse())) {
      if (item.kind === "def") this.#definitions.set(item.binding.name.name, item.binding);
      else if (item.kind === "extern") this.#definitions.set(item.name.name, item);
      else if (item.kind !== "import" && item.kind !== "rule") this.#types.set(item.name.name, item.name.span);
    }
  }

  definition(name: string): Span | null {
    return this.#definitions.get(name)?.name.span ?? null;
  }

  type(name: string): Span | null {
    return this.#types.get(name) ?? null;
  }

  /** The places of each parameter's name, in order. */
  parameters(definition: string): ReadonlyMap<string, readonly Span[]> {
    const found = new Map<string, Span[]>();
    const pending = [...(this.#definitions.get(definition)?.params ?? [])].reverse();
    for (let pattern = pending.pop(); pattern !== undefined; pattern = pending.pop()) {
      if (pattern.kind === "tuple") pending.push(...[...pattern.items].reverse());
      if (pattern.kind === "constructor") pending.push(...[...pattern.args].reverse());
      if (pattern.kind === "record") pending.push(...pattern.fields.map((field) => field.pattern).reverse());
      if (pattern.kind === "ascribed") pending.push(pattern.pattern);
      if (pattern.kind !== "variable") continue;
      const { name, span } = pattern.name;
      found.set(name, [...(found.get(name) ?? []), span]);
    }
    return found;
  }
}
