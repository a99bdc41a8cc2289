// Pattern matching as flat, exhaustive cases. A right-hand side that several leaves of the decision tree reach becomes a local function,
// a join point, so that nothing is written twice.

import { InternalError } from "../internal-error.js";
import type { Span } from "../syntax/source.js";
import type { Branch, Pattern } from "../types/typed.js";
import * as b from "../core/build.js";
import { countLeaves, decide, row, type Decision, type Row } from "./decision.js";
import type { Scope } from "./instances.js";
import { Variable } from "./scope.js";
import type { Session } from "./session.js";
import type { Fn, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { locate } from "../location.js";

/** A term around a body. */
export type Wrap = (body: Term) => Term;

/** A scope and what binds the names that it has more. */
export interface Opened {
  readonly scope: Scope;
  readonly wrap: Wrap;
}

/** A variable for the value that a pattern takes apart, called as the pattern calls it or after its type; `_` for a wildcard. */
export function variableFor(pattern: Pattern, scope: Scope, session: Session): Variable {
  const type = session.instantiate(pattern.type, scope.types, scope.definition, pattern.span);
  switch (pattern.kind) {
    case "variable":
      return Variable.named(type, pattern.name, scope.names);
    case "wildcard":
      return Variable.unnamed(type, scope.names);
    default:
      return Variable.typed(type, scope.names);
  }
}

/** `let pattern = bound in ..`, the pattern irrefutable. A variable is not bound again, and a tuple not made to be taken apart. */
export function openLet(pattern: Pattern, bound: Term, scope: Scope, session: Session): Opened {
  if (pattern.kind === "tuple" && bound.kind === "tuple") return openTuple(pattern.items, bound.items, scope, session);
  const root = bound.kind === "var" ? aliasFor(bound, pattern, scope, session) : variableFor(pattern, scope, session);
  const parts = openParts([pattern], [root], scope, session);
  if (bound.kind === "var") return parts;
  const name = pattern.kind === "variable" ? pattern.name : null;
  const location = session.locationOf(scope, pattern.span, name);
  return { scope: parts.scope, wrap: (body) => locate(bindRoot(root, pattern, bound, parts.wrap(body)), location) };
}

function openTuple(patterns: readonly Pattern[], items: readonly Term[], scope: Scope, session: Session): Opened {
  const wraps: Wrap[] = [];
  let inner = scope;
  patterns.forEach((pattern, index) => {
    const item = items[index];
    if (item === undefined) throw new InternalError("match", "a tuple pattern of another size");
    const opened = openLet(pattern, item, inner, session);
    wraps.push(opened.wrap);
    inner = opened.scope;
  });
  return { scope: inner, wrap: (body) => b.wrapAll(wraps, body) };
}

function aliasFor(bound: Term & { readonly kind: "var" }, pattern: Pattern, scope: Scope, session: Session): Variable {
  return Variable.alias(
    bound,
    session.instantiate(pattern.type, scope.types, scope.definition, pattern.span),
    scope.names,
  );
}

/** Takes values apart with irrefutable patterns: projections, and cases of one branch. */
export function openParts(
  patterns: readonly Pattern[],
  on: readonly Variable[],
  scope: Scope,
  session: Session,
): Opened {
  const wraps: Wrap[] = [];
  let decision = decision1(patterns, on, scope, session);
  for (;;) {
    switch (decision.kind) {
      case "leaf":
        return {
          scope: { ...scope, variables: scope.variables.with(decision.row.bound) },
          wrap: (body) => b.wrapAll(wraps, body),
        };
      case "project": {
        const { on: tuple, items, next } = decision;
        wraps.push((body) => projections(tuple, items, body));
        decision = next;
        break;
      }
      case "switch": {
        const { on: value, data, arms } = decision;
        const [arm] = arms;
        if (arm === undefined || arms.length > 1) throw new InternalError("match", "a pattern of a binding may fail");
        wraps.push((body) => {
          const vars = arm.fields.map((field) => field.binder());
          return arm.fields.some(({ uses }) => uses > 0)
            ? b.caseOf(value.use(), data, [{ con: arm.con, vars, body }])
            : body;
        });
        decision = arm.next;
        break;
      }
      default:
        throw new InternalError("match", "a pattern of a binding may fail");
    }
  }
}

function decision1(patterns: readonly Pattern[], on: readonly Variable[], scope: Scope, session: Session): Decision {
  return decide([row(0, on, patterns)], contextOf(session, scope, patterns[0]?.span ?? null));
}

function contextOf(session: Session, scope: Scope, span: Span | null) {
  let nodes = 0;
  const { decisions, nesting } = session.limits;
  return {
    data: session.data,
    names: scope.names,
    grow: (depth: number): boolean => {
      nodes += 1;
      const exceeded = depth > nesting ? nesting : nodes > decisions ? decisions : null;
      return exceeded === null || span === null || session.exceed("caseTooLarge", scope.definition, exceeded, span);
    },
  };
}

/** What a `case` needs besides its parts. */
export interface MatchSite {
  readonly scope: Scope;
  readonly session: Session;
  readonly span: Span;
  readonly result: Type;
  readonly elaborate: (branch: Branch, scope: Scope) => Term;
}

/** `case (on1, .., onk) of { patterns -> body; .. }`; `rows` holds each branch's patterns. */
export function matchTerm(
  on: readonly Variable[],
  rows: readonly (readonly Pattern[])[],
  branches: readonly Branch[],
  site: MatchSite,
): Term {
  const { scope, session } = site;
  const decision = decide(
    rows.map((patterns, index) => row(index, on, patterns)),
    contextOf(session, scope, site.span),
  );
  const counts = countLeaves(decision);
  const joins: Fn[] = [];
  const leaves = branches.map((branch, index) => {
    if ((counts.get(index) ?? 0) <= 1) {
      return ({ bound }: Row) => site.elaborate(branch, { ...scope, variables: scope.variables.with(bound) });
    }
    return joinPoint(branch, site, joins);
  });
  const term = matchOf(decision, (reached) => {
    const leaf = leaves[reached.index];
    if (leaf === undefined) throw new InternalError("match", "a leaf of no branch");
    return leaf(reached);
  });
  return joins.reduceRight((body, join) => b.letRec([join], body), term);
}

/** A right-hand side as a function of those of its pattern's variables that it uses; an atom stays as it is. */
function joinPoint(branch: Branch, site: MatchSite, joins: Fn[]): (row: Row) => Term {
  const { scope, session } = site;
  const params = variablesOf(branch.pattern).map(
    (pattern) => [pattern.name, variableFor(pattern, scope, session)] as const,
  );
  const body = site.elaborate(branch, { ...scope, variables: scope.variables.with(params) });
  const used = params.filter(([, { uses }]) => uses > 0);
  const value = ({ bound }: Row, name: string): Term => {
    const variable = bound.find(([other]) => other === name);
    if (variable === undefined) throw new InternalError("match", `a leaf does not bind ${name}`);
    return variable[1].use();
  };
  if (b.isAtom(body)) {
    const [param] = used;
    return param === undefined ? () => body : (reached) => value(reached, param[0]);
  }
  const name = session.names.fresh(branch.pattern.kind === "wildcard" ? "otherwise" : "matched");
  joins.push(
    b.fn(
      name,
      used.map(([, variable]) => b.param(variable.binder(), variable.type)),
      site.result,
      body,
    ),
  );
  return (reached) => b.call(name, used.map(([param]) => value(reached, param))); // prettier-ignore
}

function matchOf(decision: Decision, leaf: (row: Row) => Term): Term {
  switch (decision.kind) {
    case "leaf":
      return leaf(decision.row);
    case "project":
      return projections(decision.on, decision.items, matchOf(decision.next, leaf));
    case "switch": {
      const on = decision.on.use();
      const branches = decision.arms.map((arm) => {
        const body = matchOf(arm.next, leaf);
        return { con: arm.con, vars: arm.fields.map((field) => field.binder()), body };
      });
      return b.caseOf(on, decision.data, branches);
    }
    case "boolean":
      return b.ifThenElse(decision.on.use(), matchOf(decision.then, leaf), matchOf(decision.else, leaf));
    case "integer": {
      const test = b.op("eqZ", [decision.on.use(), b.intLit(decision.value)], null);
      return b.ifThenElse(test, matchOf(decision.then, leaf), matchOf(decision.else, leaf));
    }
  }
}

/** `let x1 = on.0 in .. body`, for the components that the body uses. */
function projections(on: Variable, items: readonly Variable[], body: Term): Term {
  return items.reduceRight(
    (inner, item, index) =>
      item.uses === 0 ? inner : b.letIn(item.binder(), item.type, b.proj(index, on.use()), inner),
    body,
  );
}

/**
 * Binds the value that a pattern has taken apart. It stands directly in the case, the test or the projection that begins the body if that
 * is its only use.
 */
export function bindRoot(root: Variable, pattern: Pattern, bound: Term, body: Term): Term {
  if (pattern.kind !== "variable") {
    if (root.uses === 0 && b.isValue(bound)) return body;
    if (root.uses === 1) {
      const absorbed = absorb(root.use(), bound, body);
      if (absorbed !== null) return absorbed;
    }
  }
  return b.letIn(root.binder(), root.type, bound, body);
}

function absorb(variable: Term, bound: Term, body: Term): Term | null {
  switch (body.kind) {
    case "case":
      return body.scrutinee === variable ? { ...body, scrutinee: bound } : null;
    case "if":
      return body.cond === variable ? { ...body, cond: bound } : null;
    case "let":
      return body.bound.kind === "proj" && body.bound.tuple === variable
        ? { ...body, bound: { ...body.bound, tuple: bound } }
        : null;
    case "letRec": {
      const inner = absorb(variable, bound, body.body);
      return inner === null ? null : { ...body, body: inner };
    }
    default:
      return null;
  }
}

/** The variables that a pattern binds, from left to right. */
function variablesOf(pattern: Pattern): readonly (Pattern & { readonly kind: "variable" })[] {
  switch (pattern.kind) {
    case "variable":
      return [pattern];
    case "tuple":
      return pattern.items.flatMap(variablesOf);
    case "constructor":
      return pattern.args.flatMap(variablesOf);
    default:
      return [];
  }
}
