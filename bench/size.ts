// The size of an emitted gradient in a page. Arguments: STAGE..; prints a JSON list.

import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { isStageName } from "../src/driver/stages.js";
import { emittedCode } from "./model.js";
import type { Workload } from "./workload.js";
import { gradients } from "./workloads/gradients.js";

export interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly gzipped: number;
}

/** Size of a program that needs one function of a module. */
async function sizeOf(code: string, used: string): Promise<Omit<Size, "name">> {
  const { outputFiles } = await build({
    stdin: { contents: `export { ${used} } from "model";`, resolveDir: "." },
    bundle: true,
    minify: true,
    format: "esm",
    write: false,
    plugins: [
      {
        name: "model",
        setup(plugins) {
          plugins.onResolve({ filter: /^model$/ }, () => ({ path: "model", namespace: "model", sideEffects: false }));
          plugins.onLoad({ filter: /.*/, namespace: "model" }, () => ({ contents: code, loader: "js" }));
        },
      },
    ],
  });
  const bundled = outputFiles[0]?.contents ?? new Uint8Array();
  return { bytes: bundled.length, gzipped: gzipSync(bundled, { level: 9 }).length };
}

const network = gradients.find(({ name }) => name.startsWith("network"));
if (network === undefined) throw new Error("there is no workload network");
const workload: Workload = network.make();
const sizes: Size[] = [{ name: "network, primal", ...(await sizeOf(emittedCode(workload, "primal"), workload.entry)) }];
for (const stage of process.argv.slice(2).filter(isStageName)) {
  const size = await sizeOf(emittedCode(workload, stage), `${workload.entry}Grad`);
  sizes.push({ name: `network, gradient, ${stage}`, ...size });
}
console.log(JSON.stringify(sizes));
