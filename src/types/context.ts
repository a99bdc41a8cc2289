// What inference of a module's definitions shares: the mistakes so far, what is known about each node of the tree, and the annotated type
// variables in scope.

import type { Type } from "../core/type.js";
import type { Span } from "../syntax/source.js";
import type * as Tree from "../syntax/tree.js";
import type { Declarations } from "./declarations.js";
import type { Reason, Subject, TypeMistake } from "./mistakes.js";
import { isBuiltinType, readType } from "./read-type.js";
import type { Scope } from "./scope.js";
import { Snapshot } from "./snapshot.js";
import { suggest } from "./suggest.js";
import { type ConstructorInfo, type DataInfo, type Ty, type TypeVariables, holeTy, variableTy } from "./ty.js";
import type { Disagreement, Unifier } from "./unify.js";

/** The type that an expression or pattern should have, and why. */
export interface Expected {
  readonly type: Ty;
  /** Made when it is needed, where that costs something; shows its types as the rest of the message shows them. */
  readonly reason: Reason | ((shown: Snapshot) => Reason);
}

export function reasonOf({ reason }: Expected, shown: Snapshot): Reason {
  return typeof reason === "function" ? reason(shown) : reason;
}

/** Something that waits until the type of a record is known. */
export interface Postponed {
  readonly record: Ty;
  /** The types that the record's type will decide. */
  readonly dependent: readonly Ty[];
  /** Whether that is done now; the last time it says what is wrong otherwise. */
  readonly settle: (isLast: boolean) => boolean;
}

/** What inference finds out about the nodes of the tree; the typed tree is built from it once everything is known. */
export interface Findings {
  readonly types: Map<Tree.Expr | Tree.Pattern, Ty>;
  /** For a use of a polymorphic function the types that its variables stand for there; for an operation the operand type. */
  readonly instances: Map<Tree.Expr, readonly Ty[]>;
  readonly constructors: Map<Tree.Expr | Tree.Pattern, ConstructorInfo>;
}

/** Expressions and patterns nest no deeper than this, but for chains (`let`, `if`, operators, application), which may have any length. */
const maxDepth = 450;

export class Context implements Findings {
  readonly types = new Map<Tree.Expr | Tree.Pattern, Ty>();
  readonly instances = new Map<Tree.Expr, readonly Ty[]>();
  readonly constructors = new Map<Tree.Expr | Tree.Pattern, ConstructorInfo>();
  readonly #typeVariables: TypeVariables[] = [];
  /** Fields of records whose type is not known yet. */
  readonly postponed: Postponed[] = [];
  #depth = 0;
  #declarations: Declarations;
  #definition = "";
  /** The constructors that the definition names and that do not exist. */
  #unbound = new Set<string>();
  /** What is told once for a definition. */
  #told = new Set<string>();
  #reportedLimit = false;

  constructor(
    readonly unifier: Unifier,
    readonly scope: Scope,
    declarations: Declarations,
    readonly mistakes: TypeMistake[],
  ) {
    this.#declarations = declarations;
  }

  /** Turns to another definition, which may see other declarations. */
  enterDefinition(name: string, declarations: Declarations): void {
    this.#definition = name;
    this.#unbound = new Set();
    this.#told = new Set();
    this.#declarations = declarations;
  }

  /** Whether something is to be told for the first time in the definition. */
  isFirst(what: string): boolean {
    const isFirst = !this.#told.has(what);
    this.#told.add(what);
    return isFirst;
  }

