// Texts for the user: a client with views of its own gets them as the answer of a command, any other one as a file to open.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Connection, InitializeParams } from "vscode-languageserver/node";
import type { ShownText } from "./commands.js";

const endings = { typescript: "ts", json: "json", plaintext: "txt" } as const;

export class Shown {
  #opensFiles = false;
  #folder: string | null = null;

  constructor(readonly connection: Connection) {}

  initialize({ capabilities, initializationOptions }: InitializeParams): void {
    const options: unknown = initializationOptions;
    const hasViews = typeof options === "object" && options !== null && "views" in options && options.views === true;
    this.#opensFiles = !hasViews && capabilities.window?.showDocument?.support === true;
  }

  async show(text: ShownText | null): Promise<ShownText | null> {
    if (text === null || !this.#opensFiles) return text;
    this.#folder ??= mkdtempSync(join(tmpdir(), "dualrev-shown-"));
    const file = join(this.#folder, `${text.title.replace(/[^\w']+/g, "-")}.${endings[text.language]}`);
    writeFileSync(file, text.text);
    await this.connection.window.showDocument({ uri: pathToFileURL(file).href, takeFocus: false });
    return text;
  }

  /** Removes what was written. */
  dispose(): void {
    if (this.#folder !== null) rmSync(this.#folder, { recursive: true, force: true });
    this.#folder = null;
  }
}
