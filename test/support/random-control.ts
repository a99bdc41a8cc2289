// Random control flow: branches, local recursion with bounded counters and over data, what is not taken or not used.

import { chance, pick, weighted } from "./random-dice.js";
import { singular } from "./random-operations.js";
import { constructorPattern, cover, irrefutable, type Pattern } from "./random-patterns.js";
import { assemble, body, extend, named, share, type Piece, type Production } from "./random-scope.js";
import { open, showing, term, tight, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { Type } from "./random-types.js";

export function conditional(type: Type, cond: Term, yes: Term, no: Term): Term {
  return term(type, ["if ", open(cond), " then ", open(yes), " else ", open(no)]);
}

export const ifThenElse: Production = (maker, type, scope, fuel) => {
  const part = (of: Type): Term => maker.term(of, scope, share(maker, fuel, 3));
  return conditional(type, part(T.boolean), part(type), part(type));
};

export const caseSplit: Production = (maker, type, scope, fuel) => {
  const scrutinee = maker.term(maker.randomType(2, false), scope, share(maker, fuel, 2));
  const patterns = cover(maker, scrutinee.type, 2);
  return caseOf(type, scrutinee, patterns, ({ binders }) =>
    body(maker, type, extend(scope, binders), share(maker, fuel, 1 + patterns.length), binders),
  );
};

export function caseOf(
  type: Type,
  scrutinee: Term,
  patterns: readonly Pattern[],
  make: (pattern: Pattern) => Term,
): Term {
  const branches = patterns.flatMap((pattern, i) => [
    `${i === 0 ? "" : "; "}${pattern.text} -> `,
    open(make(pattern), ...pattern.binders),
  ]);
  return term(type, ["case ", open(scrutinee), " of { ", ...branches, " }"]);
}

export const projection: Production = (maker, type, scope, fuel) => {
  const other = maker.randomType(1, true);
  const first = chance(maker.dice, 0.5);
  const pair = first ? T.tuple(type, other) : T.tuple(other, type);
  return assemble(maker, type, [first ? "fst " : "snd ", pair], scope, fuel);
};

/** A local recursion with a counter that is at most 3, and may be so low from the start that nothing is done. */
export const loop: Production = (maker, type, scope, fuel) => {
  const { dice } = maker;
  const [self, other] = [maker.fresh(T.fn(T.integer, type)), maker.fresh(T.fn(T.integer, type))];
  const [n, m] = [maker.fresh(T.integer), maker.fresh(T.integer)];
  const [acc, old] = [maker.fresh(type), maker.fresh(type)];
  const iterations = dice.int(0, 3);
  const isFixed = chance(dice, 0.6);
  const count: readonly Piece[] = isFixed ? [String(iterations)] : ["(min 3 ", T.integer, ")"];
  const start: readonly Piece[] = [` in ${self.name} `, ...count];
  const step = (...under: readonly (typeof n)[]): Piece => ({ of: type, under, tight: true });
  const pieces = weighted<readonly Piece[]>(dice, [
    // A tail call
    [2, () => [
      `let rec ${self.name} ${n.name} ${acc.name} = if ${n.name} <= 0 then ${acc.name} else ${self.name} (${n.name} - 1) `,
      step(n, acc), ...start, " ", step(),
    ]],
    // A tail call that may end earlier
    [1, () => [
      `let rec ${self.name} ${n.name} ${acc.name} = if ${n.name} <= 0 || `, { of: T.boolean, under: [acc], tight: true },
      ` then ${acc.name} else ${self.name} (${n.name} - 1) `, step(n, acc), ...start, " ", step(),
    ]],
    // Two accumulators that change places
    [1, () => [
      `let rec ${self.name} ${n.name} ${acc.name} ${old.name} = if ${n.name} <= 0 then `, { of: type, under: [acc, old] },
      ` else ${self.name} (${n.name} - 1) `, step(n, acc, old), ` ${acc.name}`, ...start, " ", step(), " ", step(),
    ]],
    [2, () => [
      `let rec ${self.name} ${n.name} = if ${n.name} <= 0 then `, { of: type, under: [] }, ` else let ${acc.name} = ${self.name} (${n.name} - 1) in `,
      { of: type, under: [n, acc] }, ...start,
    ]],
    [1, () => [
      `let rec ${self.name} ${n.name} ${acc.name} = if ${n.name} <= 0 then ${acc.name} else ${other.name} (${n.name} - 1) `,
      step(n, acc), ` and ${other.name} ${m.name} ${old.name} = if ${m.name} <= 0 then `, { of: type, under: [old] },
      ` else ${self.name} (${m.name} - 1) `, step(m, old), ...start, " ", step(),
    ]],
  ]); // prettier-ignore
  const made = assemble(maker, type, pieces, scope, fuel);
  return isFixed && iterations === 0 ? showing("loop of no iterations", made) : made;
};

/** A local recursion over the structure of a value. */
export const recursion: Production = (maker, type, scope, fuel) => {
  const own = maker.declared.map((d) => T.data(d.name, ...d.params.map(() => T.real)));
  const lists = [T.listOf(T.real), T.listOf(maker.randomType(1, true))];
  const over = pick(maker.dice, [...lists, T.data("Tree", T.real), ...own]);
  const self = maker.fresh(T.fn(over, type));
  const param = maker.fresh(over);
  const branches = maker.constructorsOf(over).map((constructor) => {
    const binders = constructor.fields.map((field) => maker.fresh(field));
    const results = binders
      .filter((binder) => T.sameType(binder.type, over))
      .map((binder) => ({ from: binder.name, to: maker.fresh(type) }));
    return { constructor, binders, results };
  });
  const pieces = branches.flatMap(({ constructor, binders, results }, i): readonly Piece[] => {
    const args = binders.map((b) => ({ text: b.name, binders: [b], atom: true }));
    const { text } = constructorPattern(maker, constructor, args);
    const calls = results.map((r) => `let ${r.to.name} = ${self.name} ${r.from} in `).join("");
    const under = [...binders, ...results.map((r) => r.to)];
    return [`${i === 0 ? "" : "; "}${text} -> ${calls}`, { of: type, under }];
  });
  const head = `let rec ${self.name} ${param.name} = case ${param.name} of { `;
  return assemble(maker, type, [head, ...pieces, ` } in ${self.name} `, over], scope, fuel);
};

/** A value that is not finite or has an infinite partial derivative, and does not reach the result. */
export const unused: Production = (maker, type, scope, fuel) => {
  const x = maker.leaf(T.real, scope);
  const bad = singular(maker, x);
  const rest = maker.term(type, scope, fuel - 4);
  const [made, other] = [maker.fresh(type), maker.fresh(T.real)];
  const onReals = type.kind === "real" ? 2 : 0;
  return weighted(maker.dice, [
    [1, () => term(type, [`let ${other.name} = `, open(bad), " in ", open(rest)])],
    [1, () => term(type, ["snd (", open(bad), ", ", open(rest), ")"])],
    [1, () => term(type, ["[", open(rest), ", ", open(rest), "] ! length (slice 0 1 [", open(bad), "])"])],
    [onReals, () => showing("singular branch not taken", term(type, ["if ", tight(x), " ^ 2 >= 0 then ", open(rest), " else ", open(bad)]))],
    [onReals, () => showing("singular branch not taken", term(type, [
      "case inl ", tight(rest), ` of { inl ${made.name} -> ${made.name}; inr ${other.name} -> `, open(singular(maker, named(other)), other), " }",
    ]))],
    [onReals, () => showing("singular loop of no iterations", term(type, [
      `foldl (\\${made.name} ${other.name}. `, open(singular(maker, named(pick(maker.dice, [made, other]))), made, other), ") ", tight(rest), " []",
    ]))],
  ]); // prettier-ignore
};

export const parallel: Production = (maker, type, scope, fuel) => {
  const items = Array.from({ length: maker.dice.int(2, 3) }, () => maker.randomType(1, true));
  const tasks = items.map((item) => maker.term(item, scope, share(maker, fuel, items.length + 1)));
  const bound = term(T.tuple(...items), tasks.flatMap((task, i) => (i === 0 ? [tight(task)] : [" |*| ", tight(task)]))); // prettier-ignore
  const { text, binders } = irrefutable(maker, bound.type, 1);
  const inner = body(maker, type, extend(scope, binders), share(maker, fuel, 2), binders);
  return term(type, [`let ${text} = `, open(bound), " in ", open(inner, ...binders)]);
};
