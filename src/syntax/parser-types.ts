import { SpannedParser } from "./parser-base.js";
import { joinSpans } from "./source.js";
import * as T from "./tokens.js";
import type { Spelling, TypeExpr } from "./tree.js";

const blackboard: ReadonlyMap<string, string> = new Map([
  ["ℝ", "R"],
  ["ℤ", "Z"],
]);

/** The rules of types: `->` is loosest and associates to the right, then `+` to the left, then `×` which makes one n-tuple. */
export abstract class TypeParser extends SpannedParser {
  readonly typeExpression = this.RULE("typeExpression", (): TypeExpr => {
    const parts = [this.SUBRULE(this.sumType)];
    const spellings: Spelling[] = [];
    this.MANY(() => {
      const arrow = this.CONSUME(T.Arrow);
      spellings.push(arrow.image === "→" ? "unicode" : "ascii");
      parts.push(this.SUBRULE2(this.sumType));
    });
    return this.ACTION(() =>
      parts.reduceRight((to, from, i) => ({
        kind: "function",
        from,
        to,
        spelling: spellings[i] ?? "ascii",
        span: joinSpans(from.span, to.span),
      })),
    );
  });

  readonly sumType = this.RULE("sumType", (): TypeExpr => {
    const parts = [this.SUBRULE(this.productType)];
    this.MANY(() => {
      this.CONSUME(T.Plus);
      parts.push(this.SUBRULE2(this.productType));
    });
    return this.ACTION(() =>
      parts.reduce((left, right) => ({ kind: "sum", left, right, span: joinSpans(left.span, right.span) })),
    );
  });

  readonly productType = this.RULE("productType", (): TypeExpr => {
    const first = this.SUBRULE(this.appliedType);
    const items = [first];
    this.MANY(() => {
      this.CONSUME(T.Times);
      items.push(this.SUBRULE2(this.appliedType));
    });
    return this.ACTION(() => {
      const span = joinSpans(first.span, items[items.length - 1]?.span ?? first.span);
      return items.length === 1 ? first : { kind: "tuple", items, spelling: "unicode", span };
    });
  });

  readonly appliedType = this.RULE("appliedType", (): TypeExpr =>
    this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(T.Upper);
          const args: TypeExpr[] = [];
          this.MANY(() => args.push(this.SUBRULE(this.atomicType)));
          return this.ACTION(() => this.namedType(name, args));
        },
      },
      { ALT: () => this.SUBRULE(this.simpleType) },
    ]),
  );

  readonly atomicType = this.RULE("atomicType", (): TypeExpr =>
    this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(T.Upper);
          return this.ACTION(() => this.namedType(name, []));
        },
      },
      { ALT: () => this.SUBRULE(this.simpleType) },
    ]),
  );

  readonly simpleType = this.RULE("simpleType", (): TypeExpr =>
    this.OR([
      {
        ALT: () => {
          const name = this.CONSUME(T.Lower);
          return this.ACTION(() => ({ kind: "variable", name: this.ident(name), span: this.spanOf(name) }));
        },
      },
      {
        ALT: () => {
          const open = this.CONSUME(T.LeftParen);
          const items: TypeExpr[] = [];
          this.MANY_SEP({ SEP: T.Comma, DEF: () => items.push(this.SUBRULE(this.typeExpression)) });
          this.CONSUME(T.RightParen);
          return this.ACTION(() => {
            const [only] = items;
            const span = this.since(open);
            return only !== undefined && items.length === 1
              ? { ...only, span }
              : { kind: "tuple", items, spelling: "ascii", span };
          });
        },
      },
      {
        ALT: () => {
          const open = this.CONSUME(T.LeftBracket);
          const element = this.SUBRULE2(this.typeExpression);
          this.CONSUME(T.RightBracket);
          return this.ACTION(() => ({ kind: "array", element, span: this.since(open) }));
        },
      },
    ]),
  );

  private namedType(token: Parameters<SpannedParser["ident"]>[0], args: readonly TypeExpr[]): TypeExpr {
    const written = this.ident(token);
    const plain = blackboard.get(written.name);
    const name = { ...written, name: plain ?? written.name };
    return {
      kind: "named",
      name,
      args,
      spelling: plain === undefined ? "ascii" : "unicode",
      span: joinSpans(name.span, args[args.length - 1]?.span ?? name.span),
    };
  }
}
