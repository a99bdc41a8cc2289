// Unification with levels (Rémy): a variable's level says which binding may generalise it; binding a variable to a type lowers the levels
// inside. Work and depth are bounded, so that a program whose types explode is reported and not waited for.

import { type Constraint, type Ty, type Variable, prune, variableTy } from "./ty.js";

/** Why two types do not agree; `expected` and `found` are the parts that differ. */
export type Disagreement =
  | { readonly kind: "clash"; readonly expected: Ty; readonly found: Ty }
  /** `type` would have to hold `variable`, itself. */
  | { readonly kind: "infinite"; readonly variable: Variable; readonly type: Ty }
  /** `type` is not one of those that the constraint allows. */
  | { readonly kind: "constraint"; readonly constraint: Constraint; readonly type: Ty; readonly onExpected: boolean }
  /** An annotated variable of an inner definition would get out of it. */
  | { readonly kind: "escape"; readonly variable: Variable }
  | { readonly kind: "tooLarge" };

/** Types nest no deeper than this while they are inferred. */
const maxDepth = 500;
/** Steps of unification that any module may take, and those that it may take more for each node of its tree. */
const freeWork = 10_000_000;
const workPerNode = 500;

export class Unifier {
  level = 0;
  #work = 0;
  #allowed = freeWork;

  fresh(constraint: Constraint = "any"): Variable {
    return variableTy(this.level, constraint);
  }

  /** One more node of the tree has been visited. */
  allowNode(): void {
    this.#allowed += workPerNode;
  }

  /** Counts steps; true as long as the module stays within its budget. */
  spend(steps: number): boolean {
    this.#work += steps;
    return this.#work <= this.#allowed;
  }

  isExhausted(): boolean {
    return this.#work > this.#allowed;
  }

  /** Makes the types equal, or says why they cannot be; what was found out on the way stays. */
  unify(expected: Ty, found: Ty): Disagreement | null {
    if (this.isExhausted()) return null;
    const result = this.#unify(expected, found, 0);
    return this.isExhausted() ? { kind: "tooLarge" } : result;
  }

  #unify(expectedType: Ty, foundType: Ty, depth: number): Disagreement | null {
    if (depth > maxDepth || !this.spend(1)) return { kind: "tooLarge" };
    const expected = prune(expectedType);
    const found = prune(foundType);
    if (expected === found || expected.kind === "hole" || found.kind === "hole") return this.#fill(expected, found);
    if (expected.kind === "variable" && expected.rigid === null) return this.#bind(expected, found, false);
    if (found.kind === "variable" && found.rigid === null) return this.#bind(found, expected, true);
    if (expected.kind === "variable" && found.kind === "variable" && this.#merge(expected, found)) return null;
    const clash: Disagreement = { kind: "clash", expected, found };
    switch (expected.kind) {
      case "fn":
        if (found.kind !== "fn") return clash;
        return this.#unify(expected.from, found.from, depth + 1) ?? this.#unify(expected.to, found.to, depth + 1);
      case "tuple":
        if (found.kind !== "tuple" || found.items.length !== expected.items.length) return clash;
        return this.#unifyAll(expected.items, found.items, depth + 1);
      case "data":
        if (found.kind !== "data" || found.data !== expected.data) return clash;
        return this.#unifyAll(expected.args, found.args, depth + 1);
      case "array":
        if (found.kind !== "array") return clash;
        return this.#unify(expected.element, found.element, depth + 1);
      case "variable":
        return clash;
      default:
        return expected.kind === found.kind ? null : clash;
    }
  }

