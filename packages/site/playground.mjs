// Which listings the playground opens, and how: complete models of one file. The playground itself is built beside the pages.

import { deflateRawSync } from "node:zlib";
import { signatures } from "dualrev";

/** Where the playground stands on the site. */
export const playgroundFolder = "play/";

/** The state of the playground with a model, as its address holds it (packages/playground/src/link.ts); null for a text that is no model by itself. */
export function playgroundState(text) {
  const isWhole = !/^(?:import "(?!std\/)|extern )/m.test(text);
  const found = isWhole ? signatures({ name: "model.lam", text }) : { ok: false };
  if (!found.ok || !found.value.some(({ exported }) => exported)) return null;
  const state = { text, entry: "", args: {}, view: "typescript", options: {} };
  return deflateRawSync(JSON.stringify(state)).toString("base64url");
}

/** Has Markdown put a link to the playground below the listings that it opens. */
export function withPlayground(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const listing = fence(tokens, index, ...rest);
    const { info, content } = tokens[index];
    const state = /^lam\b/.test(info) ? playgroundState(content) : null;
    return state === null ? listing : `${listing}<InPlayground state="${state}" />\n`;
  };
}
