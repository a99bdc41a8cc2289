import type { IToken } from "chevrotain";
import { TermParser } from "./parser-terms.js";
import * as T from "./tokens.js";
import type { AliasItem, ConstructorDecl, DataItem, DefItem, Ident, Item, TypeExpr } from "./tree.js";

/** The parser of grammar/lam.ebnf, rule by rule. parse.ts feeds it one item after the other. */
export class Parser extends TermParser {
  /** The documentation that the next item is given. */
  doc = "";

  readonly item = this.RULE("item", (): Item =>
    this.OR<Item>([
      { ALT: () => this.SUBRULE(this.dataDeclaration) },
      { ALT: () => this.SUBRULE(this.typeDeclaration) },
      { ALT: () => this.SUBRULE(this.definition) },
    ]),
  );

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
    this.MANY(() => fields.push(this.SUBRULE(this.atomicType)));
    return this.ACTION(() => ({ name: this.ident(name), fields, span: this.since(name) }));
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

  readonly definition = this.RULE("definition", (): DefItem => {
    const first = this.CONSUME(T.Def);
    const name = this.CONSUME(T.Lower);
    const params = this.OPTION(() => this.SUBRULE(this.parameters)) ?? [];
    const rest = this.SUBRULE(this.bindingRest);
    return this.ACTION(() => ({
      kind: "def",
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
    this.input = [...tokens];
  }
}
