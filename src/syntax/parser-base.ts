import { EmbeddedActionsParser, type IParserConfig, type IToken } from "chevrotain";
import type { Span } from "./source.js";
import { joinSpans } from "./source.js";
import { allTokens } from "./tokens.js";
import { expectation } from "./expectation.js";
import type { Ident } from "./tree.js";

// The grammar is LL(2) (grammar/lam.ebnf). Chevrotain's own recovery is off: parse.ts goes on at the next place that can only be the
// beginning of something new, which makes no follow-up errors. Validation of the grammar is done once, by the tests.
const settings: IParserConfig = {
  maxLookahead: 2,
  recoveryEnabled: false,
  skipValidations: true,
  errorMessageProvider: expectation,
};

/** Spans and names for the rules. Within actions only: while chevrotain records the grammar there are no tokens. */
export abstract class SpannedParser extends EmbeddedActionsParser {
  /** Name of the file that spans carry. */
  file = "";

  constructor(config: IParserConfig) {
    super(allTokens, { ...settings, ...config });
  }

  protected spanOf(token: IToken): Span {
    return { file: this.file, start: token.startOffset, end: token.startOffset + token.image.length };
  }

  /** From `first` to the token consumed last. */
  protected since(first: IToken): Span {
    return joinSpans(this.spanOf(first), this.spanOf(this.LA(0)));
  }

  protected ident(token: IToken): Ident {
    return { name: token.image.normalize("NFC"), span: this.spanOf(token) };
  }
}
