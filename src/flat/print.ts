// Flat programs as text, in the notation of the grammar in `program.ts`.

import { primitive } from "../core/primitives.js";
import { printType } from "../core/print-type.js";
import type { Type } from "../core/type.js";
import type { Atom, Block, Check, End, Operation, Procedure, Program, Rep, Stmt, Var } from "./program.js";

/** A program as text, for people and tests. */
export function printFlat({ procedures, entries }: Program): string {
  const printed = procedures.map(printProcedure).join("\n");
  const exported = entries.map(({ entry, procedure }) => `entry ${entry.name} = ${procedure}\n`).join("");
  return `${printed}\n${exported}`;
}

/** One procedure as text. */
export function printProcedure({ name, captured, params, results, body, kind }: Procedure): string {
  const closure = kind === "lambda" ? `[${typed(captured)}]` : "";
  const head = `${kind} ${name}${closure}(${typed(params)}) : ${tuple(results.map(printRep))} =`;
  return `${[head, ...indented(block(body))].join("\n")}\n`;
}

/** What a variable holds. */
export function printRep(rep: Rep): string {
  switch (rep.kind) {
    case "real":
      return "R";
    case "int":
      return "Z";
    case "bool":
      return "Bool";
    case "array":
      return `[${printRep(rep.element)}]`;
    case "object":
      return printType(rep.type);
    case "closure":
      return printType({ kind: "fn", from: rep.from, to: rep.to });
    case "store":
      return `store ${printRep(rep.of)}`;
  }
}

/** A variable or a literal; reals have a point. */
function printAtom(atom: Atom): string {
  switch (atom.kind) {
    case "var":
      return atom.variable.name;
    case "real": {
      const text = Object.is(atom.value, -0) ? "-0" : String(atom.value);
      return /^-?\d+$/.test(text) ? `${text}.0` : text;
    }
    case "int":
    case "bool":
      return String(atom.value);
  }
}

type Lines = readonly string[];

function block({ stmts, end: last }: Block): Lines {
  const lines: string[] = [];
  for (const statement of stmts) for (const line of stmt(statement)) lines.push(line);
  lines.push(...end(last));
  return lines;
}

function end(term: End): Lines {
  switch (term.kind) {
    case "yield":
    case "next":
      return [[term.kind, ...(term.values.length === 0 ? [] : [atoms(term.values)])].join(" ")];
    case "if":
      return [`if ${printAtom(term.cond)} then`, ...indented(block(term.then)), "else", ...indented(block(term.else))];
    case "switch": {
      const branches = term.branches.flatMap(({ con, body }) => [`${con} ->`, ...indented(block(body))]);
      return [`switch ${printAtom(term.object)} {`, ...indented(branches), "}"];
    }
  }
}

function stmt(term: Stmt): Lines {
  switch (term.kind) {
    case "let":
      return [`${names([term.result])}${annotation(term.result, term.op)} = ${printOperation(term.op)}`];
    case "check":
      return [`check ${check(term.check)}`];
    case "choose":
      return continued(names(term.results), end(term.end));
    case "call":
      return [`${names(term.results)} = ${term.fn}(${atoms(term.args)})`];
    case "apply":
      return [`${names(term.results)} = ${printAtom(term.fn)}(${atoms(term.args)})`];
    case "loop":
      return [
        `${made(term.results, term.arrays)} = loop${started(term.params, term.init)}`,
        ...indented(block(term.body)),
      ];
    case "for": {
      const head = `for ${term.index.name} < ${printAtom(term.count)}${started(term.params, term.init)}`;
      return [`${made(term.results, term.arrays)} = ${head}`, ...indented(block(term.body))];
    }
  }
}

/** The type of a result where the operation does not say it; an object's type is that of the parts that are of its data type. */
function annotation({ rep }: Var, op: Operation): string {
  const isUnsaid =
    op.kind === "closure" ||
    op.kind === "extern" ||
    (op.kind === "array" && op.items.length === 0) ||
    (op.kind === "object" && op.type.kind === "data" && op.type.args.length > 0 && !isSaid(op.type, op.args));
  return isUnsaid ? ` : ${printRep(rep)}` : "";
}

function isSaid(type: Type & { readonly kind: "data" }, args: readonly Atom[]): boolean {
  const types = args.flatMap((arg) => (arg.kind === "var" && arg.variable.rep.kind === "object" ? [arg.variable.rep.type] : [])); // prettier-ignore
  const same = types.filter((one) => one.kind === "data" && one.name === type.name).map(printType);
  return same.length > 0 && same.every((one) => one === printType(type));
}

/** An operation as text. */
export function printOperation(op: Operation): string {
  switch (op.kind) {
    case "copy":
      return printAtom(op.value);
    case "known":
      return `${printAtom(op.value)} with the derivative of ${printAtom(op.from)}`;
    case "prim": {
      const args = op.args.map(printAtom);
      const { notation } = primitive(op.op);
      const checked = `${op.site === null ? "" : "?"}${op.isEarly === true ? "~" : ""}${op.overflowing === undefined ? "" : "!"}`;
      const [left = "", right] = args;
      if (/^[a-z]/i.test(notation)) return `${notation}${checked}(${args.join(", ")})`;
      return right === undefined ? `${notation}${checked}${left}` : `${left} ${notation}${checked} ${right}`;
    }
    case "field":
      return `${printAtom(op.object)}.${op.con}.${op.index}`;
    case "cell":
      return `${printAtom(op.array)} ! ${printAtom(op.index)}`;
    case "length":
      return `length ${printAtom(op.array)}`;
    case "object":
      return `${op.con}(${atoms(op.args)})`;
    case "array":
      return `[${atoms(op.items)}]`;
    case "extern":
      return `extern ${op.fn}(${atoms(op.args)})`;
    case "closure":
      return `closure ${op.code}[${atoms(op.captured)}]`;
    case "realStore":
      return `store of ${printAtom(op.size)}`;
    case "objectStore":
      return `store ${op.con}(${op.args.map((arg) => (arg === null ? "_" : printAtom(arg))).join(", ")})`;
    case "zeroStore":
      return `zero store of ${printAtom(op.value)}`;
  }
}

function check(term: Check): string {
  switch (term.kind) {
    case "inRange":
      return `${printAtom(term.index)} in ${printAtom(term.array)}`;
    case "size":
      return `size ${printAtom(term.size)}`;
  }
}

/** `(x = a, ..)`. */
function started(params: readonly Var[], init: readonly Atom[]): string {
  if (params.length === 0) return "";
  const each = params.map(({ name }, index) => {
    const atom = init[index];
    return `${name} = ${atom === undefined ? "?" : printAtom(atom)}`;
  });
  return ` (${each.join(", ")})`;
}

function made(results: readonly Var[], arrays: readonly Var[]): string {
  const all = [...results.map(({ name }) => name), ...arrays.map(({ name }) => `[${name}]`)];
  return all.length === 0 ? "()" : all.join(", ");
}

function names(variables: readonly Var[]): string {
  return variables.length === 0 ? "()" : variables.map(({ name }) => name).join(", ");
}

function typed(variables: readonly Var[]): string {
  return variables.map(({ name, rep }) => `${name} : ${printRep(rep)}`).join(", ");
}

function atoms(list: readonly Atom[]): string {
  return list.map(printAtom).join(", ");
}

function tuple(parts: readonly string[]): string {
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : `(${parts.join(", ")})`;
}

function continued(left: string, [first = "", ...rest]: Lines): Lines {
  return [`${left} = ${first}`, ...rest];
}

function indented(lines: Lines): Lines {
  return lines.map((line) => `  ${line}`);
}
