// Builds the site into dist/: its pages, then what VitePress makes of them.

import { fileURLToPath } from "node:url";
import { build } from "vitepress";

await import("./pages.mjs");
const site = fileURLToPath(new URL(".", import.meta.url));
await build(site, { outDir: fileURLToPath(new URL("dist", import.meta.url)) });
