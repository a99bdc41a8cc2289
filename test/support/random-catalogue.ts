// Polymorphic definitions that random programs use at many types, at top level or as local functions.

import { data, fn, integer, listOf, tuple, type AppliedData, type Type } from "./random-types.js";

export interface Polymorphic {
  readonly name: string;
  readonly params: string;
  /** `self` is the name under which it is defined. */
  readonly body: (self: string) => string;
  readonly recursive: boolean;
  /** The types of its arguments where its result has the given type; null where it cannot have it. `any` makes a type up. */
  readonly args: (result: Type, any: () => Type) => readonly Type[] | null;
}

const isList = (type: Type): type is AppliedData => type.kind === "data" && type.name === "List";

export const catalogue: readonly Polymorphic[] = [
  { name: "identity", params: "x", body: () => "x", recursive: false, args: (t) => [t] },
  { name: "keep", params: "x _", body: () => "x", recursive: false, args: (t, any) => [t, any()] },
  {
    name: "swap",
    params: "(a, b)",
    body: () => "(b, a)",
    recursive: false,
    args: (t) => {
      if (t.kind !== "tuple") return null;
      const [a, b, ...more] = t.items;
      return a === undefined || b === undefined || more.length > 0 ? null : [tuple(b, a)];
    },
  },
  { name: "twice", params: "f x", body: () => "f (f x)", recursive: false, args: (t) => [fn(t, t), t] },
  {
    name: "compose",
    params: "f g x",
    body: () => "f (g x)",
    recursive: false,
    args: (t, any) => {
      const [a, b] = [any(), any()];
      return [fn(b, t), fn(a, b), a];
    },
  },
  {
    name: "pipe",
    params: "x f",
    body: () => "f x",
    recursive: false,
    args: (t, any) => {
      const a = any();
      return [a, fn(a, t)];
    },
  },
  {
    name: "onBoth",
    params: "f (a, b)",
    body: () => "(f a, f b)",
    recursive: false,
    args: (t, any) => {
      if (t.kind !== "tuple" || t.items.length !== 2) return null;
      const [b, c] = t.items;
      if (b === undefined || JSON.stringify(b) !== JSON.stringify(c)) return null;
      const a = any();
      return [fn(a, b), tuple(a, a)];
    },
  },
  {
    name: "uncurry",
    params: "f p",
    body: () => "let (a, b) = p in f a b",
    recursive: false,
    args: (t, any) => {
      const [a, b] = [any(), any()];
      return [fn(a, fn(b, t)), tuple(a, b)];
    },
  },
  {
    name: "repeat",
    params: "n f x",
    body: (self) => `if n <= 0 then x else ${self} (min 2 (n - 1)) f (f x)`,
    recursive: true,
    args: (t) => [integer, fn(t, t), t],
  },
  {
    name: "foldList",
    params: "f z xs",
    body: (self) => `case xs of { Nil -> z; x :: rest -> f x (${self} f z rest) }`,
    recursive: true,
    args: (t, any) => {
      const a = any();
      return [fn(a, fn(t, t)), t, listOf(a)];
    },
  },
  {
    name: "foldLeft",
    params: "f z xs",
    body: (self) => `case xs of { Nil -> z; x :: rest -> ${self} f (f z x) rest }`,
    recursive: true,
    args: (t, any) => {
      const a = any();
      return [fn(t, fn(a, t)), t, listOf(a)];
    },
  },
  {
    name: "mapList",
    params: "f xs",
    body: (self) => `case xs of { Nil -> Nil; x :: rest -> f x :: ${self} f rest }`,
    recursive: true,
    args: (t, any) => {
      const [b] = isList(t) ? t.args : [];
      if (b === undefined) return null;
      const a = any();
      return [fn(a, b), listOf(a)];
    },
  },
  {
    name: "zipLists",
    params: "f xs ys",
    body: (self) => `case (xs, ys) of { (x :: xs', y :: ys') -> f x y :: ${self} f xs' ys'; _ -> Nil }`,
    recursive: true,
    args: (t, any) => {
      const [c] = isList(t) ? t.args : [];
      if (c === undefined) return null;
      const [a, b] = [any(), any()];
      return [fn(a, fn(b, c)), listOf(a), listOf(b)];
    },
  },
  {
    name: "appendLists",
    params: "xs ys",
    body: (self) => `case xs of { Nil -> ys; x :: rest -> x :: ${self} rest ys }`,
    recursive: true,
    args: (t) => (isList(t) ? [t, t] : null),
  },
  {
    name: "mapTree",
    params: "f t",
    body: (self) => `case t of { Leaf -> Leaf; Node l x r -> Node (${self} f l) (f x) (${self} f r) }`,
    recursive: true,
    args: (t, any) => {
      const [b] = t.kind === "data" && t.name === "Tree" ? t.args : [];
      if (b === undefined) return null;
      const a = any();
      return [fn(a, b), data("Tree", a)];
    },
  },
  {
    name: "foldTree",
    params: "f z t",
    body: (self) => `case t of { Leaf -> z; Node l x r -> f (${self} f z l) x (${self} f z r) }`,
    recursive: true,
    args: (t, any) => {
      const a = any();
      return [fn(t, fn(a, fn(t, t))), t, data("Tree", a)];
    },
  },
];
