// After any edits the server knows of a model what it would know if it had just been started.

import fc from "fast-check";
import { expect, test } from "vitest";
import { TextDocument } from "vscode-languageserver-textdocument";
import { RandomEdits } from "../bench/random-edits.js";
import { longModel } from "../bench/long-model.js";
import { Answers } from "../src/cli/lsp/answers.js";
import { Ranges } from "../src/cli/lsp/ranges.js";
import { Workspace } from "../src/cli/lsp/workspace.js";

/** Edits in all; what is known is compared after every tenth. */
const edits = 2 * Number(process.env["DUALREV_RUNS"] ?? 100);
const uri = "file:///model.lam";
const all = { start: { line: 0, character: 0 }, end: { line: 10_000, character: 0 } };

class Server {
  readonly workspace = new Workspace();
  readonly answers = new Answers(this.workspace, new Ranges(this.workspace));
  #version = 0;

  write(text: string): void {
    this.workspace.open(TextDocument.create(uri, "lam", this.#version++, text));
  }

  /** What an editor shows. */
  shown(): unknown {
    const analysis = this.workspace.analysisOf("/model.lam");
    return {
      diagnostics: analysis?.diagnostics(),
      symbols: this.answers.documentSymbols(uri),
      types: this.answers.inlayHints(uri, all),
      names: this.answers.semanticTokens(uri).data,
      fixes: this.answers.codeActions(uri, all, []),
      folds: this.answers.folding(uri),
    };
  }
}

test("random edits", () => {
  const property = fc.property(fc.infiniteStream(fc.nat(2 ** 31)), (numbers) => {
    const draw = (bound: number): number => Number(numbers.next().value) % bound;
    const server = new Server();
    const random = new RandomEdits(`import "std/solve.lam" (root)\n\n${longModel(80)}`, draw);
    server.write(random.text);
    for (let i = 1; i <= 20; i += 1) {
      random.next();
      server.write(random.text);
      const shown = server.shown();
      // Nothing that is asked at any place makes it stop
      const position = server.answers.ranges.position("/model.lam", draw(random.text.length + 1));
      server.answers.hover(uri, position);
      server.answers.completion(uri, position);
      server.answers.signatureHelp(uri, position);
      server.answers.references(uri, position, true);
      server.answers.formattingOnType(uri, position);
      if (i % 10 > 0) continue;
      const fresh = new Server();
      fresh.write(random.text);
      expect(shown).toEqual(fresh.shown());
    }
  });
  fc.assert(property, { numRuns: Math.ceil(edits / 20) });
});
