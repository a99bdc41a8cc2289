/**
 * `import { lossGrad } from "./model.lam"` in a bundle: each model is compiled as the bundler comes to it, with types beside it and a source map.
 *
 * @example
 * ```ts
 * // vite.config.ts
 * import dualrev from "unplugin-dualrev/vite";
 *
 * export default { plugins: [dualrev({ with: ["grad"] })] };
 * ```
 * @module
 */

import { createUnplugin, type UnpluginInstance } from "unplugin";
import { compileModel, writeDeclarations, type Message, type ModelOptions } from "./model.js";

export type { ModelOptions } from "./model.js";

export interface Options extends ModelOptions {
  /** Whether the types of each model are written beside it, as `model.lam.d.ts`; true where left out. */
  readonly declarations?: boolean;
  /** Further options of single models, by their file's path. */
  readonly of?: (file: string) => ModelOptions;
}

/** The plugin for each bundler: `unplugin.vite(options)`, `unplugin.webpack(options)`, .. */
export const unplugin: UnpluginInstance<Options | undefined> = createUnplugin((given, { framework }) => {
  const { declarations: hasDeclarations = true, of = () => ({}), ...shared } = given ?? {};
  // Vite's overlay has a place for the lines with a mistake, and takes them out of messages
  const messageOf = ({ text, parts, place }: Message) => ({ ...(framework === "vite" ? parts : { message: text }), id: place.file, loc: place }); // prettier-ignore
  return {
    name: "dualrev",
    load: {
      filter: { id: /\.lam$/ },
      handler(file) {
        const { module, errors, warnings, watched } = compileModel(file, { ...shared, ...of(file) });
        for (const path of watched) this.addWatchFile(path);
        for (const warning of warnings) this.warn(messageOf(warning));
        if (module === null) {
          const [first, ...others] = errors;
          for (const error of others) this.warn(messageOf(error));
          this.error(first === undefined ? "the model does not compile" : messageOf(first));
          // Some bundlers go on. Of such a module they take any name: the mistake is all that they tell
          return { code: "module.exports = {};" };
        }
        if (hasDeclarations && !writeDeclarations(file, module.declarations))
          this.warn(`${file}.d.ts has not been written by dualrev, and stays: move it, or set \`declarations: false\``);
        return { code: module.code, map: module.map };
      },
    },
  };
});

export default unplugin;
