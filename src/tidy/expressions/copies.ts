// Copy and constant propagation.
//
// Variables that stand for others, or for literals, are replaced by these; what is never assigned to again is a constant.
//
//   const xs = new Float64Array(n) xs.length is n, where n is a length
//   const a = b                    a is b everywhere, where b keeps its value
//   const t = -x                   t is -x, where the compiler has made up its name
//   let x = e                      const x = e, where nothing assigns to x
//   let x; .. x = e                const x = e, where nothing else assigns to x

import { sameItems } from "../../same.js";
import { hasStatements, mapParts, mapStmt, withBody, type Rewriting } from "../../typescript/traverse.js";
import type { TsExpr, TsFunction, TsStmt, TsType } from "../../typescript/tree.js";
import { isLocal, type Bindings } from "../analysis/bindings.js";
import { isNewArray } from "../analysis/counting.js";
import { isSettled, surveyed } from "../analysis/survey.js";

export function withoutCopies(fn: TsFunction, bindings: Bindings): TsFunction {
  const survey = surveyed(fn);
  const { variables } = survey;
  const replacements = new Map<string, TsExpr>();
  /** Variables that became constants. */
  const constants = new Set<string>();
  const numbers = new Set<string>();
  /** Constants that are lengths; and by new array its length, where that is one of them. */
  const lengths = new Set<string>();
  const sizes = new Map<string, TsExpr>();

  const learnSize = (name: string, init: TsExpr): void => {
    if (init.kind === "member" && init.name === "length") lengths.add(name);
    const [size, ...others] = isNewArray(init) ? init.args : [];
    if (size?.kind === "id" && others.length === 0 && lengths.has(size.name)) sizes.set(name, size);
  };

  /** What a constant may be replaced by, if anything. */
  const replacement = (name: string, type: TsType | null, init: TsExpr, stmt: TsStmt): TsExpr | null => {
    if (type !== null && !isPlain(type)) return null;
    if (init.kind === "number" || init.kind === "boolean") return init;
    // In a sum, the sign is that of the term
    if (init.kind === "unary" && init.op === "-" && init.arg.kind === "id") {
      const isConstant = constants.has(init.arg.name) || variables.get(init.arg.name)?.writes === 0;
      return isConstant && bindings.isTemporary(name) ? init : null;
    }
    if (init.kind !== "id" || !isLocal(init.name) || !(constants.has(init.name) || isSettled(survey, init.name, stmt)))
      return null;
    const isParam = variables.get(init.name)?.kind === "param";
    if (!isParam && isMadeUp(init.name, bindings) && !isMadeUp(name, bindings)) bindings.rename(init.name, bindings.wanted(name)); // prettier-ignore
    return init;
  };

  const rewriting: Rewriting = {
    expr: (expr) => {
      if (expr.kind === "id") return replacements.get(expr.name) ?? expr;
      // Nothing to replace yet
      if (replacements.size === 0 && numbers.size === 0 && sizes.size === 0 && !hasStatements(expr)) return expr;
      const size =
        expr.kind === "member" && expr.name === "length" && expr.object.kind === "id" ? expr.object.name : "";
      const known = sizes.get(size);
      if (known !== undefined) return known;
      const mapped = mapParts(expr, rewriting);
      // A number that was kept in a variable for it
      if (mapped.kind === "as" && mapped.expr.kind === "id" && numbers.has(mapped.expr.name) && isPlain(mapped.type)) return mapped.expr; // prettier-ignore
      return mapped;
    },
    block: (body) => {
      const out: TsStmt[] = [];
      const awaited = new Map<string, { readonly slot: number; readonly type: TsType | null }>();
      const dropped = new Set<number>();
      for (const stmt of body) {
        if (stmt.kind === "let") {
          const variable = variables.get(stmt.name);
          if (stmt.init?.kind === "number") numbers.add(stmt.name);
          if (variable?.writes === 0 && stmt.init !== null) {
            constant(stmt.name, stmt.type, rewriting.expr(stmt.init), stmt, out);
            continue;
          }
          if (variable?.writes === 1 && stmt.init === null)
            awaited.set(stmt.name, { slot: out.length, type: stmt.type });
        }
        const assigned = stmt.kind === "expr" && stmt.expr.kind === "assign" && stmt.expr.op === "=" ? stmt.expr : null;
        const awaiting = assigned?.target.kind === "id" ? awaited.get(assigned.target.name) : undefined;
        if (assigned?.target.kind === "id" && awaiting !== undefined) {
          dropped.add(awaiting.slot);
          constants.add(assigned.target.name);
          constant(assigned.target.name, awaiting.type, rewriting.expr(assigned.value), stmt, out);
        } else if (stmt.kind === "const" && typeof stmt.target === "string") {
          constant(stmt.target, stmt.type, rewriting.expr(stmt.init), stmt, out);
        } else out.push(mapStmt(stmt, rewriting));
      }
      return dropped.size === 0 ? sameItems(body, out) : out.filter((_, index) => !dropped.has(index));
    },
  };
  const constant = (name: string, type: TsType | null, init: TsExpr, stmt: TsStmt, out: TsStmt[]): void => {
    const other = replacement(name, type, init, stmt);
    learnSize(name, init);
    const shown = isScalarType(type) && init.kind !== "yield" ? null : type;
    if (other !== null) replacements.set(name, other);
    else if (stmt.kind === "const" && init === stmt.init && shown === type) out.push(stmt);
    else out.push({ kind: "const", target: name, type: shown, init });
  };
  return withBody(fn, rewriting.block(fn.body));
}

/** Whether the compiler has made up a name: for a step, or for what it looks at, as a length. */
function isMadeUp(name: string, bindings: Bindings): boolean {
  return bindings.isTemporary(name) || bindings.wanted(name).isOwn === true;
}

function isScalarType(type: TsType | null): boolean {
  return type?.kind === "name" && (type.name === "number" || type.name === "boolean");
}

/** Whether all expressions of a type are as good as others: it is told from no other by TypeScript. */
function isPlain(type: TsType): boolean {
  if (type.kind === "array") return isPlain(type.element);
  return isScalarType(type) || (type.kind === "name" && (type.name === "Float64Array" || (type.name === "Array" && type.args.every(isPlain)))); // prettier-ignore
}
