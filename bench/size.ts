// The size of an emitted gradient in a page. Arguments: STAGE..; prints a JSON list.

import { gzipSync } from "node:zlib";
import { build, type OutputFile } from "esbuild";
import { isStageName } from "../src/driver/stages.js";
import { emittedCode, uncheckedCode } from "./model.js";
import { gradientName, type Workload } from "./workload.js";
import { gradients } from "./workloads/gradients.js";

export interface Size {
  readonly name: string;
  readonly bytes: number;
  readonly gzipped: number;
}

const options = { bundle: true, minify: true, format: "esm", write: false } as const;

/** Size of a program that needs one function of a module. */
async function sizeOf(code: string, used: string): Promise<Omit<Size, "name">> {
  const { outputFiles } = await build({
    ...options,
    stdin: { contents: `export { ${used} } from "model";`, resolveDir: "." },
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
  return measured(outputFiles);
}

/** The same of what is written by hand. The working directory is the repository's root. */
async function sizeOfHand(): Promise<Omit<Size, "name">> {
  const contents = 'export { expectedClassGradient } from "./bench/workloads/network.js";';
  const { outputFiles } = await build({ ...options, stdin: { contents, resolveDir: process.cwd() } });
  return measured(outputFiles);
}

function measured(outputFiles: readonly OutputFile[]): Omit<Size, "name"> {
  const bundled = outputFiles[0]?.contents ?? new Uint8Array();
  return { bytes: bundled.length, gzipped: gzipSync(bundled, { level: 9 }).length };
}

const network = gradients.find(({ name }) => name.startsWith("network"));
if (network === undefined) throw new Error("there is no workload network");
const workload: Workload = network.make();
const sizes: Size[] = [{ name: "network, primal", ...(await sizeOf(emittedCode(workload, "primal"), workload.entry)) }];
const gradient = gradientName(workload);
for (const stage of process.argv.slice(2).filter(isStageName)) {
  const size = await sizeOf(emittedCode(workload, stage), gradient);
  sizes.push({ name: `network, gradient, ${stage}`, ...size });
  if (stage !== "adjoint") continue;
  sizes.push({
    name: "network, gradient, adjoint without checks",
    ...(await sizeOf(uncheckedCode(workload), gradient)),
  });
}
sizes.push({ name: "network, gradient by hand", ...(await sizeOfHand()) });
console.log(JSON.stringify(sizes));
