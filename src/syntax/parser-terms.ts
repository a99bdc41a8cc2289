import type { IToken, TokenType } from "chevrotain";
import { operatorOf, resolveOperators, type ComparisonChain, type Head, type Step } from "./operators.js";
import { PatternParser } from "./parser-patterns.js";
import { joinSpans, type Span } from "./source.js";
import * as T from "./tokens.js";
import type { Branch, Expr, FieldValue, FunctionBinding, TypeExpr } from "./tree.js";

/** What an atomic pattern begins with. */
const patternStarts: readonly TokenType[] = [T.Lower, T.Upper, T.Wildcard, T.Integer, T.True, T.False, T.LeftParen];

/** Behind a name in braces: where `=` belongs, or is missing. */
const behindField: readonly TokenType[] = [T.Equals, T.Colon, T.Comma, T.RightBrace];

/** The rules of expressions, which read operators as a flat sequence: operators.ts makes the tree. */
export abstract class TermParser extends PatternParser {
  /** Comparisons in a row that the rules let pass. */
  chains: ComparisonChain[] = [];
  /** The `[` of `a[i]`, which the rules read as an argument. */
  gluedBrackets: Span[] = [];

  readonly expression = this.RULE("expression", (): Expr => {
    const steps: Step[] = [];
    this.MANY(() => {
      const head = this.SUBRULE(this.head);
      steps.push({ kind: "head", head });
    });
    const first = this.SUBRULE(this.operand);
    steps.push({ kind: "operand", expr: first });
    this.MANY2(() => {
      steps.push(this.SUBRULE(this.operator));
      this.MANY3(() => {
        const head = this.SUBRULE2(this.head);
        steps.push({ kind: "head", head });
      });
      const next = this.SUBRULE2(this.operand);
      steps.push({ kind: "operand", expr: next });
    });
    return this.ACTION(() => {
      if (steps.length === 1) return first;
      const { expr, chains } = resolveOperators(steps);
      this.chains.push(...chains);
      return expr;
    });
  });

