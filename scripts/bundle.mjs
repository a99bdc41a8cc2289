// Writes dist/, all that runs: the command line and the library, each as one module beside what both have in common, with the libraries that they
// use put in. Little is installed with dualrev, and a short command starts in a third of the time that its thousand files take (most of them are
// lodash's, which the parser uses). dist/types has the declarations that those of the library mention; dist/THIRD-PARTY.txt the licences of what
// has been put in.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import ts from "typescript";

const root = fileURLToPath(new URL("..", import.meta.url));
const compiled = join(root, "build");
const dist = join(root, "dist");

rmSync(dist, { recursive: true, force: true });

/** `require` of what is built in: modules have no such function. */
const requiredBuiltins = {
  name: "required-builtins",
  setup({ onResolve, onLoad }) {
    const names = new RegExp(`^(?:node:)?(?:${builtinModules.join("|")})$`);
    onResolve({ filter: names }, ({ path, kind }) => (kind === "require-call" ? { path, namespace: "builtin" } : null));
    onLoad({ filter: /./, namespace: "builtin" }, ({ path }) => ({
      contents: `export * from "node:${path.replace("node:", "")}";`,
      loader: "js",
    }));
  },
};

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    index: "build/index.js",
    editor: "build/editor/index.js",
    command: "build/cli/main.js",
    "short-run": "build/cli/short-run.js",
    // What gradients need is in modules of its own: a page that takes no more is given no more
    grad: "build/driver/grad.js",
    // In a module of its own: what lays out graphs runs as it loads, and a page that draws none does not take it
    layout: "@dagrejs/dagre",
  },
  outdir: "dist",
  bundle: true,
  splitting: true,
  chunkNames: "shared-[hash]",
  platform: "neutral",
  format: "esm",
  // Modules are read as UTF-8: letters need not be written as numbers
  charset: "utf8",
  target: "es2022",
  // The other form of jsonc-parser looks for its parts when it runs
  mainFields: ["module", "main"],
  // vscode-languageserver has a form for Node alone
  conditions: ["node"],
  plugins: [requiredBuiltins],
  // What a page must not load is for the command alone, and installed with dualrev: small, and made to be found by their names
  external: ["node:*", ...builtinModules, "commander", "picocolors"],
  // A bug report has the name of the pass, and the program
  minifyWhitespace: true,
  minifySyntax: true,
  minifyIdentifiers: true,
  // Node shows the whole line that throws, of an error that nothing catches
  lineLimit: 300,
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
});

const outputs = Object.values(metafile.outputs);
writeFileSync(join(dist, "THIRD-PARTY.txt"), notices(outputs.flatMap(filesIn)));
const copied = new Set();
for (const name of ["index.d.ts", "editor/index.d.ts"]) copyDeclarations(name, copied);

/** The files of which something is left in a module. */
function filesIn({ inputs }) {
  return Object.keys(inputs).filter((file) => inputs[file].bytesInOutput > 0);
}

/** Copies a file of declarations, and those that it mentions. */
function copyDeclarations(name, copied) {
  if (copied.has(name)) return;
  copied.add(name);
  const from = join(compiled, name);
  const to = join(dist, "types", name);
  mkdirSync(dirname(to), { recursive: true });
  copyFileSync(from, to);
  for (const { fileName } of ts.preProcessFile(readFileSync(from, "utf8")).importedFiles) {
    if (!fileName.startsWith(".")) throw new Error(`${name} mentions ${fileName}, which a user may not have`);
    copyDeclarations(relative(compiled, resolve(dirname(from), fileName.replace(/\.js$/, ".d.ts"))), copied);
  }
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
  const head = "The modules in dist/ contain parts of these packages, each under its own licence.\n";
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
  if (legal.length === 0) throw new Error(`${name} is put into dist/, and has no file with its licence`);
  const text = legal
    .map((file) => readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim())
    .join("\n\n");
  return { name, title: `${name} ${version} (${license})`, text };
}
