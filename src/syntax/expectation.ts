import type { IParserErrorMessageProvider } from "chevrotain";

/**
 * Chevrotain's errors carry text alone, so what the parser wanted travels in it: `token NAME` where one token was the only choice, `rule NAME`
 * where none of a rule's alternatives began, `end` where nothing more was wanted. `expectationOf` reads it back.
 */
export type Expectation =
  | { readonly kind: "token"; readonly name: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "end" };

export const expectation: IParserErrorMessageProvider = {
  buildMismatchTokenMessage: ({ expected }) => `token ${expected.name}`,
  buildNoViableAltMessage: ({ ruleName }) => `rule ${ruleName}`,
  buildEarlyExitMessage: ({ ruleName }) => `rule ${ruleName}`,
  buildNotAllInputParsedMessage: () => "end",
};

export function expectationOf(message: string): Expectation {
  const space = message.indexOf(" ");
  const name = message.slice(space + 1);
  if (message.startsWith("token ")) return { kind: "token", name };
  return message.startsWith("rule ") ? { kind: "rule", name } : { kind: "end" };
}
