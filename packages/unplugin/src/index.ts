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

import { Buffer } from "node:buffer";
import { dirname } from "node:path";
import { createUnplugin, type UnpluginInstance, type UnpluginOptions } from "unplugin";
import { esbuildMessage } from "./esbuild-messages.js";
import { compileModel, writeDeclarations, type Message, type Model } from "./model.js";
import { settingsOf, type Options, type Settings } from "./options.js";

export type { ModelOptions, Options } from "./options.js";

/** The plugin for each bundler: `unplugin.vite(options)`, `unplugin.webpack(options)`, .. Options that there are not are a TypeError. */
export const unplugin: UnpluginInstance<Options | undefined> = createUnplugin((given, { framework }) => {
  const settings = settingsOf(given);
  return framework === "esbuild" ? forEsbuild(settings) : forOthers(settings, framework === "vite");
});

export default unplugin;

const name = "dualrev";
const models = /\.lam$/;

function forOthers(settings: Settings, isVite: boolean): UnpluginOptions {
  // Vite's server shows the lines with a mistake by itself, and takes them out of messages; of what is thrown its build does, too
  let isServed = false;
  const messageOf = ({ text, parts, place }: Message, showsLines: boolean, count = "") => {
    const said = showsLines ? { ...parts, message: parts.message + count } : { message: text + count };
    return { ...said, id: place.file, loc: place };
  };
  return {
    name,
    vite: {
      configResolved({ command }) {
        isServed = command === "serve";
      },
    },
    load: {
      filter: { id: models },
      handler(file) {
        const { options, problem } = settings.optionsOf(file);
        // Some bundlers go on after an error. Of such a module they take any name: the mistake is all that they tell
        const nothing = { code: "module.exports = {};" };
        if (options === null) {
          this.error(problem);
          return nothing;
        }
        const { module, errors, warnings, watched } = compileModel(file, options);
        for (const path of watched) this.addWatchFile(path);
        for (const warning of warnings) this.warn(messageOf(warning, isServed));
        if (module === null) {
          const [first, ...others] = errors;
          for (const error of others) this.warn(messageOf(error, isServed));
          const count = others.length === 0 ? "" : `\n${errors.length} errors: the others stand among the warnings`;
          this.error(first === undefined ? "the model does not compile" : messageOf(first, isVite, count));
          return nothing;
        }
        const unwritten = writeTypes(file, module, settings);
        if (unwritten !== null) this.warn(unwritten);
        return { code: module.code, map: module.map };
      },
    },
  };
}

/** Without unplugin's hook, whose messages have no lines of the model: esbuild then shows an empty one. */
function forEsbuild(settings: Settings): UnpluginOptions {
  return {
    name,
    esbuild: {
      setup(build) {
        const { sourcemap = false } = build.initialOptions;
        build.onLoad({ filter: models, namespace: "file" }, ({ path }) => {
          const { options, problem } = settings.optionsOf(path);
          if (options === null) return { errors: [{ text: problem }] };
          const { module, errors, warnings, watched } = compileModel(path, options);
          const told = { warnings: warnings.map(esbuildMessage), watchFiles: [path, ...watched] };
          if (module === null) return { ...told, errors: errors.map(esbuildMessage) };
          const unwritten = writeTypes(path, module, settings);
          return {
            ...told,
            warnings: [...told.warnings, ...(unwritten === null ? [] : [{ text: unwritten }])],
            contents: sourcemap === false ? module.code : withMap(module),
            loader: "js",
            resolveDir: dirname(path),
          };
        });
      },
    },
  };
}

/** Why there are no types beside a model that should have them; null where nothing is to be said. */
function writeTypes(file: string, { declarations }: NonNullable<Model["module"]>, settings: Settings): string | null {
  if (!settings.declarations || writeDeclarations(file, declarations)) return null;
  return `${file}.d.ts has not been written by dualrev, and stays: move it, or set \`declarations: false\``;
}

/** The code with its map in it. */
function withMap({ code, map }: NonNullable<Model["module"]>): string {
  const encoded = Buffer.from(JSON.stringify(map)).toString("base64");
  // Not in one piece: tools that look for such a comment would find this one
  return [code, "//# source", `MappingURL=data:application/json;charset=utf-8;base64,${encoded}\n`].join("");
}
