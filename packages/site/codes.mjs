// A page for each code of a diagnostic, of codes.md and fixtures/diagnostics. The library and the command line say what a program has: a page that is wrong is an error here.

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile, renderDiagnostics, run, textOf } from "dualrev";
import { catalogue, missingCodes, modelFile } from "./catalogue.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fixtures = `${root}fixtures/diagnostics/`;

/** What programs of codes.md may import. */
const importable = new Map([
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
  const empty = [wrong, right].some(({ files }) => files.length === 0);
  if (empty) return [`${code}: there is no wrong or no right program`];
  const [told, untold] = [diagnose(wrong), diagnose(right)];
  return [
    ...(told.codes.includes(code) ? [] : [`${code}: the wrong program has another code:\n${told.text}`]),
    ...(untold.codes.length === 0 ? [] : [`${code}: the right program is not right:\n${untold.text}`]),
  ];
}

function page({ code, sentence, wrong, right }, goldens) {
  const parts = [
    `# ${code}`,
    sentence,
    "## Wrong",
    ...listings(wrong),
    ...(wrong.commands.length === 0 ? [fence("txt", diagnose(wrong).text)] : []),
    "## Right",
    ...listings(right),
  ];
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

function listings({ files, flags, commands }) {
  const shown = [...importedBy(files), ...files];
  const texts = shown.flatMap(({ language, file, text }) => [
    ...(shown.length > 1 || commands.length > 0 ? [`\`${file}\``] : []),
    fence(language, text),
  ]);
  if (commands.length > 0) return [...texts, fence("console", transcript(outcome(files, commands)))];
  const command = flags.startsWith("run ") ? flags.replace("run ", `run ${modelFile} `) : `compile ${modelFile} ${flags}`; // prettier-ignore
  return flags === "" ? texts : [...texts, fence("console", `$ dualrev ${command}`)];
}

/** The files of `importable` that a model imports. */
function importedBy([{ text }]) {
  const named = [...importable].filter(([file]) => text.includes(`import "${file}"`));
  return named.map(([file, content]) => ({ language: "lam", file, text: content }));
}

function fence(language, text) {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** What the library, or the command line, says of an example. */
function diagnose({ files, flags, commands }) {
  if (commands.length > 0) {
    const answers = outcome(files, commands);
    const text = transcript(answers);
    const codes = Array.from(text.matchAll(/^(?:error|warning)\[([EW]\d+)\]/gm), ([, code]) => code);
    const failed = answers.filter(({ status }) => status !== 0).map(({ status }) => `exit code ${status}`);
    return { codes: codes.length > 0 ? codes : failed, text };
  }
  const program = files[0].text;
  const source = { name: modelFile, text: program };
  const load = (path) => (path === source.name ? program : importable.get(path));
  const { diagnostics } = answerOf(source, flags, load);
  return { codes: diagnostics.map(({ code }) => code), text: renderDiagnostics(diagnostics, textOf(source, load)) };
}

function answerOf(source, flags, load) {
  const [word, entry = "", args = ""] = flags.split(" ");
  if (word === "run") return run(source, entry, JSON.parse(args), { load });
  const option = (name) => new RegExp(`--${name} (\\S+)`).exec(flags)?.[1].split(",");
  return compile(source, { load, entries: option("entry") ?? null, wrt: option("wrt") ?? [], with: option("with") ?? ["vjp", "grad"] }); // prettier-ignore
}

const outcomes = new Map();

/** Commands in a folder of their own with some files, each with its output and its exit code. */
function outcome(files, commands) {
  const key = JSON.stringify([files, commands]);
  if (!outcomes.has(key)) outcomes.set(key, carriedOut(files, commands));
  return outcomes.get(key);
}

function carriedOut(files, commands) {
  const folder = mkdtempSync(join(tmpdir(), "dualrev-site-"));
  try {
    for (const { file, text } of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
    return commands.map(({ command, input }) => {
      const [program, ...args] = Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word]) => quoted ?? word);
      const before = { dualrev: [join(root, "bin/dualrev.js")], node: [] }[program];
      if (before === undefined) throw new Error(`examples have no command ${program}`);
      const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" };
      const { stdout, stderr, status } = spawnSync(process.execPath, [...before, ...args], { cwd: folder, env, input, encoding: "utf8" }); // prettier-ignore
      return { command, input, output: stdout + stderr, status };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function transcript(answers) {
  return answers.map(({ command, input, output }) => `$ ${command}\n${input}${output}`).join("");
}
