import { expect, test } from "vitest";
import { coreOf } from "../../test/support/core.js";
import { flatOf } from "../../test/support/flat-passes.js";
import { assertFlat } from "./check.js";
import { printFlat, printProcedure } from "./print.js";
import type { Program } from "./program.js";

const lists = `
  data List a = Nil | Cons a (List a)
  def total (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x + total xs }
  def double (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> Cons (2 * x) (double xs) }
  def products (l : List R) (m : List R) : List R =
    case (l, m) of { (Cons x xs, Cons y ys) -> Cons (x * y) (products xs ys); _ -> Nil }`;

/** The program of the definition `entry` with arrays in place of lists. */
function arrays(text: string): Program {
  const core = coreOf(`${lists}\n${text}`);
  const entries = core.entries.filter(({ name }) => name === "entry");
  const program = flatOf({ ...core, entries }, "linear-recursion", "list-arrays", "joint-exits", "array-copies");
  assertFlat(program);
  return program;
}

function procedure(program: Program, name: string): string {
  return program.procedures.filter((one) => one.name === name).map(printProcedure).join("\n"); // prettier-ignore
}

test("lists that are walked and made are arrays in all procedures", () => {
  const program = arrays("def entry (l : List R) (m : List R) : R = total (products l m)");
  expect(procedure(program, "products")).toMatchInlineSnapshot(`
    "function products(l7 : [R], m2 : [R]) : [R] =
      length2 = length l7
      length3 = length m2
      least = min(length2, length3)
      [t8Saved] = for at7 < least
        x2 = l7 ! at7
        y = m2 ! at7
        t8 = x2 * y
        yield t8
      yield t8Saved
    "
  `);
  expect(procedure(program, "total")).toMatchInlineSnapshot(`
    "function total(l5 : [R]) : R =
      length = length l5
      last = length - 1
      result = for up < length (t12 = 0.0)
        level = last - up
        x3 = l5 ! level
        t1 = x3 + t12
        yield t1
      yield result
    "
  `);
  expect(procedure(program, "entry")).toMatchInlineSnapshot(`
    "function entry(l3 : [R], m1 : [R]) : R =
      l4 = products(l3, m1)
      t11 = total(l4)
      yield t11
    "
  `);
  const [entry] = program.entries;
  const type = { kind: "data", name: "List", args: [{ kind: "real" }] };
  const list = { type, arrays: "itemsOf", list: "listOf", cotangents: "listOf", suffixes: ["Items"], hasArrays: false }; // prettier-ignore
  expect(entry?.arrays).toEqual({ params: [list, list], results: [null] });
});

test("lists that come from outside and go there", () => {
  const program = arrays("def entry (l : List R) : List R = double l");
  expect(procedure(program, "itemsOf")).toMatchInlineSnapshot(`
    "function itemsOf(list : List R) : [R] =
      size = loop (cells = list, count = 0)
        switch cells {
          Nil ->
            yield count
          Cons ->
            rest1 = cells.Cons.1
            count1 = count + 1
            next rest1, count1
        }
      end3, [items] = for at < size (rest = list)
        item = rest.Cons.0
        next = rest.Cons.1
        yield next, item
      yield items
    "
  `);
  expect(procedure(program, "listOf")).toMatchInlineSnapshot(`
    "function listOf(items1 : [R]) : List R =
      count2 = length items1
      last3 = count2 - 1
      end4 : List R = Nil()
      list1 = for up3 < count2 (rest2 = end4)
        at1 = last3 - up3
        item1 = items1 ! at1
        cell = Cons(item1, rest2)
        yield cell
      yield list1
    "
  `);
});

test("lists of lists are arrays of arrays, lists of pairs are two", () => {
  const program = arrays(`
    def weigh (ls : List (List R, R)) : R = case ls of { Nil -> 0; Cons (l, w) rest -> w * total (double l) + weigh rest }
    def entry (ls : List (List R, R)) : R = weigh ls`);
  expect(procedure(program, "weigh")).toContain("[[R]], ls");
  expect(program.entries[0]?.arrays?.params).toMatchObject([
    { arrays: "itemsOf", list: "listOf", suffixes: ["0", "1"], hasArrays: false },
  ]);
});

