import type { Doc } from "prettier";
import { builders } from "prettier/doc";
import type { Comments } from "./format-comments.js";
import { unreachable } from "../internal-error.js";
import type { FieldPattern, Pattern, TypeExpr } from "./tree.js";

const { group, indent, join, line, softline } = builders;

/** How tight a type must be where it stands; a looser one gets parentheses. */
export const typeLevel = { any: 0, sum: 1, product: 2, applied: 3, atomic: 4 } as const;
type TypeLevel = (typeof typeLevel)[keyof typeof typeLevel];

export function typeDoc(type: TypeExpr, level: TypeLevel, comments: Comments): Doc {
  return comments.around(type.span, () => {
    const bare = bareType(type, comments);
    return levelOf(type) < level ? ["(", bare, ")"] : bare;
  });
}

function levelOf(type: TypeExpr): TypeLevel {
  switch (type.kind) {
    case "function":
      return typeLevel.any;
    case "sum":
      return typeLevel.sum;
    case "tuple":
      return type.spelling === "unicode" ? typeLevel.product : typeLevel.atomic;
    case "named":
      return type.args.length > 0 ? typeLevel.applied : typeLevel.atomic;
    case "variable":
    case "array":
      return typeLevel.atomic;
    default:
      return unreachable(type);
  }
}

function bareType(type: TypeExpr, comments: Comments): Doc {
  switch (type.kind) {
    case "function": {
      const parts = [typeDoc(type.from, typeLevel.sum, comments)];
      let arrow = type.spelling;
      let to = type.to;
      for (; to.kind === "function"; to = to.to) {
        parts.push([arrow === "unicode" ? "→ " : "-> ", typeDoc(to.from, typeLevel.sum, comments)]);
        arrow = to.spelling;
      }
      parts.push([arrow === "unicode" ? "→ " : "-> ", typeDoc(to, typeLevel.any, comments)]);
      return group(indent(join(line, parts)));
    }
    case "sum": {
      const right = [type.right];
      let left = type.left;
      for (; left.kind === "sum"; left = left.left) right.push(left.right);
      const first = typeDoc(left, typeLevel.sum, comments);
      const rest = right.reverse().map((item) => ["+ ", typeDoc(item, typeLevel.product, comments)]);
      return group(indent(join(line, [first, ...rest])));
    }
    case "tuple":
      if (type.spelling === "unicode") {
        const items = type.items.map((item) => typeDoc(item, typeLevel.applied, comments));
        return group(indent(join([line, "× "], items)));
      }
      return bracketed(
        type.items.map((item) => typeDoc(item, typeLevel.any, comments)),
        comments.beforeCloser(type.span.end - 1),
      );
    case "named": {
      const name = type.spelling === "unicode" ? (unicodeNames.get(type.name.name) ?? type.name.name) : type.name.name;
      const args = type.args.map((arg) => typeDoc(arg, typeLevel.atomic, comments));
      return args.length === 0 ? name : group([name, indent([line, join(line, args)])]);
    }
    case "variable":
      return type.name.name;
    case "array":
      return group(["[", indent([softline, typeDoc(type.element, typeLevel.any, comments)]), softline, "]"]);
    default:
      return unreachable(type);
  }
}

const unicodeNames: ReadonlyMap<string, string> = new Map([
  ["R", "ℝ"],
  ["Z", "ℤ"],
]);

/** `(a, b)` or `[a, b]`, broken one item to a line. */
export function bracketed(items: readonly Doc[], last: readonly Doc[], brackets: "()" | "[]" = "()"): Doc {
  if (items.length === 0 && last.length === 0) return brackets;
  const [open = "", close = ""] = brackets;
  return group([open, indent([softline, join([",", line], [...items]), [...last]]), softline, close]);
}

