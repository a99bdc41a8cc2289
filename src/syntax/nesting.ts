import type { IToken } from "chevrotain";
import type { Span } from "./source.js";

/** What a reader of the text is inside of at some place: brackets and keywords whose counterpart has not come yet. */
export interface Open {
  readonly construct: Construct;
  /** Its first token. */
  readonly span: Span;
}

export type Construct =
  | "def" | "extern" | "rule" | "data" | "type" | "let" | "letValue" | "if" | "then" | "case" | "of" | "lambda" | "import" | "(" | "[" | "{" | "record"; // prettier-ignore

/** An `Open` in progress. */
interface Entry {
  construct: Construct;
  readonly token: IToken;
  /** In the braces of a `case`: behind the arrow of a branch. Elsewhere: behind the `=`. */
  inBody: boolean;
  /** Behind a colon, where a type stands. */
  inType: boolean;
}

const closers: ReadonlyMap<string, readonly Construct[]> = new Map([
  [")", ["("]],
  ["]", ["["]],
  ["}", ["{", "record"]],
]);

/** What shuts off the things inside from those outside. */
export const brackets: ReadonlySet<Construct> = new Set(["(", "[", "{", "record"]);

/** Follows the tokens of one item from its beginning; wrong nesting is taken as it comes. */
export class Nesting {
  readonly entries: Entry[] = [];
  private previous = "";

  get depth(): number {
    return this.entries.length;
  }

  get innermost(): Entry | undefined {
    return this.entries.at(-1);
  }

  has(construct: Construct): boolean {
    return this.entries.some((entry) => entry.construct === construct);
  }

  /** The innermost braces that are open. */
  get innerBraces(): Construct | undefined {
    return this.entries.findLast(({ construct }) => construct === "{" || construct === "record")?.construct;
  }

  /** Within a type: in a declaration of one, or behind a colon. */
  get inType(): boolean {
    const top = this.entries.findLast(({ construct }) => construct !== "(" && construct !== "[");
    const inBrackets = this.entries.findLast(({ inType }) => inType) !== undefined;
    const declares = (top?.construct === "data" || top?.construct === "type") && top.inBody;
    return declares || (inBrackets && this.innermost?.inType !== false) || (this.innermost?.inType ?? false);
  }

  open(file: string): readonly Open[] {
    return this.entries
      .map(({ construct, token }) => ({
        construct,
        span: { file, start: token.startOffset, end: token.startOffset + token.image.length },
      }))
      .reverse();
  }

  read(token: IToken): void {
    const name = token.tokenType.name;
    const top = this.innermost;
    const { previous } = this;
    this.previous = name;
    switch (name) {
      case "def":
      case "data":
      case "type":
      case "import":
        // Elsewhere it is a name that is taken
        if (previous === "") this.push(name, token);
        break;
      case "fused def":
        if (previous === "") this.push("def", token);
        break;
      case "extern def":
        if (previous === "") this.push("extern", token);
        break;
      case "rule derivative":
      case "rule pullback":
        if (previous === "") this.push("rule", token);
        break;
      case "let":
      case "if":
      case "case":
      case "(":
      case "[":
        this.push(name, token);
        break;
      case "{":
        this.push(previous === "of" ? "{" : "record", token);
        break;
      case "\\":
        this.push("lambda", token);
        break;
      case ")":
      case "]":
      case "}":
        this.close(closers.get(name) ?? []);
        break;
      case "=":
        if (top !== undefined) {
          top.inType = false;
          top.inBody = true;
          if (top.construct === "let") top.construct = "letValue";
        }
        break;
      case ":":
        if (top !== undefined) top.inType = true;
        break;
      case ",":
        if (top !== undefined) top.inType = false;
        if (top?.construct === "record") top.inBody = false;
        break;
      case "->":
        if (top?.construct === "{") top.inBody = true;
        break;
      case ";":
        this.backTo(["{"]);
        if (this.innermost?.construct === "{") this.innermost.inBody = false;
        break;
      case "in":
        this.end(["let", "letValue"]);
        break;
      case "and":
        this.backTo(["letValue"]);
        if (this.innermost?.construct === "letValue") this.innermost.construct = "let";
        break;
      case "then":
        this.become(["if"], "then");
        break;
      case "else":
        this.end(["then"]);
        break;
      case "of":
        this.become(["case"], "of");
        break;
      case ".":
        this.end(["lambda"]);
        break;
    }
  }

  private push(construct: Construct, token: IToken): void {
    this.entries.push({ construct, token, inBody: false, inType: false });
  }

  /** The innermost of the given constructs that no bracket shuts off. */
  private find(constructs: readonly Construct[]): number {
    for (let i = this.entries.length - 1; i >= 0; i -= 1) {
      const construct = this.entries[i]?.construct;
      if (construct === undefined) break;
      if (constructs.includes(construct)) return i;
      if (brackets.has(construct)) break;
    }
    return -1;
  }

  private end(constructs: readonly Construct[]): void {
    const found = this.find(constructs);
    if (found !== -1) this.entries.length = found;
  }

  private backTo(constructs: readonly Construct[]): void {
    const found = this.find(constructs);
    if (found !== -1) this.entries.length = found + 1;
  }

  private become(constructs: readonly Construct[], next: Construct): void {
    this.backTo(constructs);
    if (this.innermost !== undefined && constructs.includes(this.innermost.construct)) this.innermost.construct = next;
  }

  private close(openers: readonly Construct[]): void {
    const found = this.entries.findLastIndex(({ construct }) => openers.includes(construct));
    if (found === -1) return;
    const opener = this.entries[found]?.construct;
    this.entries.length = found;
    if (opener === "{" && this.innermost?.construct === "of") this.entries.pop();
  }
}
