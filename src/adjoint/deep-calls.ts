// The functions that a body becomes where it takes part in recursion: one on the JavaScript stack, whose last parameter counts the words of it that are
// in use, and, for when these are too many, a generator function with the same body, which yields its recursive calls to `runDeep`
// (src/runtime/deep-generators.ts).

import type { Refer } from "../emit/lower/lower-operators.js";
import { binary, callOf, id, number, typeName } from "../typescript/build.js";
import type { TsDeclaration, TsExpr, TsParam, TsStmt, TsType } from "../typescript/tree.js";
import type { CallGraph } from "./call-graph.js";
import { frameWords } from "./frame-words.js";

/** A function to be called. */
export interface Target {
  /** In the graph of calls. */
  readonly node: string;
  readonly fn: TsExpr;
  /** Its version for the heap, where it takes part in recursion. */
  readonly deep: TsExpr;
  readonly result: TsType;
}

/** A function to be written. */
export interface Written {
  /** In the graph of calls. */
  readonly node: string;
  readonly name: string;
  readonly params: readonly TsParam[];
  readonly result: TsType;
  /** With calls that `call` has made. */
  readonly body: readonly TsStmt[];
  /** The name of its version for the heap; null where it has none. */
  readonly deep: string | null;
}

type MadeCall = Target & { readonly args: readonly TsExpr[] };

export class DeepCalls {
  readonly graph: CallGraph;
  readonly #depthName: string;
  readonly #refer: Refer;
  /** The calls of what counts the words of stack, which they are not told yet. */
  readonly #made = new WeakMap<TsExpr, MadeCall>();

  /** `depthName` is what functions call the parameter that counts the words of stack in use. */
  constructor(graph: CallGraph, depthName: string, refer: Refer) {
    this.graph = graph;
    this.#depthName = depthName;
    this.#refer = refer;
  }

  /** A call, which is to stand alone in a statement: its value may be declared there. */
  call(target: Target, args: readonly TsExpr[]): TsExpr {
    const expr = callOf(target.fn, ...args);
    if (this.graph.takesDepth(target.node)) this.#made.set(expr, { ...target, args });
    return expr;
  }

  /** Statements of a function that nothing recursive calls: the stack that is in use is its own. */
  outside(stmts: readonly TsStmt[]): readonly TsStmt[] {
    return this.#onStack(stmts, number(frameWords(0, stmts)));
  }

  /** Statements of a function that may be called at any depth, which it does not know. */
  anywhere(stmts: readonly TsStmt[]): readonly TsStmt[] {
    return this.#onStack(stmts, this.#refer("deep-generators.stackStart"));
  }

  functions({ node, name, params, result, body, deep }: Written): readonly TsDeclaration[] {
    const words = number(frameWords(params.length, body));
    const takesDepth = this.graph.takesDepth(node);
    const depth = takesDepth ? binary("+", id(this.#depthName), words) : words;
    const isGuarded = deep !== null && this.graph.isCyclic(node);
    const guard = isGuarded ? [this.#guard(deep, params)] : [];
    const onStack: TsDeclaration = {
      kind: "function",
      doc: "",
      exported: false,
      fn: {
        name,
        typeParams: [],
        params: takesDepth ? [...params, depthParam(this.#depthName)] : params,
        result,
        body: [...guard, ...this.#onStack(body, depth)],
      },
    };
    if (deep === null) return [onStack];
    return [onStack, this.#onHeap({ node, name, params, result, body, deep }, deep)];
  }

  /** `if (depth > stackLimit) return runDeep(fDeep(..))` */
  #guard(deep: string, params: readonly TsParam[]): TsStmt {
    const test = binary(">", id(this.#depthName), this.#refer("deep-generators.stackLimit"));
    const run = callOf(this.#refer("deep-generators.runDeep"), callOf(id(deep), ...params.map(({ name }) => id(name))));
    return { kind: "if", test, then: [{ kind: "return", value: run }], else: [] };
  }

  #onHeap({ node, name, params, result, body }: Written, deep: string): TsDeclaration {
    const stmts = this.#mapCalls(body, (made) =>
      this.graph.isRecursive(node, made.node)
        ? { expr: { kind: "yield", value: callOf(made.deep, ...made.args) }, type: made.result }
        : { expr: callOf(made.fn, ...made.args, this.#refer("deep-generators.stackStart")), type: null },
    );
    const doc = `\`${name}\` where the stack is used up: recursive calls are yielded to \`runDeep\`.`;
    const fn = {
      name: deep,
      typeParams: [],
      params,
      result: typeName(this.#refer("deep-generators.Deep").name, result),
      body: stmts,
      isGenerator: true,
    } as const;
    return { kind: "generator", doc, fn };
  }

  #onStack(stmts: readonly TsStmt[], depth: TsExpr): readonly TsStmt[] {
    return this.#mapCalls(stmts, ({ fn, args }) => ({ expr: callOf(fn, ...args, depth), type: null }));
  }

  /** Statements with other calls; `type` is declared where it is not null. */
  #mapCalls(
    stmts: readonly TsStmt[],
    f: (made: MadeCall) => { readonly expr: TsExpr; readonly type: TsType | null },
  ): readonly TsStmt[] {
    const block = (body: readonly TsStmt[]): readonly TsStmt[] => body.map(statement);
    const statement = (stmt: TsStmt): TsStmt => {
      switch (stmt.kind) {
        case "const": {
          const made = this.#made.get(stmt.init);
          if (made === undefined) return stmt;
          const { expr, type } = f(made);
          return { ...stmt, type: stmt.type ?? type, init: expr };
        }
        case "expr": {
          const made = this.#made.get(stmt.expr);
          return made === undefined ? stmt : { kind: "expr", expr: f(made).expr };
        }
        case "if":
          return { ...stmt, then: block(stmt.then), else: block(stmt.else) };
        case "loop":
        case "while":
        case "for":
        case "block":
          return { ...stmt, body: block(stmt.body) };
        case "switch":
          return { ...stmt, cases: stmt.cases.map(({ test, body }) => ({ test, body: block(body) })) };
        case "try":
          return { ...stmt, body: block(stmt.body), handler: block(stmt.handler) };
        case "let":
        case "return":
        case "continue":
        case "break":
        case "throw":
        case "function":
        case "comment":
          return stmt;
      }
    };
    return block(stmts);
  }
}

/** The parameter that counts the words of stack in use. */
export function depthParam(name: string): TsParam {
  return { name, type: typeName("number"), optional: false };
}
