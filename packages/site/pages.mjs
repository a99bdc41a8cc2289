// Writes pages/, what the site is made of: the documents of the repository, with links as a site has them, and a page for each code of a diagnostic.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, normalize, posix, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { codePages } from "./codes.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const pages = fileURLToPath(new URL("pages", import.meta.url));

/** Where documents stand on the site, by their paths in the repository. */
const documents = new Map([
  ["README.md", "overview.md"],
  ...["ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].map((name) => [name, name.toLowerCase()]),
  ...markdownIn("docs").map((name) => [`docs/${name}`, name.replace("README.md", "index.md")]),
  ...markdownIn("examples").map((name) => [`examples/${name}`, `examples/${name.replace("README.md", "index.md")}`]),
  ...markdownIn("packages/unplugin").map((name) => [`packages/unplugin/${name}`, "unplugin.md"]),
  ...markdownIn("packages/prettier-plugin").map((name) => [`packages/prettier-plugin/${name}`, "prettier-plugin.md"]),
]);

/** Files that documents link to, which are pages with a listing. */
const listings = new Map();

function markdownIn(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md") && !/(?:^|\/)(?:node_modules|dist)\//.test(name))
    .map((name) => name.replaceAll("\\", "/"));
}

/** A document as a page: links lead to pages; what is no document becomes a page with its text, or with the names of its files. */
function page(path, text) {
  const folder = posix.dirname(path);
  const own = documents.get(path);
  const linked = (target) => {
    const [file, anchor] = target.split("#");
    const at = posix.normalize(posix.join(folder, file));
    const known = documents.get(at) ?? documents.get(posix.join(at, "README.md")) ?? listing(at);
    return `${relative(dirname(own), known).replaceAll("\\", "/")}${anchor === undefined ? "" : `#${anchor}`}`;
  };
  return outsideOfListings(
    text,
    (part) =>
    part.replace(/\]\((?!\w+:|#)([^)\s]+)\)/g, (link, target) => (/\.svg$/.test(target) ? `](./${basename(target)})` : `](${linked(target)})`)), // prettier-ignore
  );
}

/** Changes a document where it is no listing. */
function outsideOfListings(text, change) {
  return text
    .split(/^(```[^]*?^```$)/m)
    .map((part, index) => (index % 2 === 0 ? change(part) : part))
    .join("");
}

function listing(path) {
  const name = `files/${path.replace(/\/$/, "")}.md`;
  listings.set(path, name);
  return name;
}

function listingPage(path) {
  const title = `# ${basename(path)}\n\n\`${path}\` of the repository.\n\n`;
  try {
    const text = readFileSync(join(root, path), "utf8");
    return `${title}\`\`\`\`${path.split(".").at(-1).toLowerCase()}\n${text.trimEnd()}\n\`\`\`\`\n`;
  } catch (error) {
    if (error.code !== "EISDIR") throw error;
    const files = readdirSync(join(root, path)).filter((file) => !/node_modules|\.grad\.ts$/.test(file));
    return `${title}${files.map((file) => `- \`${file}\`\n`).join("")}`;
  }
}

function write(name, text) {
  const file = join(pages, normalize(name));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

rmSync(pages, { recursive: true, force: true });
for (const [path, name] of documents) write(name, page(path, readFileSync(join(root, path), "utf8")));
for (const [path, name] of listings) write(name, listingPage(path));
for (const picture of readdirSync(join(root, "docs")).filter((file) => file.endsWith(".svg")))
  write(picture, readFileSync(join(root, "docs", picture), "utf8"));
for (const [name, text] of codePages()) write(name, text);
write("index.md", readFileSync(new URL("home.md", import.meta.url), "utf8"));
