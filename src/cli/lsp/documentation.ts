// The pages of the documentation, where the user has said where it stands: the option `documentation` of initialization.

import type { InitializeParams } from "vscode-languageserver/node";

export class Documentation {
  #base: URL | null = null;

  initialize({ initializationOptions }: InitializeParams): void {
    const options: unknown = initializationOptions;
    const given: unknown = typeof options === "object" && options !== null ? Reflect.get(options, "documentation") : "";
    this.#base = typeof given === "string" ? addressOf(given) : null;
  }

  /** The page of a code of a diagnostic; null where nobody has said where it is. */
  pageOf(code: string): string | null {
    return this.#base === null ? null : new URL(`diagnostics/${code}.html`, this.#base).href;
  }
}

/** The address of a folder, with or without a slash at its end. */
function addressOf(text: string): URL | null {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) return null;
  return new URL(text.endsWith("/") ? text : `${text}/`);
}
