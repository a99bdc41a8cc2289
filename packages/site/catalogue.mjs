// What codes.md says of the codes of diagnostics.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

/** The model of an example whose fence names no file. */
export const modelFile = "model.lam";

/** The entries of codes.md, each with what is wrong and what is right: files, flags, and commands where no single file shows the code. */
export function catalogue() {
  const text = readFileSync(new URL("codes.md", import.meta.url), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [code = "", , sentence = ""] = section.split("\n");
      const fences = Array.from(section.matchAll(/^```(\w+)(?: (wrong|right))?(?: file=(\S+))?(?: flags=(.*))?\n([^]*?)^```$/gm), ([, language, kind = null, file = modelFile, flags = "", text]) => ({ language, kind, file, flags, text })); // prettier-ignore
      const [wrong, right] = ["wrong", "right"].map((kind) => exampleOf(fences.filter((each) => (each.kind ?? kind) === kind))); // prettier-ignore
      return { code, sentence, wrong, right };
    });
}

function exampleOf(fences) {
  const files = fences.filter(({ language }) => language !== "console");
  const flags = files.map((each) => each.flags).join("");
  const consoles = fences.filter(({ language }) => language === "console");
  return { files, flags, commands: consoles.flatMap(({ text }) => commandsOf(text)) };
}

/** The commands of a console listing, each with its standard input. */
function commandsOf(text) {
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [command = "", ...input] = part.split("\n");
      return { command, input: input.join("\n") };
    });
}

/** The codes of the compiler's sources that codes.md does not have. */
export function missingCodes() {
  const names = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(?<!\.test)\.ts$/.test(name),
  );
  const used = names.flatMap((name) => readFileSync(sources + name, "utf8").match(/(?<=")[EW]0\d{3}(?=")/g) ?? []);
  const known = new Set(catalogue().map(({ code }) => code));
  return [...new Set(used)].filter((code) => !known.has(code)).sort();
}
