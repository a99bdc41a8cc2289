import type { IToken } from "chevrotain";
import { TermParser } from "./parser-terms.js";
import * as T from "./tokens.js";
import type {
  AliasItem,
  ConstructorDecl,
  DataItem,
  DefItem,
  ExternItem,
  Ident,
  ImportItem,
  Item,
  Pattern,
  RuleItem,
  TypeExpr,
} from "./tree.js";

/** `focal : R`. */
interface FieldDeclaration {
  readonly name: Ident;
  readonly type: TypeExpr;
}

/** The parser of grammar/lam.ebnf, rule by rule. parse.ts feeds it one item after the other. */
export class Parser extends TermParser {
  /** The documentation that the next item is given. */
  doc = "";

  readonly item = this.RULE("item", (): Item =>
    this.OR<Item>([
      { ALT: () => this.SUBRULE(this.dataDeclaration) },
      { ALT: () => this.SUBRULE(this.typeDeclaration) },
      { ALT: () => this.SUBRULE(this.definition) },
      { ALT: () => this.SUBRULE(this.externDefinition) },
      { ALT: () => this.SUBRULE(this.ruleDeclaration) },
      { ALT: () => this.SUBRULE(this.importDeclaration) },
    ]),
  );

  readonly importDeclaration = this.RULE("importDeclaration", (): ImportItem => {
    const first = this.CONSUME(T.Import);
    const path = this.CONSUME(T.Text);
    this.CONSUME(T.LeftParen);
    const names: Ident[] = [];
    this.AT_LEAST_ONE_SEP({
      SEP: T.Comma,
      DEF: () => {
        const name = this.OR([{ ALT: () => this.CONSUME(T.Lower) }, { ALT: () => this.CONSUME(T.Upper) }]);
        this.ACTION(() => names.push(this.ident(name)));
      },
    });
    this.CONSUME(T.RightParen);
    return this.ACTION(() => ({
      kind: "import",
      path: path.image.slice(1, -1),
      names,
      pathSpan: this.spanOf(path),
      span: this.since(first),
    }));
  });

  readonly dataDeclaration = this.RULE("dataDeclaration", (): DataItem => {
    const first = this.CONSUME(T.Data);
    const name = this.CONSUME(T.Upper);
    const params: Ident[] = [];
    this.MANY(() => {
      const param = this.CONSUME(T.Lower);
      this.ACTION(() => params.push(this.ident(param)));
    });
    this.CONSUME(T.Equals);
    const constructors: ConstructorDecl[] = [];
    this.AT_LEAST_ONE_SEP({ SEP: T.Bar, DEF: () => constructors.push(this.SUBRULE(this.constructorDeclaration)) });
    return this.ACTION(() => ({
      kind: "data",
      name: this.ident(name),
      params,
      constructors,
      doc: this.doc,
      span: this.since(first),
    }));
  });

  readonly constructorDeclaration = this.RULE("constructorDeclaration", (): ConstructorDecl => {
    const name = this.CONSUME(T.Upper);
    const fields: TypeExpr[] = [];
    let fieldNames: readonly Ident[] | null = null;
    this.OPTION(() => {
      this.OR([
        {
          ALT: () => {
            const declared = this.SUBRULE(this.fieldDeclarations);
            this.ACTION(() => {
              fields.push(...declared.map(({ type }) => type));
              fieldNames = declared.map(({ name: field }) => field);
            });
          },
        },
        {
          ALT: () => {
            this.AT_LEAST_ONE(() => fields.push(this.SUBRULE(this.atomicType)));
          },
        },
      ]);
    });
    return this.ACTION(() => ({ name: this.ident(name), fields, fieldNames, span: this.since(name) }));
  });

  readonly fieldDeclarations = this.RULE("fieldDeclarations", (): readonly FieldDeclaration[] => {
    const fields: FieldDeclaration[] = [];
    this.CONSUME(T.LeftBrace);
    this.AT_LEAST_ONE_SEP({ SEP: T.Comma, DEF: () => fields.push(this.SUBRULE(this.fieldDeclaration)) });
    this.CONSUME(T.RightBrace);
    return fields;
  });

