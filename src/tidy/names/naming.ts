// Gives the variables of a tidied function their names.

import { InternalError } from "../../internal-error.js";
import { mapSame } from "../../same.js";
import { isPlace, nameOf as textOf, savedIn } from "../../typescript/called.js";
import { mapNames, type ScopeKey } from "../../typescript/scopes.js";
import { mapBlocks } from "../../typescript/traverse.js";
import type { TsFunction, TsStmt } from "../../typescript/tree.js";
import { isLocal, type Bindings } from "../analysis/bindings.js";

/** What a stretch of code in which names are declared mentions: its own variables, those further out, and what is outside of the function. */
type Mentions = ReadonlySet<string>;

/** A function whose variables have the names that they are wished to have, with numbers where those would stand for others. */
export function named(fn: TsFunction, bindings: Bindings): TsFunction {
  const mentions = mentionsIn(fn);
  const final = new Map<string, string>();
  const taken: Set<string>[] = [];
  const enter = <T>(key: ScopeKey, body: () => T): T => {
    const names = new Set<string>();
    for (const name of mentions.get(key) ?? []) {
      if (!isLocal(name)) names.add(name);
      else if (final.has(name)) names.add(final.get(name) ?? name);
    }
    taken.push(names);
    const result = body();
    taken.pop();
    return result;
  };
  const declare = (name: string): string => {
    const names = taken.at(-1) ?? new Set<string>();
    const wanted = textOf(bindings.wanted(name));
    let chosen = wanted;
    for (let count = 1; names.has(chosen); count++) chosen = `${wanted.replace(/\d+$/, "")}${count}`;
    names.add(chosen);
    final.set(name, chosen);
    return chosen;
  };
  const nameOf = (name: string): string => {
    if (!isLocal(name)) return name;
    const found = final.get(name);
    if (found === undefined) throw new InternalError("tidy", `${name} is used before it is declared`);
    return found;
  };
  const whole = mapNames(fn, { enter, declare, use: nameOf });
  /** What a comment is about may be declared behind it. */
  const said = (stmt: TsStmt): TsStmt => {
    if (stmt.kind !== "comment" || stmt.subject === undefined) return stmt;
    const wanted = isLocal(stmt.subject) ? bindings.wanted(stmt.subject) : null;
    const subject = wanted !== null && isPlace(wanted) ? textOf(savedIn(wanted)) : nameOf(stmt.subject);
    return { kind: "comment", text: `${subject} of ${stmt.text}` };
  };
  return mapBlocks(whole, (body) => mapSame(body, said));
}

/** For every scope what it mentions, scopes within it included. */
function mentionsIn(fn: TsFunction): ReadonlyMap<ScopeKey, Mentions> {
  const all = new Map<ScopeKey, Mentions>();
  const open: Set<string>[] = [];
  const owners = new Map<string, number>();
  const within = <T>(key: ScopeKey, inside: () => T): T => {
    const names = new Set<string>();
    all.set(key, names);
    open.push(names);
    const result = inside();
    open.pop();
    return result;
  };
  mapNames(fn, {
    enter: within,
    declare: (name) => {
      owners.set(name, open.length - 1);
      return name;
    },
    use: (name) => {
      const owner = owners.get(name) ?? 0;
      // A scope that mentions it has told those around it
      for (let depth = open.length - 1; depth >= owner; depth--) {
        const names = open[depth];
        if (names === undefined || names.has(name)) break;
        names.add(name);
      }
      return name;
    },
  });
  return all;
}
