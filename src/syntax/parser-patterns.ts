import type { IToken } from "chevrotain";
import { TypeParser } from "./parser-types.js";
import { joinSpans } from "./source.js";
import * as T from "./tokens.js";
import type { FieldPattern, Pattern } from "./tree.js";

/** The rules of patterns. Only in parentheses, and in `let`, may a pattern be ascribed. */
export abstract class PatternParser extends TypeParser {
  /** `p :: q` associates to the right. */
  readonly pattern = this.RULE("pattern", (): Pattern => {
    const parts = [this.SUBRULE(this.appliedPattern)];
    const operators = [this.LA(0)];
    this.MANY(() => {
      operators.push(this.CONSUME(T.Cons));
      parts.push(this.SUBRULE2(this.appliedPattern));
    });
    return this.ACTION(() =>
      parts.reduceRight((tail, head, i) => {
        const name = { name: "Cons", span: this.spanOf(operators[i + 1] ?? this.LA(0)) };
        return { kind: "constructor", name, args: [head, tail], infix: true, span: joinSpans(head.span, tail.span) };
      }),
    );
  });

  readonly appliedPattern = this.RULE("appliedPattern", (): Pattern =>
    this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(T.Upper);
          let args: readonly Pattern[] = [];
          let fields: readonly FieldPattern[] | null = null;
          this.OPTION(() => {
            this.OR2<unknown>([
              { ALT: () => (fields = this.SUBRULE(this.fieldPatterns)) },
              { ALT: () => (args = this.SUBRULE(this.parameters)) },
            ]);
          });
          return this.ACTION(() => this.constructed(name, args, fields));
        },
      },
      {
        ALT: () => {
          const name = this.OR3([{ ALT: () => this.CONSUME(T.Inl) }, { ALT: () => this.CONSUME(T.Inr) }]);
          const args = this.OPTION2(() => this.SUBRULE2(this.parameters)) ?? [];
          return this.ACTION(() => this.constructed(name, args, null));
        },
      },
      {
        ALT: () => {
          const minus = this.CONSUME(T.Minus);
          const digits = this.CONSUME(T.Integer);
          return this.ACTION(() => ({ kind: "integer", text: `-${digits.image}`, span: this.since(minus) }));
        },
      },
      { ALT: () => this.SUBRULE(this.simplePattern) },
    ]),
  );

  readonly atomicPattern = this.RULE("atomicPattern", (): Pattern =>
    this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(T.Upper);
          const fields = this.OPTION(() => this.SUBRULE(this.fieldPatterns)) ?? null;
          return this.ACTION(() => this.constructed(name, [], fields));
        },
      },
      { ALT: () => this.SUBRULE(this.simplePattern) },
    ]),
  );

  readonly simplePattern = this.RULE("simplePattern", (): Pattern =>
    this.OR<Pattern>([
      {
        ALT: () => {
          const name = this.CONSUME(T.Lower);
          return this.ACTION(() => ({ kind: "variable", name: this.ident(name), span: this.spanOf(name) }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.Wildcard);
          return this.ACTION(() => ({ kind: "wildcard", span: this.spanOf(token) }));
        },
      },
      {
        ALT: () => {
          const digits = this.CONSUME(T.Integer);
          return this.ACTION(() => ({ kind: "integer", text: digits.image, span: this.spanOf(digits) }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.True);
          return this.ACTION(() => ({ kind: "boolean", value: true, span: this.spanOf(token) }));
        },
      },
      {
        ALT: () => {
          const token = this.CONSUME(T.False);
          return this.ACTION(() => ({ kind: "boolean", value: false, span: this.spanOf(token) }));
        },
      },
      {
        ALT: () => {
          const open = this.CONSUME(T.LeftParen);
          const items: Pattern[] = [];
          this.MANY_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.ascribedPattern)) });
          this.CONSUME(T.RightParen);
          return this.ACTION(() => {
            const [only] = items;
            const span = this.since(open);
            return only !== undefined && items.length === 1 ? { ...only, span } : { kind: "tuple", items, span };
          });
        },
      },
    ]),
  );

  readonly fieldPatterns = this.RULE("fieldPatterns", (): readonly FieldPattern[] => {
    const fields: FieldPattern[] = [];
    this.CONSUME(T.LeftBrace);
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => fields.push(this.SUBRULE(this.fieldPattern)) });
    this.CONSUME(T.RightBrace);
    return fields;
  });

  /** A field's name alone is a variable of that name. */
  readonly fieldPattern = this.RULE("fieldPattern", (): FieldPattern => {
    const token = this.CONSUME(T.Lower);
    const pattern = this.OPTION(() => {
      this.CONSUME(T.Equals);
      return this.SUBRULE(this.pattern);
    });
    return this.ACTION(() => {
      const name = this.ident(token);
      return { name, pattern: pattern ?? { kind: "variable", name, span: name.span } };
    });
  });

  readonly ascribedPattern = this.RULE("ascribedPattern", (): Pattern => {
    const pattern = this.SUBRULE(this.pattern);
    const type = this.OPTION(() => {
      this.CONSUME(T.Colon);
      return this.SUBRULE(this.typeExpression);
    });
    return this.ACTION(() =>
      type === undefined ? pattern : { kind: "ascribed", pattern, type, span: joinSpans(pattern.span, type.span) },
    );
  });

  readonly parameters = this.RULE("parameters", (): readonly Pattern[] => {
    const params: Pattern[] = [];
    this.AT_LEAST_ONE(() => params.push(this.SUBRULE(this.atomicPattern)));
    return params;
  });

  private constructed(token: IToken, args: readonly Pattern[], fields: readonly FieldPattern[] | null): Pattern {
    const name = this.ident(token);
    const span = this.since(token);
    return fields === null
      ? { kind: "constructor", name, args, infix: false, span }
      : { kind: "record", name, fields, span };
  }
}