  readonly fieldDeclaration = this.RULE("fieldDeclaration", (): FieldDeclaration => {
    const name = this.CONSUME(T.Lower);
    this.CONSUME(T.Colon);
    const type = this.SUBRULE(this.typeExpression);
    return this.ACTION(() => ({ name: this.ident(name), type }));
  });

  readonly typeDeclaration = this.RULE("typeDeclaration", (): AliasItem => {
    const first = this.CONSUME(T.Type);
    const name = this.CONSUME(T.Upper);
    const params: Ident[] = [];
    this.MANY(() => {
      const param = this.CONSUME(T.Lower);
      this.ACTION(() => params.push(this.ident(param)));
    });
    this.CONSUME(T.Equals);
    const type = this.SUBRULE(this.typeExpression);
    return this.ACTION(() => ({
      kind: "alias",
      name: this.ident(name),
      params,
      type,
      doc: this.doc,
      span: this.since(first),
    }));
  });

  readonly externDefinition = this.RULE("externDefinition", (): ExternItem => {
    const first = this.CONSUME(T.ExternDef);
    const name = this.CONSUME(T.Lower);
    const params: Pattern[] = [];
    this.AT_LEAST_ONE(() => params.push(this.SUBRULE(this.externParameter)));
    this.CONSUME(T.Colon);
    const result = this.SUBRULE(this.typeExpression);
    this.CONSUME(T.From);
    const path = this.CONSUME(T.Text);
    return this.ACTION(() => ({
      kind: "extern",
      name: this.ident(name),
      params,
      result,
      path: path.image.slice(1, -1),
      pathSpan: this.spanOf(path),
      doc: this.doc,
      span: this.since(first),
    }));
  });

  readonly externParameter = this.RULE("externParameter", (): Pattern => {
    const first = this.CONSUME(T.LeftParen);
    const name = this.CONSUME(T.Lower);
    this.CONSUME(T.Colon);
    const type = this.SUBRULE(this.typeExpression);
    this.CONSUME(T.RightParen);
    return this.ACTION(() => {
      const pattern: Pattern = { kind: "variable", name: this.ident(name), span: this.spanOf(name) };
      return { kind: "ascribed", pattern, type, span: this.since(first) };
    });
  });

  readonly ruleDeclaration = this.RULE("ruleDeclaration", (): RuleItem => {
    const first = this.OR([{ ALT: () => this.CONSUME(T.RuleDerivative) }, { ALT: () => this.CONSUME(T.RulePullback) }]);
    const name = this.CONSUME(T.Lower);
    const params = this.SUBRULE(this.parameters);
    this.CONSUME(T.Equals);
    const body = this.SUBRULE(this.expression);
    return this.ACTION(() => ({
      kind: "rule",
      mode: first.tokenType === T.RulePullback ? "pullback" : "derivative",
      name: this.ident(name),
      params,
      body,
      span: this.since(first),
    }));
  });

  readonly definition = this.RULE("definition", (): DefItem => {
    const first = this.OR([{ ALT: () => this.CONSUME(T.Def) }, { ALT: () => this.CONSUME(T.FusedDef) }]);
    const name = this.CONSUME(T.Lower);
    const params = this.OPTION(() => this.SUBRULE(this.parameters)) ?? [];
    const rest = this.SUBRULE(this.bindingRest);
    return this.ACTION(() => ({
      kind: "def",
      isFused: first.tokenType === T.FusedDef,
      binding: { name: this.ident(name), params, ...rest, span: this.since(name) },
      doc: this.doc,
      span: this.since(first),
    }));
  });

  constructor(validate = false) {
    super({ skipValidations: !validate });
    this.performSelfAnalysis();
  }

  /** Readies the parser for one item's tokens. */
  begin(file: string, doc: string, tokens: readonly IToken[]): void {
    this.file = file;
    this.doc = doc;
    this.chains = [];
    this.gluedBrackets = [];
    this.input = [...tokens];
  }
}
