import type { Doc } from "prettier";
import { builders } from "prettier/doc";
import type { Comments } from "./format-comments.js";
import { braced, bracketed, patternDoc, patternLevel, typeDoc, typeLevel } from "./format-types.js";
import { unreachable } from "../internal-error.js";
import { fixities, indexPrecedence, negatePrecedence, operatorText, parallelPrecedence } from "./operators.js";
import type { Expr, FieldValue, FunctionBinding, Ident, Pattern } from "./tree.js";

const { align, breakParent, fill, group, hardline, indent, join, line } = builders;

const anyPrecedence = 0;
const operandPrecedence = 11;
const argumentPrecedence = 12;

type Lambda = Extract<Expr, { kind: "lambda" }>;
type Let = Extract<Expr, { kind: "let" | "letFunction" }>;
type If = Extract<Expr, { kind: "if" }>;
type Case = Extract<Expr, { kind: "case" }>;
type Index = Extract<Expr, { kind: "index" }>;
type Binary = Extract<Expr, { kind: "binary" }>;

/** An expression that nothing follows before a closing bracket or a keyword. */
export function termDoc(expr: Expr, comments: Comments): Doc {
  return print(expr, anyPrecedence, true, comments);
}

/**
 * `precedence` is the least that goes without parentheses. What ends in a body, which takes all that follows, goes without them too where
 * nothing follows: `last`.
 */
function print(expr: Expr, precedence: number, last: boolean, comments: Comments): Doc {
  return comments.around(expr.span, () => {
    const bare = precedenceOf(expr) >= precedence || (last && endsInBody(expr) && precedence <= operandPrecedence);
    return bare ? printBare(expr, last, comments) : ["(", align(1, printBare(expr, true, comments)), ")"];
  });
}

function endsInBody(expr: Expr): boolean {
  return expr.kind === "lambda" || expr.kind === "let" || expr.kind === "letFunction" || expr.kind === "if";
}

function precedenceOf(expr: Expr): number {
  switch (expr.kind) {
    case "lambda":
    case "let":
    case "letFunction":
    case "if":
      return anyPrecedence;
    case "parallel":
      return parallelPrecedence;
    case "binary":
      return fixities[expr.operator].precedence;
    case "negate":
      return negatePrecedence;
    case "index":
      return indexPrecedence;
    case "apply":
    case "case":
      return operandPrecedence;
    case "variable":
    case "constructor":
    case "real":
    case "number":
    case "boolean":
    case "tuple":
    case "operator":
    case "ascribed":
    case "array":
    case "field":
    case "record":
    case "update":
      return argumentPrecedence;
    default:
      return unreachable(expr);
  }
}

function printBare(expr: Expr, last: boolean, comments: Comments): Doc {
  switch (expr.kind) {
    case "variable":
      if (expr.label !== undefined) return `${expr.name.name} "${expr.label}"`;
      return expr.name.name === "!" ? "(!)" : expr.name.name;
    case "constructor":
      return expr.name.name;
    case "real":
    case "number":
      return expr.text;
    case "boolean":
      return String(expr.value);
    case "operator":
      return `(${operatorText(expr.operator, expr.spelling)})`;
    case "tuple":
      return bracketed(
        expr.items.map((item) => termDoc(item, comments)),
        comments.beforeCloser(expr.span.end - 1),
      );
    case "array":
      return bracketed(
        expr.items.map((item) => termDoc(item, comments)),
        comments.beforeCloser(expr.span.end - 1),
        "[]",
      );
    case "field":
      return printField(expr, comments);
    case "index":
      return printIndex(expr, last, comments);
    case "record":
      return printRecord(expr, comments);
    case "update":
      return printUpdate(expr, comments);
    case "ascribed":
      return group([
        "(",
        align(1, [
          print(expr.expr, parallelPrecedence, false, comments),
          line,
          ": ",
          typeDoc(expr.type, typeLevel.any, comments),
        ]),
        ")",
      ]);
    case "apply":
      return printApplication(expr, comments);
    case "negate":
      return ["-", printNegated(expr.expr, last, comments)];
    case "binary":
      return printBinary(expr, last, comments);
    case "parallel": {
      const sign = expr.spelling === "unicode" ? "⋆ " : "|*| ";
      const items = expr.items.map((item, i) => {
        const printed = print(item, parallelPrecedence + 1, last && i === expr.items.length - 1, comments);
        return i === 0 ? printed : align(sign.length, printed);
      });
      return group(indent(join([line, sign], items)));
    }
    case "lambda":
      return printLambda(expr, comments);
    case "let":
    case "letFunction":
      return printLets(expr, comments);
    case "if":
      return printIf(expr, comments);
    case "case":
      return printCase(expr, comments);
    default:
      return unreachable(expr);
  }
}

