// Random well-typed terms, built from their type downwards: every construct, with how often it is chosen.

import * as A from "./random-arrays.js";
import * as C from "./random-control.js";
import { randomType } from "./random-declarations.js";
import { weighted, type Dice } from "./random-dice.js";
import { derivative } from "./random-derivatives.js";
import { alias, escapingClosure } from "./random-escapes.js";
import * as F from "./random-functions.js";
import * as leaves from "./random-leaves.js";
import { booleanOperation, integerOperation, realOperation } from "./random-operations.js";
import { constructor, fieldRead, update } from "./random-records.js";
import { terms, type Maker, type Production, type Scope } from "./random-scope.js";
import { showing, type Binder, type Term } from "./random-terms.js";
import * as T from "./random-types.js";
import type { DataType, Type } from "./random-types.js";

/** What makes a term of any type; where one has none, a construct of the type itself stands in. */
const productions: Readonly<Record<string, readonly [weight: number, make: Production]>> = {
  let: [3, F.letIn],
  "local polymorphic function": [1, F.letPolymorphic],
  "lambda applied": [1, F.applyLambda],
  "variable applied": [3, F.applyVariable],
  "polymorphic function applied": [2, F.applyPolymorphic],
  if: [2, C.ifThenElse],
  case: [4, C.caseSplit],
  projection: [1, C.projection],
  loop: [3, C.loop],
  "recursion over data": [2, C.recursion],
  "not used": [1, C.unused],
  parallel: [1, C.parallel],
  index: [2, A.index],
  "index of a variable": [2, A.variableIndexed],
  prelude: [3, A.prelude],
  "paired arrays": [2, A.pairedArrays],
  "loop along an array": [1, A.loopAlong],
  field: [2, fieldRead],
  "record update": [2, update],
  "escaping closure": [2, escapingClosure],
  alias: [2, alias],
};

export class Generator implements Maker {
  #count = 0;

  constructor(
    readonly dice: Dice,
    readonly declared: readonly DataType[],
    readonly mayFail = false,
    /** Whether terms differentiate. */
    private readonly derivatives = false,
  ) {}

  fresh(type: Type): Binder {
    const stems: Readonly<Record<Type["kind"], string>> = {
      real: "x",
      integer: "n",
      boolean: "b",
      tuple: "p",
      function: "f",
      array: "xs",
      data: "v",
      variable: "a",
    };
    this.#count += 1;
    return { name: `${stems[type.kind]}${this.#count}`, type };
  }

  randomType(depth: number, functions: boolean): Type {
    return randomType(this.dice, depth, this.declared, functions);
  }

  constructorsOf(type: T.AppliedData): readonly T.Constructor[] {
    const known = [...this.declared, T.listType, T.sumType].find((declaration) => declaration.name === type.name);
    if (known === undefined) throw new Error(`no data type ${type.name}`);
    return T.constructorsAt(known, type.args);
  }

  term(type: Type, scope: Scope, fuel: number): Term {
    if (fuel <= 1) return this.leaf(type, scope);
    const chosen = Object.entries(productions).map(([name, [weight, make]]) => {
      return [weight, () => this.#made(name, make, type, scope, fuel)] as const;
    });
    return weighted<Term>(this.dice, [
      [2, () => this.leaf(type, scope)],
      [type.kind === "function" ? 28 : 18, () => this.ofItsType(type, scope, fuel)],
      ...chosen,
      ...(this.derivatives ? [[24, () => this.#made("derivative", derivative, type, scope, fuel)] as const] : []),
    ]);
  }

  #made(name: string, make: Production, type: Type, scope: Scope, fuel: number): Term {
    const made = make(this, type, scope, fuel);
    return made === null ? this.ofItsType(type, scope, fuel) : showing(name, made);
  }

  leaf(type: Type, scope: Scope, depth = 2): Term {
    return leaves.leaf(this, type, scope, depth);
  }

  realOf(binder: Binder, scope: Scope, depth: number): Term {
    return leaves.realOf(this, binder, scope, depth);
  }

  ofItsType(type: Type, scope: Scope, fuel: number): Term {
    const made = this.#productionOf(type)(this, type, scope, fuel);
    if (made === null) throw new Error(`nothing makes ${T.printType(type)}`);
    return made;
  }

  #productionOf(type: Type): Production {
    switch (type.kind) {
      case "real":
      case "variable":
        return realOperation;
      case "integer":
        return this.dice.fraction() < 0.2 ? A.length : integerOperation;
      case "boolean":
        return booleanOperation;
      case "tuple":
        return (maker, _, scope, fuel) => leaves.tupleOf(type, terms(maker, type.items, scope, fuel));
      case "function":
        return F.functionOfItsType;
      case "array":
        return weighted<Production>(this.dice, [
          [4, () => A.arrayOfItsType],
          [3, () => A.prelude],
          [1, () => (maker, of, scope, fuel) => A.pairedArrays(maker, of, scope, fuel) ?? A.arrayOfItsType(maker, of, scope, fuel)],
        ]); // prettier-ignore
      case "data":
        return (maker, of, scope, fuel) =>
          (this.dice.fraction() < 0.4 ? update(maker, of, scope, fuel) : null) ?? constructor(maker, of, scope, fuel);
    }
  }
}
