// Other libraries that give gradients in JavaScript, compared on the same workloads. They are dependencies of this folder alone, and need not be there.

import { existsSync } from "node:fs";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Loop, Time } from "./measure.js";

export interface Peer {
  /** The name of its file in `peers/`, and of its column. */
  readonly name: string;
  readonly package: string;
}

export const peers: readonly Peer[] = [
  { name: "jax", package: "@jax-js/jax" },
  { name: "rose", package: "rose" },
  { name: "simplegrad", package: "simplegrad" },
];

/** What came of one peer on one workload; the times are of one process. */
export type PeerRow =
  | { readonly kind: "time"; readonly peer: string; readonly time: Time; readonly handGradient: Time }
  | { readonly kind: "absent"; readonly peer: string; readonly reason: string };

/** The peers that are installed, given the repository's root. */
export function installedPeers(root: string): readonly Peer[] {
  return peers.filter((peer) => existsSync(`${root}/bench/node_modules/${peer.package}/package.json`));
}

/** Of a peer: a loop around value and gradient of a workload, and how far it may be from what is written by hand; or why there is none. */
export async function peerLoop(
  root: string,
  peer: string,
  workload: string,
  args: readonly unknown[],
): Promise<{ readonly loop: Loop; readonly tolerance: number } | string> {
  const file = pathToFileURL(`${root}/bench/peers/${peer}.mjs`).href;
  const module: unknown = await import(file);
  const make = part(part(module, "gradients"), workload.split(" ")[0] ?? "");
  const tolerance = part(module, "tolerance");
  if (!isFunction(make) || typeof tolerance !== "number") return "it has not been written for this peer";
  const made = await make(...args);
  if (typeof made === "string") return made;
  if (!isFunction(made)) throw new Error(`${peer} gives no function for ${workload}`);
  const loop: Loop = (repeat) => {
    let last: unknown = null;
    for (let i = 0; i < repeat; i++) last = made();
    return last;
  };
  return { loop, tolerance };
}

export const repositoryRoot = fileURLToPath(new URL("..", import.meta.url));

function part(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  const found: unknown = Reflect.get(value, key);
  return found;
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}