/** The operand of a unary minus; `--` would begin a comment. */
function printNegated(expr: Expr, last: boolean, comments: Comments): Doc {
  const before = comments.before(expr.span.start);
  const operand = print(expr, endsInBody(expr) ? argumentPrecedence : negatePrecedence, last, comments);
  return [expr.kind === "negate" || before.length > 0 ? " " : "", before, operand];
}

function printApplication(expr: Expr, comments: Comments): Doc {
  const args: Expr[] = [];
  let fn = expr;
  for (; fn.kind === "apply"; fn = fn.fn) args.push(fn.arg);
  const first = print(fn, argumentPrecedence, false, comments);
  const rest = args.reverse().map((arg) => print(arg, argumentPrecedence, false, comments));
  return group([first, indent([line, join(line, rest)])]);
}

function printBinary(expr: Binary, last: boolean, comments: Comments): Doc {
  const { precedence, associativity } = fixities[expr.operator];
  return associativity === "right"
    ? printRightChain(expr, precedence, last, comments)
    : printLeftChain(expr, precedence, associativity === "left", last, comments);
}

/** `a + b - c`: one operator to a line where it does not fit. */
function printLeftChain(expr: Binary, precedence: number, chained: boolean, last: boolean, comments: Comments): Doc {
  const links: Binary[] = [expr];
  let left = expr.left;
  while (chained && left.kind === "binary" && fixities[left.operator].precedence === precedence) {
    links.push(left);
    left = left.left;
  }
  const first = print(left, chained ? precedence : precedence + 1, false, comments);
  const rest = links.reverse().map((link) => {
    const sign = `${operatorText(link.operator, link.spelling)} `;
    return [sign, align(sign.length, print(link.right, precedence + 1, last && link === expr, comments))];
  });
  return group([first, indent([line, join(line, rest)])]);
}

/** `a :: b :: Nil`: as many to a line as fit. */
function printRightChain(expr: Binary, precedence: number, last: boolean, comments: Comments): Doc {
  const parts: Doc[] = [];
  let rest: Expr = expr;
  while (rest.kind === "binary" && fixities[rest.operator].precedence === precedence) {
    const sign = operatorText(rest.operator, rest.spelling);
    parts.push([print(rest.left, precedence + 1, false, comments), ` ${sign}`], line);
    rest = rest.right;
  }
  parts.push(print(rest, precedence + 1, last, comments));
  return group(indent(fill(parts)));
}

/** `a ! i ! j` */
function printIndex(expr: Index, last: boolean, comments: Comments): Doc {
  const links: Index[] = [expr];
  let array = expr.array;
  while (array.kind === "index") {
    links.push(array);
    array = array.array;
  }
  const first = print(array, indexPrecedence, false, comments);
  const rest = links.reverse().map((link) => {
    const index = print(link.index, indexPrecedence + 1, last && link === expr, comments);
    return ["! ", align(2, index)];
  });
  return group([first, indent([line, join(line, rest)])]);
}

function printField(expr: Extract<Expr, { kind: "field" }>, comments: Comments): Doc {
  const names: Ident[] = [];
  let record: Expr = expr;
  for (; record.kind === "field"; record = record.record) names.push(record.name);
  const first = print(record, argumentPrecedence, false, comments);
  return [first, names.reverse().map(({ name, span }) => [".", comments.around(span, () => name)])];
}

function printRecord(expr: Extract<Expr, { kind: "record" }>, comments: Comments): Doc {
  const { name, fields, span } = expr;
  const expanded = comments.newLineBehind("{", name.span.end, fields[0]?.name.span.start ?? span.end);
  const last = comments.beforeCloser(span.end - 1);
  return braced(`${name.name} `, printFieldValues(fields, comments), last, expanded);
}

function printUpdate(expr: Extract<Expr, { kind: "update" }>, comments: Comments): Doc {
  const behind = comments.behind(expr.record.span.end);
  const last = comments.beforeCloser(expr.span.end - 1);
  const record = align(2, termDoc(expr.record, comments));
  const fields = join([",", line], [...printFieldValues(expr.fields, comments)]);
  return group(["{ ", record, " |", behind, indent([line, fields, [...last]]), line, "}"]);
}

function printFieldValues(fields: readonly FieldValue[], comments: Comments): readonly Doc[] {
  return fields.map(({ name, value }) => {
    const before = comments.before(name.span.start);
    const behind = comments.behind(value.span.end);
    const behindName = comments.behind(name.span.end);
    return [before, group([name.name, " =", behindName, indent([line, termDoc(value, comments)])]), behind];
  });
}

function printLambda(expr: Lambda, comments: Comments): Doc {
  const behind = comments.behind(expr.params.at(-1)?.span.end ?? expr.span.start);
  const params = expr.params.map((param) => patternDoc(param, patternLevel.atomic, comments));
  const sign = expr.spelling === "unicode" ? "λ" : "\\";
  return group([sign, join(" ", params), ".", behind, indent([line, termDoc(expr.body, comments)])]);
}

