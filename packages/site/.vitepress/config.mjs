// The site: the pages of pages/, which pages.mjs writes; links to pages that are not there fail the build.

import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";
import { catalogue } from "../catalogue.mjs";
import { withPlayground } from "../playground.mjs";

const grammar = JSON.parse(readFileSync(new URL("../../../grammar/lam.tmLanguage.json", import.meta.url), "utf8"));

const links = (entries) => Object.entries(entries).map(([text, link]) => ({ text, link }));

export default defineConfig({
  title: "dualrev",
  description: "Models with exact gradients, compiled ahead of time",
  lang: "en",
  head: [["link", { rel: "icon", href: "data:," }]],
  srcDir: "pages",
  // Pages find what they load from wherever the site stands at the root of a host; DUALREV_BASE names a folder
  base: process.env.DUALREV_BASE ?? "/",
  cleanUrls: false,
  markdown: {
    languages: [{ ...grammar, name: "lam" }],
    languageAlias: { ebnf: "txt", license: "txt" },
    // Headings in documents are linked to as GitHub has them
    anchor: { slugify: (text) => text.trim().toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, "").replace(/\s/g, "-") }, // prettier-ignore
    config: withPlayground,
  },
  themeConfig: {
    search: { provider: "local" },
    outline: { level: [2, 3] },
    nav: [
      ...links({
        Tutorial: "/tutorial",
        Language: "/language",
        Cookbook: "/cookbook",
        "Standard library": "/std",
        API: "/library",
      }),
      // Not a page of VitePress: its router leaves it alone
      { text: "Playground", link: "/play/index.html", target: "_self" },
    ],
    sidebar: [
      { text: "Begin", items: links({ Overview: "/overview", Tutorial: "/tutorial", Examples: "/examples/" }) },
      {
        text: "Reference",
        items: links({
          "The language": "/language",
          "The standard library": "/std",
          "The compiler as a library": "/library",
          Performance: "/performance",
        }),
      },
      {
        text: "How to",
        items: links({
          Cookbook: "/cookbook",
          "Parallel programs": "/parallel",
          Editors: "/editors",
          "The playground": "/playground",
          Bundlers: "/bundlers",
          Prettier: "/prettier-plugin",
        }),
      },
      {
        text: "Behind it",
        items: links({
          "Two derivations": "/derivations",
          Architecture: "/architecture",
          Passes: "/passes",
          Benchmark: "/benchmark",
          Decisions: "/decisions/",
          Contributing: "/contributing",
          Changes: "/changelog",
        }),
      },
      {
        text: "Diagnostics",
        link: "/diagnostics/",
        collapsed: true,
        items: catalogue().map(({ code }) => ({ text: code, link: `/diagnostics/${code}` })),
      },
    ],
  },
});
