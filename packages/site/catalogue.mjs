// What codes.md says of the codes of diagnostics.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const sources = fileURLToPath(new URL("../../src/", import.meta.url));

/** The entries of codes.md, each with its programs. */
export function catalogue() {
  const text = readFileSync(new URL("codes.md", import.meta.url), "utf8");
  return text
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [code = "", , sentence = ""] = section.split("\n");
      const programs = Array.from(section.matchAll(/^```lam (wrong|right)(?: flags=(.*))?\n([^]*?)^```$/gm), ([, kind, flags = "", program]) => ({ kind, flags, program })); // prettier-ignore
      const [wrong = null, right = null] = ["wrong", "right"].map((kind) =>
        programs.find((each) => each.kind === kind),
      );
      return { code, sentence, wrong, right };
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