  readonly operator = this.RULE("operator", (): Step =>
    this.OR<Step>([
      {
        ALT: () => {
          const token = this.CONSUME(T.Infix);
          return this.ACTION(() => ({ kind: "infix", ...operatorOf(token), span: this.spanOf(token) }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.Parallel);
          return this.ACTION(() => ({
            kind: "parallel",
            spelling: token.image === "⋆" ? "unicode" : "ascii",
            span: this.spanOf(token),
          }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.Bang);
          return this.ACTION(() => ({ kind: "index", span: this.spanOf(token) }));
        },
      },
    ]),
  );

  /** What takes the expression behind it: `-` and everything that ends in a body. */
  readonly head = this.RULE("head", (): Head =>
    this.OR<Head>([
      {
        ALT: () => {
          const minus = this.CONSUME(T.Minus);
          return this.ACTION(() => ({ kind: "negate", span: this.spanOf(minus) }));
        },
      },
      {
        ALT: () => {
          const lambda = this.CONSUME(T.Lambda);
          const params = this.SUBRULE(this.parameters);
          this.CONSUME(T.Dot);
          return this.ACTION(() => ({
            kind: "lambda",
            params,
            spelling: lambda.image === "λ" ? "unicode" : "ascii",
            span: this.since(lambda),
          }));
        },
      },
      {
        ALT: () => {
          const first = this.CONSUME(T.Let);
          const head = this.SUBRULE(this.letHead);
          this.CONSUME(T.In);
          return this.ACTION(() => ({ ...head, span: this.since(first) }));
        },
      },
      {
        ALT: () => {
          const first = this.CONSUME(T.If);
          const cond = this.SUBRULE(this.expression);
          this.CONSUME(T.Then);
          const then = this.SUBRULE2(this.expression);
          this.CONSUME(T.Else);
          return this.ACTION(() => ({ kind: "if", cond, then, span: this.since(first) }));
        },
      },
    ]),
  );

  /** A lowercase name with a pattern behind it is a function. */
  readonly letHead = this.RULE("letHead", (): Head => {
    const first = this.LA(1);
    return this.OR<Head>({
      MAX_LOOKAHEAD: 1,
      IGNORE_AMBIGUITIES: true,
      DEF: [
        {
          ALT: () => {
            this.CONSUME(T.Rec);
            const bindings = [this.SUBRULE(this.functionBinding)];
            this.MANY(() => {
              this.CONSUME(T.And);
              bindings.push(this.SUBRULE2(this.functionBinding));
            });
            return this.ACTION(() => ({ kind: "letFunction", recursive: true, bindings, span: this.since(first) }));
          },
        },
        {
          GATE: () => this.LA(1).tokenType === T.Lower && patternStarts.includes(this.LA(2).tokenType),
          ALT: () => {
            const binding = this.SUBRULE3(this.functionBinding);
            return this.ACTION(() => ({
              kind: "letFunction",
              recursive: false,
              bindings: [binding],
              span: this.since(first),
            }));
          },
        },
        {
          ALT: () => {
            const pattern = this.SUBRULE(this.ascribedPattern);
            this.CONSUME(T.Equals);
            const bound = this.SUBRULE(this.expression);
            return this.ACTION(() => ({ kind: "let", pattern, bound, span: this.since(first) }));
          },
        },
      ],
    });
  });

  readonly functionBinding = this.RULE("functionBinding", (): FunctionBinding => {
    const name = this.CONSUME(T.Lower);
    const params = this.SUBRULE(this.parameters);
    const rest = this.SUBRULE(this.bindingRest);
    return this.ACTION(() => ({ name: this.ident(name), params, ...rest, span: this.since(name) }));
  });

  readonly bindingRest = this.RULE("bindingRest", (): { result: TypeExpr | null; body: Expr } => {
    const result = this.OPTION(() => {
      this.CONSUME(T.Colon);
      return this.SUBRULE(this.typeExpression);
    });
    this.CONSUME(T.Equals);
    const body = this.SUBRULE(this.expression);
    return this.ACTION(() => ({ result: result ?? null, body }));
  });

  /** What an operator may have beside it. */
  readonly operand = this.RULE("operand", (): Expr =>
    this.OR([
      {
        ALT: () => {
          const fn = this.SUBRULE(this.atom);
          const args: Expr[] = [];
          this.MANY(() => {
            this.ACTION(() => {
              this.noteGluedBracket();
            });
            args.push(this.SUBRULE2(this.atom));
          });
          return this.ACTION(() =>
            args.reduce<Expr>((f, arg) => ({ kind: "apply", fn: f, arg, span: joinSpans(f.span, arg.span) }), fn),
          );
        },
      },
      { ALT: () => this.SUBRULE(this.caseOf) },
    ]),
  );

  readonly caseOf = this.RULE("caseOf", (): Expr => {
    const first = this.CONSUME(T.Case);
    const scrutinee = this.SUBRULE(this.expression);
    this.CONSUME(T.Of);
    this.CONSUME(T.LeftBrace);
    const branches = this.SUBRULE(this.branches);
    this.CONSUME(T.RightBrace);
    return this.ACTION(() => ({ kind: "case", scrutinee, branches, span: this.since(first) }));
  });

  readonly branches = this.RULE("branches", (): readonly Branch[] => {
    const branches = [this.SUBRULE(this.branch)];
    this.MANY(() => {
      this.CONSUME(T.Semicolon);
      branches.push(this.SUBRULE2(this.branch));
    });
    this.OPTION(() => this.CONSUME2(T.Semicolon));
    return branches;
  });

  readonly branch = this.RULE("branch", (): Branch => {
    const pattern = this.SUBRULE(this.pattern);
    const arrow = this.CONSUME(T.Arrow);
    const body = this.SUBRULE(this.expression);
    return this.ACTION(() => ({
      pattern,
      body,
      spelling: arrow.image === "→" ? "unicode" : "ascii",
      span: joinSpans(pattern.span, body.span),
    }));
  });

  readonly atom = this.RULE("atom", (): Expr => {
    let expr = this.SUBRULE(this.primary);
    this.MANY(() => {
      this.CONSUME(T.Dot);
      const field = this.CONSUME(T.Lower);
      this.ACTION(() => {
        const name = this.ident(field);
        expr = { kind: "field", record: expr, name, span: joinSpans(expr.span, name.span) };
      });
    });
    return expr;
  });

  readonly primary = this.RULE("primary", (): Expr =>
    this.OR([
      { ALT: () => this.name(this.CONSUME(T.Lower), "variable") },
      {
        ALT: () => {
          const token = this.OR2([T.Debug, T.Fail, T.FailAt].map((type) => ({ ALT: () => this.CONSUME(type) })));
          const text = this.CONSUME(T.Text);
          const variable = this.name(token, "variable");
          return this.ACTION(() => ({ ...variable, label: text.image.slice(1, -1), span: this.since(token) }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.Upper);
          const fields = this.OPTION({
            // `Some { c | x = 1 }` applies a constructor.
            GATE: () => this.beginsFields(),
            DEF: () => {
              this.CONSUME(T.LeftBrace);
              const values = this.SUBRULE(this.fieldValues);
              this.CONSUME(T.RightBrace);
              return values;
            },
          });
          return fields === undefined
            ? this.name(token, "constructor")
            : this.ACTION(() => ({ kind: "record", name: this.ident(token), fields, span: this.since(token) }));
        },
      },
      { ALT: () => this.name(this.CONSUME(T.Inl), "constructor") },
      { ALT: () => this.name(this.CONSUME(T.Inr), "constructor") },
      { ALT: () => this.literal(this.CONSUME(T.Integer), "number") },
      { ALT: () => this.literal(this.CONSUME(T.Real), "real") },
      { ALT: () => this.truth(this.CONSUME(T.True), true) },
      { ALT: () => this.truth(this.CONSUME(T.False), false) },
      { ALT: () => this.SUBRULE(this.parenthesised) },
      { ALT: () => this.SUBRULE(this.array) },
      { ALT: () => this.SUBRULE(this.update) },
    ]),
  );

  readonly array = this.RULE("array", (): Expr => {
    const open = this.CONSUME(T.LeftBracket);
    const items: Expr[] = [];
    this.MANY_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.expression)) });
    this.CONSUME(T.RightBracket);
    return this.ACTION(() => ({ kind: "array", items, span: this.since(open) }));
  });

  readonly update = this.RULE("update", (): Expr => {
    const open = this.CONSUME(T.LeftBrace);
    const record = this.SUBRULE(this.expression);
    this.CONSUME(T.Bar);
    const fields = this.SUBRULE(this.fieldValues);
    this.CONSUME(T.RightBrace);
    return this.ACTION(() => ({ kind: "update", record, fields, span: this.since(open) }));
  });

  readonly fieldValues = this.RULE("fieldValues", (): readonly FieldValue[] => {
    const fields: FieldValue[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => fields.push(this.SUBRULE(this.fieldValue)) });
    return fields;
  });

  readonly fieldValue = this.RULE("fieldValue", (): FieldValue => {
    const name = this.CONSUME(T.Lower);
    this.CONSUME(T.Equals);
    const value = this.SUBRULE(this.expression);
    return this.ACTION(() => ({ name: this.ident(name), value }));
  });

  readonly parenthesised = this.RULE("parenthesised", (): Expr => {
    const open = this.CONSUME(T.LeftParen);
    const inside = this.OR<Expr | readonly Expr[]>([
      {
        // `(-)` is an operator, `(-x)` an expression.
        GATE: () => this.LA(2).tokenType === T.RightParen,
        ALT: () => {
          const token = this.CONSUME(T.Infix);
          return this.ACTION(() => ({ kind: "operator", ...operatorOf(token), span: this.spanOf(token) }));
        },
      },
      { ALT: () => this.name(this.CONSUME(T.Bang), "variable") },
      {
        ALT: () => {
          const first = this.SUBRULE(this.expression);
          return this.OR2<Expr | readonly Expr[]>([
            {
              ALT: () => {
                this.CONSUME(T.Colon);
                const type = this.SUBRULE(this.typeExpression);
                return this.ACTION(() => ({ kind: "ascribed", expr: first, type, span: first.span }));
              },
            },
            {
              ALT: () => {
                const items = [first];
                this.MANY(() => {
                  this.CONSUME(T.Comma);
                  items.push(this.SUBRULE2(this.expression));
                });
                return items.length === 1 ? first : items;
              },
            },
          ]);
        },
      },
      { GATE: () => this.LA(1).tokenType === T.RightParen, ALT: (): readonly Expr[] => [] },
    ]);
    this.CONSUME(T.RightParen);
    return this.ACTION(() => {
      const span = this.since(open);
      return "kind" in inside ? { ...inside, span } : { kind: "tuple", items: inside, span };
    });
  });

  private noteGluedBracket(): void {
    const bracket = this.LA(1);
    const before = this.LA(0);
    const isElement = before.tokenType === T.Lower || before.tokenType === T.RightParen;
    const glued = before.startOffset + before.image.length === bracket.startOffset;
    if (bracket.tokenType === T.LeftBracket && isElement && glued) this.gluedBrackets.push(this.spanOf(bracket));
  }

  /** What follows are a record's fields, also where they are not quite right. */
  private beginsFields(): boolean {
    const name = this.LA(2).tokenType;
    const sign = this.LA(3).tokenType;
    return name === T.Lower ? behindField.includes(sign) : sign === T.Equals;
  }

  private name(token: IToken, kind: "variable" | "constructor"): Expr {
    return this.ACTION(() => ({ kind, name: this.ident(token), span: this.spanOf(token) }));
  }

  private literal(token: IToken, kind: "number" | "real"): Expr {
    return this.ACTION(() => ({ kind, text: token.image, span: this.spanOf(token) }));
  }

  private truth(token: IToken, value: boolean): Expr {
    return this.ACTION(() => ({ kind: "boolean", value, span: this.spanOf(token) }));
  }
}