  /** Does `work` one level deeper; gives `otherwise`, after saying so, where that is too deep. */
  nested<T>(what: "expression" | "pattern", span: Span, work: () => T, otherwise: T): T {
    if (this.#depth >= maxDepth) {
      if (!this.#reportedLimit) this.mistakes.push({ kind: "nestedTooDeep", what, span });
      this.#reportedLimit = true;
      return otherwise;
    }
    this.#depth += 1;
    const result = work();
    this.#depth -= 1;
    return result;
  }

  /** Does `work` with the annotated type variables of a definition in scope. */
  withTypeVariables<T>(variables: TypeVariables, work: () => T): T {
    this.#typeVariables.push(variables);
    const result = work();
    this.#typeVariables.pop();
    return result;
  }

  /** The type that an annotation means. */
  annotation(expr: Tree.TypeExpr): Ty {
    const variable = (ident: Tree.Ident): Ty => this.#annotatedVariable(ident);
    return readType(expr, { names: this.#declarations, unifier: this.unifier, mistakes: this.mistakes, variable });
  }

  /** The variable of the innermost definition that has it; one that is new belongs to the innermost definition. */
  #annotatedVariable({ name }: Tree.Ident): Ty {
    for (let i = this.#typeVariables.length - 1; i >= 0; i -= 1) {
      const known = this.#typeVariables[i]?.variables.get(name);
      if (known !== undefined) return known;
    }
    const innermost = this.#typeVariables.at(-1);
    if (innermost === undefined) return holeTy;
    const variable = variableTy(innermost.level, "any", { name, owners: new Map([[innermost.owner, name]]) });
    innermost.variables.set(name, variable);
    return variable;
  }

  hasConstructor({ name }: Tree.Ident): boolean {
    return this.#declarations.constructors.has(name);
  }

  /** The constructor that a name means; a mistake where there is none, once for a definition. */
  constructorNamed({ name, span }: Tree.Ident): ConstructorInfo | null {
    const { constructors, data, aliases } = this.#declarations;
    const found = constructors.get(name);
    if (found !== undefined) return found;
    // Told already, where it is imported or defined
    if (aliases.get(name)?.type === null || this.#unbound.has(name)) return null;
    this.#unbound.add(name);
    const isType = data.has(name) || aliases.has(name) || isBuiltinType(name);
    const suggestions = suggest(name, [...constructors.keys(), "true", "false"]);
    this.mistakes.push({
      kind: "unbound",
      what: "constructor",
      name,
      span,
      suggestions,
      elsewhere: isType ? "type" : null,
      isApplied: false,
      clue: null,
    });
    return null;
  }

  /** The data types in scope with a constructor that has all of the fields. */
  typesWithFields(fields: readonly string[]): readonly DataInfo[] {
    const [first, ...others] = fields.map((field) => this.#declarations.fields.get(field) ?? []);
    return (first ?? []).filter((data) => others.every((other) => other.includes(data)));
  }

  /** The names of the fields in scope. */
  fieldNames(): Iterable<string> {
    return this.#declarations.fields.keys();
  }

  /** The fields and the type of a constructor, with fresh variables. */
  constructorAt(info: ConstructorInfo): { readonly fields: readonly Ty[]; readonly result: Ty } {
    const { data } = info;
    const args = data.params.map(() => this.unifier.fresh());
    return { fields: this.fieldsAt(info, args), result: { kind: "data", data, args } };
  }

  fieldsAt({ data, fields }: ConstructorInfo, args: readonly Ty[]): readonly Ty[] {
    const variables = data.params.map((param) => param.variable);
    return this.unifier.instantiate(variables, fields, args);
  }

  /** Notes the type of a node, which must be the one expected; tells what is wrong where it is not, and goes on with the expected one. */
  settle(node: Tree.Expr | Tree.Pattern, found: Ty, expected: Expected | null, subject: Subject): Ty {
    this.unifier.allowNode();
    if (expected === null) {
      this.types.set(node, found);
      return found;
    }
    this.types.set(node, expected.type);
    this.expect(node.span, found, expected, subject);
    return expected.type;
  }

  /** Makes `found` the expected type, or tells why it is not. */
  expect(span: Span, found: Ty, expected: Expected, subject: Subject): void {
    const problem = this.unifier.unify(expected.type, found);
    if (problem === null) return;
    this.#report(span, found, expected, subject, problem);
    // What is not known yet is not to be blamed for this later
    this.unifier.forget(expected.type);
    this.unifier.forget(found);
  }

  /** A way to show types as the definition calls their variables, with other names for those that are not annotated. */
  snapshot(): Snapshot {
    return new Snapshot(this.#typeVariables);
  }

  show(type: Ty): Type {
    return this.snapshot().type(type);
  }

  /** Takes back mistakes of which another one is to be told instead. */
  retract(mistakes: readonly TypeMistake[]): void {
    for (const mistake of mistakes) this.mistakes.splice(this.mistakes.indexOf(mistake), 1);
  }

  tooLarge(span: Span): void {
    if (this.#reportedLimit) return;
    this.#reportedLimit = true;
    this.mistakes.push({ kind: "typeTooLarge", span, definition: this.#definition });
  }

  #report(span: Span, found: Ty, expected: Expected, subject: Subject, problem: Disagreement): void {
    const shown = this.snapshot();
    const expectedType = shown.type(expected.type);
    const foundType = shown.type(found);
    const reason = reasonOf(expected, shown);
    const what = { span, subject, reason, repair: null };
    const mismatch = { kind: "mismatch", ...what, expected: expectedType, found: foundType } as const;
    switch (problem.kind) {
      case "tooLarge":
        this.tooLarge(span);
        return;
      case "infinite": {
        const variable = shown.name(problem.variable);
        this.mistakes.push({ kind: "infiniteType", ...what, variable, type: shown.type(problem.type) });
        return;
      }
      case "escape": {
        const variable = shown.name(problem.variable);
        this.mistakes.push({ kind: "escape", span, variable, expected: expectedType, found: foundType });
        return;
      }
      case "constraint": {
        const type = shown.type(problem.type);
        if (problem.onExpected) {
          const orBool = problem.constraint === "equality";
          this.mistakes.push({ ...mismatch, difference: { kind: "notNumber", found: type, orBool } });
        } else {
          // A number, or what `==` compares, stands where something else is expected
          const number: Type = { kind: "typeVar", name: "number" };
          this.mistakes.push({ ...mismatch, difference: { kind: "clash", expected: type, found: number } });
        }
        return;
      }
      case "clash": {
        const parts = { expected: shown.type(problem.expected), found: shown.type(problem.found) };
        const rigid = [problem.expected, problem.found].find((type) => type.kind === "variable");
        const difference =
          rigid?.kind === "variable"
            ? ({ kind: "rigid", variable: shown.name(rigid), ...parts } as const)
            : ({ kind: "clash", ...parts } as const);
        this.mistakes.push({ ...mismatch, difference });
      }
    }
  }
}