  #unifyAll(expected: readonly Ty[], found: readonly Ty[], depth: number): Disagreement | null {
    let first: Disagreement | null = null;
    for (const [i, type] of expected.entries()) {
      const other = found[i];
      if (other === undefined) continue;
      first ??= this.#unify(type, other, depth);
    }
    return first;
  }

  /** A hole makes every variable that meets it one. */
  #fill(left: Ty, right: Ty): null {
    const hole = left.kind === "hole" ? left : right;
    if (hole.kind !== "hole") return null;
    for (const type of [left, right]) {
      if (type.kind === "variable" && type.rigid === null) type.link = hole;
    }
    return null;
  }

  /** Annotated variables of different definitions of one recursive group can be the same one: recursion is monomorphic. */
  #merge(left: Variable, right: Variable): boolean {
    if (left.rigid === null || right.rigid === null || left.level !== right.level) return false;
    for (const owner of right.rigid.owners.keys()) if (left.rigid.owners.has(owner)) return false;
    for (const [owner, name] of left.rigid.owners) right.rigid.owners.set(owner, name);
    left.link = right;
    return true;
  }

  #bind(variable: Variable, type: Ty, variableIsFound: boolean): Disagreement | null {
    if (type.kind === "variable" && type.rigid === null) {
      type.level = Math.min(type.level, variable.level);
      type.constraint = stronger(variable.constraint, type.constraint);
      variable.link = type;
      return null;
    }
    if (!allows(variable.constraint, type)) {
      return { kind: "constraint", constraint: variable.constraint, type, onExpected: !variableIsFound };
    }
    const problem = this.#enter(variable, type, 0);
    if (problem === "infinite") return { kind: "infinite", variable, type };
    if (problem !== null) return problem;
    variable.link = type;
    return null;
  }

  /** Prepares `type` to stand for `variable`: the variable must not occur in it, and its variables are no deeper than that one. */
  #enter(variable: Variable, type: Ty, depth: number): Disagreement | "infinite" | null {
    if (depth > maxDepth || !this.spend(1)) return { kind: "tooLarge" };
    const end = prune(type);
    switch (end.kind) {
      case "variable":
        if (end === variable) return "infinite";
        if (end.rigid !== null && end.level > variable.level) return { kind: "escape", variable: end };
        if (end.level > variable.level) end.level = variable.level;
        return null;
      case "fn":
        return this.#enter(variable, end.from, depth + 1) ?? this.#enter(variable, end.to, depth + 1);
      case "tuple":
        return this.#enterAll(variable, end.items, depth + 1);
      case "data":
        return this.#enterAll(variable, end.args, depth + 1);
      case "array":
        return this.#enter(variable, end.element, depth + 1);
      default:
        return null;
    }
  }

  #enterAll(variable: Variable, types: readonly Ty[], depth: number): Disagreement | "infinite" | null {
    for (const type of types) {
      const problem = this.#enter(variable, type, depth);
      if (problem !== null) return problem;
    }
    return null;
  }

  /** Makes holes of the variables that are still open in `type`. */
  forget(type: Ty): void {
    for (const variable of this.generalise(type, () => true, -1)) {
      if (variable.rigid === null) variable.link = { kind: "hole" };
    }
  }

  /**
   * The variables of `type` that the binding just left may quantify: those deeper than `level`, the current one. One that `keep` refuses stays a
   * variable of the surroundings.
   */
  generalise(type: Ty, keep: (variable: Variable) => boolean, level = this.level): Variable[] {
    const found = new Set<Variable>();
    const seen = new Set<Ty>();
    const visit = (part: Ty, depth: number): void => {
      const end = prune(part);
      if (depth > maxDepth || seen.has(end)) return;
      seen.add(end);
      this.spend(1);
      if (end.kind === "variable") {
        if (end.level <= level) return;
        if (keep(end)) found.add(end);
        else end.level = level;
      } else if (end.kind === "fn") {
        visit(end.from, depth + 1);
        visit(end.to, depth + 1);
      } else if (end.kind === "tuple") for (const item of end.items) visit(item, depth + 1);
      else if (end.kind === "data") for (const arg of end.args) visit(arg, depth + 1);
      else if (end.kind === "array") visit(end.element, depth + 1);
    };
    visit(type, 0);
    return [...found];
  }

  /** Makes the variables of `type` some of a binding at `level`, but for annotated ones, which stay with theirs. */
  keepOutside(type: Ty, level: number): void {
    this.generalise(type, ({ rigid }) => rigid !== null, level);
  }

  /** `types` with fresh variables, or the given ones, for `variables`. */
  instantiate(variables: readonly Variable[], types: readonly Ty[], by: readonly Ty[]): readonly Ty[] {
    if (variables.length === 0) return types;
    const copies = new Map<Ty, Ty>(variables.map((variable, i) => [variable, by[i] ?? this.fresh()]));
    const copyAll = (parts: readonly Ty[], depth: number): readonly Ty[] => {
      const result = parts.map((part) => copy(part, depth));
      return result.every((part, i) => part === parts[i]) ? parts : result;
    };
    const copy = (part: Ty, depth: number): Ty => {
      const end = prune(part);
      const known = copies.get(end);
      if (known !== undefined) return known;
      if (depth > maxDepth || !this.spend(1)) return { kind: "hole" };
      let result: Ty = end;
      if (end.kind === "fn") {
        const from = copy(end.from, depth + 1);
        const to = copy(end.to, depth + 1);
        if (from !== end.from || to !== end.to) result = { kind: "fn", from, to };
      } else if (end.kind === "tuple") {
        const items = copyAll(end.items, depth + 1);
        if (items !== end.items) result = { kind: "tuple", items };
      } else if (end.kind === "data") {
        const args = copyAll(end.args, depth + 1);
        if (args !== end.args) result = { kind: "data", data: end.data, args };
      } else if (end.kind === "array") {
        const element = copy(end.element, depth + 1);
        if (element !== end.element) result = { kind: "array", element };
      }
      copies.set(end, result);
      return result;
    };
    return types.map((type) => copy(type, 0));
  }
}

function stronger(left: Constraint, right: Constraint): Constraint {
  if (left === "numeric" || right === "numeric") return "numeric";
  return left === "equality" || right === "equality" ? "equality" : "any";
}

function allows(constraint: Constraint, type: Ty): boolean {
  switch (constraint) {
    case "any":
      return true;
    case "equality":
      return type.kind === "real" || type.kind === "int" || type.kind === "bool";
    case "numeric":
      return type.kind === "real" || type.kind === "int";
  }
}