test("integers and truth values are arrays, too; cotangents of integers are zeros", () => {
  const program = arrays(`
    data Sample = Sample { x : R, died : Bool, n : Z }
    def entry (l : List Sample) : R =
      case l of { Nil -> 0; Cons p rest -> (if p.died then p.x * toReal p.n else p.x) + entry rest }`);
  expect(procedure(program, "entry")).toMatchInlineSnapshot(`
    "function entry(l7X : [R], l7Died : [Bool], l7N : [Z]) : R =
      length4 = length l7X
      [t13Saved] = for at11 < length4
        pX = l7X ! at11
        pDied = l7Died ! at11
        pN = l7N ! at11
        t13 = if pDied then
          t11 = toReal(pN)
          t12 = pX * t11
          yield t12
        else
          yield pX
        yield t13
      last3 = length4 - 1
      result3 = for up3 < length4 (t21 = 0.0)
        level3 = last3 - up3
        t22 = t13Saved ! level3
        t15 = t22 + t21
        yield t15
      yield result3
    "
  `);
  expect(procedure(program, "cotangentsOf")).toMatchInlineSnapshot(`
    "function cotangentsOf(items2X : [R], items2Died : [Bool], items2N : [Z]) : List Sample =
      count3 = length items2X
      last5 = count3 - 1
      end6 : List Sample = Nil()
      list2 = for up5 < count3 (rest4 = end6)
        at2 = last5 - up5
        item6 = items2X ! at2
        item7 = items2Died ! at2
        cell1 = Cons(item6, item7, 0, rest4)
        yield cell1
      yield list2
    "
  `);
});

test("a list that is carried along", () => {
  const program = arrays(`
    def repeat (n : Z) (l : List R) : List R = if n <= 0 then l else repeat (n - 1) (double l)
    def entry (l : List R) : R = total (repeat 3 l)`);
  expect(printFlat(program).replace(/function (itemsOf|listOf).*?\n\n/gs, "")).not.toContain("Cons");
});

test("iterations that need the one before make the list from its end", () => {
  const program = arrays(`
    def sums (l : List R) : (R, List R) =
      case l of { Nil -> (0, Nil); Cons x xs -> let (s, rest) = sums xs in (x + s, Cons (x + s) rest) }
    def entry (l : List R) : List R = snd (sums l)`);
  expect(procedure(program, "sums")).not.toContain("Cons");
});

test("a cell that is looked at ahead of a walk", () => {
  const program = arrays(`
    def steps (l : List R) : List R = case l of {
      Cons x rest -> case rest of { Cons y _ -> Cons (y - x) (steps rest); Nil -> Nil }; Nil -> Nil }
    def entry (l : List R) : R = total (steps l)`);
  expect(procedure(program, "steps")).toMatchInlineSnapshot(`
    "function steps(l9 : [R]) : [R] =
      length4 = length l9
      last8 = length4 - 1
      count6 = max(last8, 0)
      [t13Saved] = for at10 < count6
        x3 = l9 ! at10
        at11 = at10 + 1
        y1 = l9 ! at11
        t13 = y1 - x3
        yield t13
      yield t13Saved
    "
  `);
});

test("a cell of another list that is looked at ahead: the lesser of both counts", () => {
  const program = arrays(`
    def shifted (l : List R) (m : List R) : R = case l of {
      Nil -> 0;
      Cons x xs -> case m of { Nil -> 0; Cons _ ms -> case ms of { Nil -> 0; Cons y _ -> x * y + shifted xs ms } } }
    def entry (l : List R) (m : List R) : R = shifted l m`);
  expect(procedure(program, "shifted")).toMatchInlineSnapshot(`
    "function shifted(l8 : [R], m4 : [R]) : R =
      length4 = length l8
      length5 = length m4
      least1 = min(length4, length5)
      last7 = length5 - 1
      least2 = min(least1, last7)
      count5 = max(least2, 0)
      [t11Saved] = for at10 < count5
        x3 = l8 ! at10
        at11 = at10 + 1
        y1 = m4 ! at11
        t11 = x3 * y1
        yield t11
      last3 = count5 - 1
      result3 = for up3 < count5 (t20 = 0.0)
        level3 = last3 - up3
        t21 = t11Saved ! level3
        t13 = t21 + t20
        yield t13
      yield result3
    "
  `);
});

test("walks in which iterations take two cells, or one of some list, or begin where another one is", () => {
  const program = arrays(`
    def pairs (l : List R) : R = case l of { Cons x (Cons y rest) -> x * y + pairs rest; _ -> 0 }
    def merge (a : List R) (b : List R) (s : R) : R = case (a, b) of {
      (Cons x as, Cons y bs) -> if x < y then merge as b (s + x) else merge a bs (s + y); _ -> s }
    def sums (l : List R) : R =
      let rec go (s : R) (m : List R) : R = case m of {
        Nil -> s;
        Cons x rest ->
          let rec inner (t : R) (k : List R) : R = case k of { Nil -> t; Cons y more -> inner (t + x * y) more } in
          go (inner s rest) rest } in
      go 0 l
    def entry (l : List R) (m : List R) : R = pairs l * merge l m 0 * sums m`);
  expect(printFlat(program).replace(/function (itemsOf|listOf).*?\n\n/gs, "")).not.toContain("Cons");
});

