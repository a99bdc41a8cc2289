// A page for each code of a diagnostic, of codes.md and fixtures/diagnostics. The library says what a program has: a page that is wrong is an error here.

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile, renderDiagnostics, run, textOf } from "dualrev";
import { catalogue, missingCodes } from "./catalogue.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = `${root}fixtures/diagnostics/`;

/** What programs of codes.md may import. */
const files = new Map([
  [
    "shapes.lam",
    "data Shape = Circle R | Square R\n\ndef area (s : Shape) : R = case s of { Circle r -> pi * r * r; Square a -> a * a }\n\ndef unitArea : R = area (Circle 1)\n",
  ],
  ["loop.lam", 'import "model.lam" (half)\n\ndef double (x : R) : R = x + half (2 * x)\n'],
]);

/** The pages, by their paths. */
export function codePages() {
  const entries = catalogue();
  const problems = [...missingCodes().map((code) => `${code} is not in codes.md`), ...entries.flatMap(problemsOf)];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const goldens = readdirSync(fixtures).filter((name) => name.endsWith(".txt"));
  const others = goldens.map((name) => ({ name, text: readFileSync(fixtures + name, "utf8") }));
  const rows = entries.map(({ code, sentence }) => `| [${code}](${code}.md) | ${sentence} |`);
  const index = `# Diagnostics\n\nEvery mistake and every warning has a code, which stays the same when the words change.\n\n| code | |\n| --- | --- |\n${rows.join("\n")}\n`;
  return [
    ["diagnostics/index.md", index],
    ...entries.map((entry) => [`diagnostics/${entry.code}.md`, page(entry, others)]),
  ];
}

/** What is wrong with the programs of a code. */
function problemsOf({ code, wrong, right }) {
  if (wrong === null || right === null) return [];
  const [told, untold] = [diagnose(wrong), diagnose(right)];
  return [
    ...(told.codes.includes(code) ? [] : [`${code}: the wrong program has another code:\n${told.text}`]),
    ...(untold.codes.length === 0 ? [] : [`${code}: the right program is not right:\n${untold.text}`]),
  ];
}

function page({ code, sentence, wrong, right }, goldens) {
  const parts = [`# ${code}`, sentence];
  if (wrong !== null && right !== null) {
    parts.push("## Wrong", listing(wrong), fence("txt", diagnose(wrong).text), "## Right", listing(right));
  }
  const begins = new RegExp(`^(?:error|warning)\\[${code}\\]`, "m");
  const more = goldens
    .filter(({ text }) => begins.test(text))
    .sort((one, other) => one.text.length - other.text.length);
  const shown = more.flatMap(({ text }) => messages(text).filter((message) => begins.test(message))).slice(0, 6);
  if (shown.length > 0) parts.push("## More of the kind", ...shown.map((message) => fence("txt", message)));
  return `${parts.join("\n\n")}\n`;
}

/** The diagnostics of a golden, without the line that counts them. */
function messages(text) {
  return text
    .split(/\n\n(?=(?:error|warning)\[|\d+ (?:error|warning))/)
    .filter((part) => !/^\d+ (?:error|warning)/.test(part));
}

function listing({ flags, program }) {
  const command = flags === "" ? [] : [fence("console", `$ dualrev ${flags.startsWith("run ") ? flags.replace("run ", "run model.lam ") : `compile model.lam ${flags}`}`)]; // prettier-ignore
  return [fence("lam", program), ...command].join("\n\n");
}

function fence(language, text) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** What the library says of a program. */
function diagnose({ flags, program }) {
  const source = { name: "model.lam", text: program };
  const load = (path) => (path === source.name ? program : files.get(path));
  const { diagnostics } = answerOf(source, flags, load);
  return { codes: diagnostics.map(({ code }) => code), text: renderDiagnostics(diagnostics, textOf(source, load)) };
}

function answerOf(source, flags, load) {
  const [word, entry = "", args = ""] = flags.split(" ");
  if (word === "run") return run(source, entry, JSON.parse(args), { load });
  const option = (name) => new RegExp(`--${name} (\\S+)`).exec(flags)?.[1].split(",");
  return compile(source, { load, entries: option("entry") ?? null, wrt: option("wrt") ?? [], with: option("with") ?? ["vjp", "grad"] }); // prettier-ignore
}