/** `let`s in a row stand under each other, each with its body on a new line. */
function printLets(expr: Let, comments: Comments): Doc {
  const parts: Doc[] = [];
  let body: Expr = expr;
  while (body.kind === "let" || body.kind === "letFunction") {
    if (body !== expr) parts.push(comments.before(body.span.start));
    const bound = body.kind === "let" ? body.bound : (body.bindings.at(-1)?.body ?? body.body);
    const behind = comments.behind(bound.span.end);
    parts.push(body.kind === "let" ? printLet(body, comments) : printLetFunction(body, comments));
    parts.push(behind, comments.emptyLine(bound.span.end, body.body.span.start) ? [hardline, hardline] : hardline);
    body = body.body;
  }
  parts.push(termDoc(body, comments));
  return parts;
}

function printLet(expr: Extract<Expr, { kind: "let" }>, comments: Comments): Doc {
  const behind = comments.behind(expr.pattern.span.end);
  const pattern = patternDoc(expr.pattern, patternLevel.ascribed, comments);
  return group(["let ", pattern, " =", behind, indent([line, termDoc(expr.bound, comments)]), line, "in"]);
}

function printLetFunction(expr: Extract<Expr, { kind: "letFunction" }>, comments: Comments): Doc {
  const [first, ...others] = expr.bindings.map((binding) => printBinding(binding, comments));
  const opening = expr.recursive ? "let rec " : "let ";
  if (others.length === 0) return group([opening, first ?? "", line, "in"]);
  return [group([opening, first ?? ""]), others.map((other) => [hardline, group(["and ", other])]), hardline, "in"];
}

/** A definition without its `def`; a new line behind the `=` stays. */
export function printDefinition(binding: FunctionBinding, comments: Comments): Doc {
  const printed = printBinding(binding, comments);
  return comments.newLineBehind("=", endOfHead(binding), binding.body.span.start) ? [printed, breakParent] : printed;
}

function endOfHead(binding: FunctionBinding): number {
  return binding.result?.span.end ?? binding.params.at(-1)?.span.end ?? binding.name.span.end;
}

/** `f p.. : T = body`, without a group of its own. */
function printBinding(binding: FunctionBinding, comments: Comments): Doc {
  const behind = comments.behind(endOfHead(binding));
  return [
    comments.before(binding.name.span.start),
    printHead(binding.name.name, binding.params, comments),
    binding.result === null ? "" : [" : ", typeDoc(binding.result, typeLevel.any, comments)],
    " =",
    behind,
    indent([line, termDoc(binding.body, comments)]),
  ];
}

/** `f p..`. */
export function printHead(name: string, params: readonly Pattern[], comments: Comments): Doc {
  if (params.length === 0) return name;
  const docs = params.map((param) => patternDoc(param, patternLevel.atomic, comments));
  return group([name, indent([line, join(line, docs)])]);
}

function printIf(expr: If, comments: Comments): Doc {
  const parts: Doc[] = [];
  let rest: Expr = expr;
  while (rest.kind === "if") {
    if (rest !== expr) parts.push(" ", comments.before(rest.span.start));
    const behindCond = comments.behind(rest.cond.span.end);
    parts.push("if ", termDoc(rest.cond, comments), " then", behindCond);
    const behindThen = comments.behind(rest.then.span.end);
    parts.push(indent([line, termDoc(rest.then, comments)]), behindThen, line, "else");
    rest = rest.else;
  }
  parts.push(indent([line, termDoc(rest, comments)]));
  return group(parts);
}

/** Branches stay under each other where the author has begun a new line for the first of them. */
function printCase(expr: Case, comments: Comments): Doc {
  const behind = comments.behind(expr.scrutinee.span.end);
  const scrutinee = termDoc(expr.scrutinee, comments);
  const branches = expr.branches.map((branch, i) => {
    const before = comments.before(branch.span.start);
    const behindBranch = comments.behind(branch.body.span.end);
    const behindPattern = comments.behind(branch.pattern.span.end);
    const pattern = patternDoc(branch.pattern, patternLevel.any, comments);
    const arrow = branch.spelling === "unicode" ? " →" : " ->";
    const body = indent([line, termDoc(branch.body, comments)]);
    return [
      before,
      group([pattern, arrow, behindPattern, body]),
      i < expr.branches.length - 1 ? ";" : "",
      behindBranch,
    ];
  });
  const inside = [line, join(line, branches), [...comments.beforeCloser(expr.span.end - 1)]];
  const expanded = comments.newLineBehind("{", expr.scrutinee.span.end, expr.branches[0]?.span.start ?? expr.span.end);
  return group(["case ", scrutinee, " of {", behind, indent(inside), line, "}"], { shouldBreak: expanded });
}
