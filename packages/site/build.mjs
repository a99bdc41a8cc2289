// Builds the site into dist/: its pages, what VitePress makes of them, and the playground that listings open.

import { fileURLToPath } from "node:url";
import { build as bundle } from "vite";
import { build } from "vitepress";
import { playgroundFolder } from "./playground.mjs";

await import("./pages.mjs");
const site = fileURLToPath(new URL(".", import.meta.url));
const playground = fileURLToPath(new URL("../playground", import.meta.url));
const dist = fileURLToPath(new URL("dist/", import.meta.url));
await build(site, { outDir: dist });
await bundle({ root: playground, logLevel: "warn", build: { outDir: dist + playgroundFolder, emptyOutDir: true } });
