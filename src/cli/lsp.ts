import { Command } from "commander";
import { UsageError } from "./usage-error.js";

export function lspCommand(): Command {
  return new Command("lsp")
    .description("the language server, for editors")
    .option("--stdio", "on standard input and output, which is the only way")
    .action(async ({ stdio }: { readonly stdio?: true }) => {
      if (stdio !== true) throw new UsageError("an editor starts the language server: dualrev lsp --stdio");
      const { serve } = await import("./lsp/server.js");
      await serve();
    });
}