test("cells in front of lists", () => {
  const program = arrays(`
    def front (x : R) (l : List R) : List R = Cons x l
    def ends (l : List R) (m : List R) : List R = case l of { Nil -> m; Cons x xs -> Cons (2 * x) (ends xs m) }
    def entry (x : R) (l : List R) : R = total (front x (ends l (Cons x (Cons 3 Nil)))) * total (Cons x (Cons 4 l))`);
  expect(procedure(program, "front")).toMatchInlineSnapshot(`
    "function front(x3 : R, l3 : [R]) : [R] =
      length4 = length l3
      size1 = 1 + length4
      [t11] = for at10 < size1
        isFront = at10 < 1
        item2 = if isFront then
          yield x3
        else
          at11 = at10 - 1
          item3 = l3 ! at11
          yield item3
        yield item2
      yield t11
    "
  `);
  expect(procedure(program, "ends")).toMatchInlineSnapshot(`
    "function ends(l12 : [R], m1 : [R]) : [R] =
      length5 = length l12
      [t12Saved] = for at13 < length5
        x4 = l12 ! at13
        t12 = 2.0 * x4
        yield t12
      length6 = length m1
      size2 = length5 + length6
      [result3] = for at16 < size2
        isFront1 = at16 < length5
        item4 = if isFront1 then
          item6 = t12Saved ! at16
          yield item6
        else
          at17 = at16 - length5
          item5 = m1 ! at17
          yield item5
        yield item4
      yield result3
    "
  `);
  expect(procedure(program, "entry")).toMatchInlineSnapshot(`
    "function entry(x5 : R, l5 : [R]) : R =
      m2 = [x5, 3.0]
      l6 = ends(l5, m2)
      l7 = front(x5, l6)
      t17 = total(l7)
      l13 = [x5, 4.0]
      length7 = length l5
      size3 = 2 + length7
      [l8] = for at19 < size3
        isFront2 = at19 < 2
        item7 = if isFront2 then
          item9 = l13 ! at19
          yield item9
        else
          at20 = at19 - 2
          item8 = l5 ! at20
          yield item8
        yield item7
      t19 = total(l8)
      t20 = t17 * t19
      yield t20
    "
  `);
});

test("procedures that are given the rest of a list", () => {
  const program = arrays(`
    def entry (l : List R) : R = case l of { Nil -> 0; Cons x xs -> x * total xs + x * entry xs * entry xs }
    def other (l : List R) : R = entry l`);
  expect(procedure(program, "entry")).toMatchInlineSnapshot(`
    "function entry(l8 : [R]) : R =
      result3 = entry1(l8, 0)
      yield result3
    "
  `);
  const [inner] = program.procedures.filter(({ definition, name }) => definition === "entry" && name !== "entry");
  expect(inner === undefined ? null : printProcedure(inner)).toMatchInlineSnapshot(`
    "function entry1(l3 : [R], at11 : Z) : R =
      length4 = length l3
      more4 = at11 < length4
      if more4 then
        x3 = l3 ! at11
        at12 = at11 + 1
        t11 = total(l3, at12)
        t12 = x3 * t11
        t13 = entry1(l3, at12)
        t14 = x3 * t13
        t15 = entry1(l3, at12)
        t16 = t14 * t15
        t17 = t12 + t16
        yield t17
      else
        yield 0.0
    "
  `);
});

test("a list of which the first cells alone are looked at stays a list", () => {
  const program = arrays("def entry (l : List R) : R = case l of { Cons x (Cons y _) -> x * y; _ -> 0 }");
  expect(procedure(program, "entry")).toContain("Cons");
  expect(program.entries[0]?.arrays).toBeUndefined();
});

test("lists stay where more is done with one of them", () => {
  const stays = (text: string): void => {
    expect(procedure(arrays(text), "entry")).toContain("Cons");
  };
  // Copies of a list that gets longer with each iteration would take long
  stays("def entry (x : R) (l : List R) : List R = if x > 9 then double l else entry (x + 1) (Cons x l)");
  // So would copies of which only the first cells are looked at
  stays(`
    def two (l : List R) : R = case l of { Cons a (Cons b _) -> a * b; _ -> 0 }
    def entry (l : List R) : R = case l of { Nil -> 0; Cons x xs -> two (Cons (2 * x) xs) + entry xs }`);
  stays(
    "def entry (l : List R) : List R = case l of { Nil -> Nil; Cons x xs -> if x < total l then entry xs else xs }",
  );
  stays("def entry (l : List R) : R = case l of { Nil -> 1; Cons x xs -> let y = entry xs in total xs }");
  stays("def entry (l : List [Z]) : Z = case l of { Nil -> 0; Cons ns rest -> sum ns + entry rest }");
  stays("def entry (l : List [()]) : Z = case l of { Nil -> 0; Cons us rest -> length us + entry rest }");
  stays("def entry (l : List R) : List (List R) = case l of { Nil -> Nil; Cons x xs -> Cons xs (entry xs) }");
  stays(`
    data Tree = Leaf (List R) | Node Tree Tree
    def entry (l : List R) : Tree = Node (Leaf (Cons 1 l)) (Leaf (double l))`);
});
