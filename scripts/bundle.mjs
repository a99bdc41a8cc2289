// Writes dist/command.js: the command line as one module, which starts in a third of the time that its thousand files take (most of them are
// lodash's, which the parser uses). What the command line needs besides is imported as it is installed. Beside it dist/THIRD-PARTY.txt, with the
// licences of what has been put in.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ["dist/cli/main.js"],
  outfile: "dist/command.js",
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node20",
  // The other form of jsonc-parser looks for its parts when it runs
  mainFields: ["module", "main"],
  external: ["commander", "picocolors", "prettier"],
  legalComments: "inline",
  metafile: true,
  logLevel: "warning",
});

writeFileSync(join(root, "dist/THIRD-PARTY.txt"), notices(filesIn(metafile.outputs["dist/command.js"])));

/** The files of which something is left in the module. */
function filesIn({ inputs }) {
  return Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0);
}

/** The licences of the packages that files belong to, each text once, in the order of the packages' names. */
function notices(files) {
  const folders = new Set(files.map(folderOf).filter((folder) => folder !== null));
  const packages = [...folders].map(packageAt).sort((one, other) => (one.name < other.name ? -1 : 1));
  const texts = new Set(packages.map(({ text }) => text));
  const parts = [...texts].map((text) => {
    const titles = packages.filter((one) => one.text === text).map(({ title }) => title);
    return [...titles, "", text, ""].join("\n");
  });
  const head = "dist/command.js contains parts of these packages, each under its own licence.\n";
  return [head, ...parts].join(`\n${"-".repeat(80)}\n\n`);
}

/** The folder of the package that a file belongs to; null for dualrev's own. */
function folderOf(file) {
  const [folder] = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? [null];
  return folder === null ? null : resolve(root, folder);
}

function packageAt(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const legal = readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice)\b/i.test(file))
    .sort();
  if (legal.length === 0) throw new Error(`${name} is put into dist/command.js, and has no file with its licence`);
  const text = legal
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");
  return { name, title: `${name} ${version} (${license})`, text };
}
