// One peer on one workload, in a process of its own, beside the gradient written by hand. Arguments: GROUP NAME PEER; prints JSON.

import { distance } from "./compare.js";
import { loopOf, measure } from "./measure.js";
import { peerLoop, type PeerRow } from "./peers.js";
import { findWorkload } from "./workloads/index.js";

async function measurePeer(group: string, name: string, peer: string): Promise<PeerRow> {
  const absent = (reason: string): PeerRow => ({ kind: "absent", peer, reason });
  const { args, gradient, cotangents, elements } = findWorkload(group, name);
  const hand = loopOf(gradient, args, cotangents);
  try {
    // The working directory is the repository's root
    const made = await peerLoop(process.cwd(), peer, name, args);
    if (typeof made === "string") return absent(made);
    const error = distance(made.loop(1), hand(1));
    if (!(error <= made.tolerance))
      return absent(`it differs from what is written by hand, by ${error.toPrecision(1)}`);
    const big = elements >= 100_000;
    const [time, handGradient] = measure([made.loop, hand], big ? 1 : 4, big ? 9 : 15);
    if (!time || !handGradient) throw new Error("nothing was measured");
    return { kind: "time", peer, time, handGradient };
  } catch (error) {
    return absent(`it fails: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`);
  }
}

const [group = "", name = "", peer = ""] = process.argv.slice(2);
console.log(JSON.stringify(await measurePeer(group, name, peer)));
process.exit();
