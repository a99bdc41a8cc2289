// The parts of the runtime that an emitted module contains: those that it mentions, with what they mention in turn.

import { InternalError } from "../internal-error.js";
import { embeddedDeclarations } from "./embedded.js";
import type { EmbeddedDeclaration, EmbeddedText } from "./embedded.js";

/** A declaration of the runtime, laid out as prettier would: with types, and without (`""` for a type). */
export interface Fragment {
  /** `file.name`. */
  readonly reference: string;
  readonly ts: string;
  readonly js: string;
  /** What it mentions: references. */
  readonly needs: readonly string[];
}

const byReference: ReadonlyMap<string, EmbeddedDeclaration> = new Map(
  embeddedDeclarations.map((declaration) => [declaration.reference, declaration]),
);

/**
 * The declarations that `references` (`file.name`) stand for and all that they need, each once, what is needed first. The order depends on the
 * set of references alone. `counted`: with the counting instructions of `dualrev cost`. They are parts of one module, where each has a name of its own, unless
 * they are `shared` among several.
 */
export function fragmentsFor(
  references: Iterable<string>,
  options: { readonly counted: boolean; readonly shared?: boolean },
): readonly Fragment[] {
  const fragments: Fragment[] = [];
  const visited = new Set<string>();
  const owners = new Map<string, string>();
  const visit = (reference: string): void => {
    if (visited.has(reference)) return;
    visited.add(reference);
    const text = embeddedText(reference, options.counted);
    if (options.shared !== true) assertOneOwner(reference, owners);
    for (const need of text.needs) visit(need);
    fragments.push({ reference, ...text });
  };
  for (const reference of [...new Set(references)].sort()) visit(reference);
  return fragments;
}

/** Whether the runtime declares `reference` (`file.name`). */
export function isFragment(reference: string): boolean {
  return byReference.has(reference);
}

/** The name that a reference (`file.name`) has in an emitted module. */
export function fragmentName(reference: string): string {
  return reference.slice(reference.indexOf(".") + 1);
}

/** The file of `src/runtime` that a reference (`file.name`) is to. */
export function fragmentFile(reference: string): string {
  return reference.slice(0, reference.indexOf("."));
}

function embeddedText(reference: string, counted: boolean): EmbeddedText {
  const declaration = byReference.get(reference);
  if (declaration === undefined) throw new InternalError("fragments", `the runtime has no ${reference}`);
  return counted ? (declaration.counted ?? declaration.plain) : declaration.plain;
}

function assertOneOwner(reference: string, owners: Map<string, string>): void {
  const name = fragmentName(reference);
  const other = owners.get(name);
  if (other !== undefined) throw new InternalError("fragments", `${reference} and ${other} have one name`);
  owners.set(name, reference);
}
