// A loop along objects that contain the next one, as the cells of a list do, in code that looks at values from outside.

import { assign, binary, id, member, number } from "../typescript/build.js";
import type { Scope } from "../typescript/naming.js";
import type { TsExpr, TsStmt, TsType } from "../typescript/tree.js";

export interface ChainWalk {
  readonly stmts: readonly TsStmt[];
  /** Where it ends, and after how many objects. */
  readonly rest: TsExpr;
  readonly steps: TsExpr;
}

/** What is done at each object: the test whether the walk goes on, and statements where it does. */
export interface ChainVisit {
  readonly test: (rest: TsExpr) => TsExpr;
  readonly at: (rest: TsExpr, steps: TsExpr) => readonly TsStmt[];
}

/** Walks from `value` on along `key` while the test holds; a value that contains itself, and has no end, leads to `refusal`. */
export function chainWalk(
  value: string,
  key: string,
  type: TsType,
  { test, at }: ChainVisit,
  refusal: TsStmt,
  scope: Scope,
): ChainWalk {
  const [rest, mark] = [scope.fresh("rest"), scope.fresh("mark")];
  const [steps, limit] = [scope.fresh("steps"), scope.fresh("limit")];
  const stmts: readonly TsStmt[] = [
    { kind: "let", name: rest, type, init: id(value) },
    { kind: "comment", text: "Where the value contains itself, there is no end, and an earlier object comes again" },
    { kind: "let", name: mark, type, init: id(value) },
    { kind: "let", name: steps, type: null, init: number(0) },
    { kind: "let", name: limit, type: null, init: number(1) },
    {
      kind: "while",
      test: test(id(rest)),
      body: [
        ...at(id(rest), id(steps)),
        assign(id(rest), member(id(rest), key)),
        { kind: "if", test: binary("===", id(rest), id(mark)), then: [refusal], else: [] },
        { kind: "expr", expr: { kind: "assign", op: "+=", target: id(steps), value: number(1) } },
        {
          kind: "if",
          test: binary("===", id(steps), id(limit)),
          then: [
            assign(id(mark), id(rest)),
            { kind: "expr", expr: { kind: "assign", op: "+=", target: id(limit), value: id(steps) } },
          ],
          else: [],
        },
      ],
    },
  ];
  return { stmts, rest: id(rest), steps: id(steps) };
}