/** `{ a, b }` behind `head`, broken one item to a line where it does not fit or where the author has broken it. */
export function braced(head: Doc, items: readonly Doc[], last: readonly Doc[], expanded: boolean): Doc {
  const inside = indent([line, join([",", line], [...items]), [...last]]);
  return group([head, "{", inside, line, "}"], { shouldBreak: expanded });
}

/** How tight a pattern must be where it stands. */
export const patternLevel = { ascribed: 0, any: 1, applied: 2, atomic: 3 } as const;
type PatternLevel = (typeof patternLevel)[keyof typeof patternLevel];

export function patternDoc(pattern: Pattern, level: PatternLevel, comments: Comments): Doc {
  return comments.around(pattern.span, () => {
    const bare = barePattern(pattern, comments);
    return levelOfPattern(pattern) < level ? ["(", bare, ")"] : bare;
  });
}

function levelOfPattern(pattern: Pattern): PatternLevel {
  switch (pattern.kind) {
    case "ascribed":
      return patternLevel.ascribed;
    case "constructor":
      if (pattern.infix) return patternLevel.any;
      return pattern.args.length > 0 || pattern.name.name === "inl" || pattern.name.name === "inr"
        ? patternLevel.applied
        : patternLevel.atomic;
    case "integer":
      return pattern.text.startsWith("-") ? patternLevel.applied : patternLevel.atomic;
    case "variable":
    case "wildcard":
    case "tuple":
    case "boolean":
      return patternLevel.atomic;
    // An atom to the parser, but hard to read beside others.
    case "record":
      return patternLevel.applied;
    default:
      return unreachable(pattern);
  }
}

function barePattern(pattern: Pattern, comments: Comments): Doc {
  switch (pattern.kind) {
    case "variable":
      return pattern.name.name;
    case "wildcard":
      return "_";
    case "integer":
      return pattern.text;
    case "boolean":
      return String(pattern.value);
    case "tuple":
      return bracketed(
        pattern.items.map((item) => patternDoc(item, patternLevel.ascribed, comments)),
        comments.beforeCloser(pattern.span.end - 1),
      );
    case "ascribed":
      return [
        patternDoc(pattern.pattern, patternLevel.any, comments),
        " : ",
        typeDoc(pattern.type, typeLevel.any, comments),
      ];
    case "constructor": {
      if (pattern.infix) return consDoc(pattern, comments);
      const args = pattern.args.map((arg) => patternDoc(arg, patternLevel.atomic, comments));
      return args.length === 0 ? pattern.name.name : group([pattern.name.name, indent([line, join(line, args)])]);
    }
    case "record": {
      const expanded = comments.newLineBehind("{", pattern.name.span.end, pattern.fields[0]?.name.span.start ?? 0);
      const last = comments.beforeCloser(pattern.span.end - 1);
      return braced(
        `${pattern.name.name} `,
        pattern.fields.map((field) => fieldPatternDoc(field, comments)),
        last,
        expanded,
      );
    }
    default:
      return unreachable(pattern);
  }
}

/** A variable of the field's own name goes without saying. */
function fieldPatternDoc({ name, pattern }: FieldPattern, comments: Comments): Doc {
  const before = comments.before(name.span.start);
  const behind = comments.behind(pattern.span.end);
  const behindName = comments.behind(name.span.end);
  const printed = patternDoc(pattern, patternLevel.any, comments);
  const same = pattern.kind === "variable" && pattern.name.name === name.name;
  return [before, same ? [printed, behindName] : group([name.name, " =", behindName, indent([line, printed])]), behind];
}

function consDoc(pattern: Pattern, comments: Comments): Doc {
  const parts: Doc[] = [];
  let rest = pattern;
  while (rest.kind === "constructor" && rest.infix) {
    const [head, tail] = rest.args;
    if (head === undefined || tail === undefined) break;
    parts.push(patternDoc(head, patternLevel.applied, comments));
    rest = tail;
  }
  parts.push(patternDoc(rest, patternLevel.any, comments));
  return group(indent(join([line, ":: "], parts)));
}
