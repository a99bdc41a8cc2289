// How long an editor waits for diagnostics: random edits of a model of 1000 lines, half of which change a type, through the protocol. Arguments: EDITS LINES; prints
// milliseconds from an edit to the diagnostics of it, and the memory of the server.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { TextDocument } from "vscode-languageserver-textdocument";
import { longModel } from "./long-model.js";
import { RandomEdits, sequence } from "./random-edits.js";

const edits = Number(process.argv[2] ?? 1000);
const lines = Number(process.argv[3] ?? 1000);
const bin = fileURLToPath(new URL("../bin/dualrev.js", import.meta.url));
const uri = "file:///model.lam";

const server = spawn(process.execPath, [bin, "lsp", "--stdio"], { stdio: ["pipe", "pipe", "inherit"] });
const connection = createMessageConnection(
  new StreamMessageReader(server.stdout),
  new StreamMessageWriter(server.stdin),
);
const waiting = new Map<number, () => void>();
connection.onNotification("textDocument/publishDiagnostics", ({ version }: { readonly version: number }) => {
  waiting.get(version)?.();
});
connection.listen();

/** Resolves when there are diagnostics of a version. */
function checked(version: number): Promise<void> {
  return new Promise((resolve) => {
    waiting.set(version, () => {
      waiting.delete(version);
      resolve();
    });
  });
}

/** Megabytes that the server has in memory, where the system says so. */
function memory(): number {
  try {
    const status = readFileSync(`/proc/${String(server.pid)}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return NaN;
  }
}

await connection.sendRequest("initialize", { processId: process.pid, rootUri: null, capabilities: {} });
await connection.sendNotification("initialized", {});
const random = new RandomEdits(longModel(lines), sequence(1));
const first = checked(0);
await connection.sendNotification("textDocument/didOpen", {
  textDocument: { uri, languageId: "lam", version: 0, text: random.text },
});
await first;

/** Milliseconds that the server has computed for, where the system says so: what other programs on the machine do is not in it. */
function computed(): number {
  try {
    const [user, system] = readFileSync(`/proc/${String(server.pid)}/stat`, "utf8").split(") ")[1]?.split(" ").slice(11, 13).map(Number) ?? []; // prettier-ignore
    return ((user ?? NaN) + (system ?? NaN)) * 10;
  } catch {
    return NaN;
  }
}

const times: number[] = [];
const work: number[] = [];
const sizes: number[] = [];
const slowest: { readonly time: number; readonly text: string; readonly old: string }[] = [];
for (let version = 1; version <= edits; version += 1) {
  const document = TextDocument.create(uri, "lam", 0, random.text);
  const { start, end, text } = random.next();
  const range = { start: document.positionAt(start), end: document.positionAt(end) };
  const done = checked(version);
  const before = computed();
  const begun = performance.now();
  await connection.sendNotification("textDocument/didChange", {
    textDocument: { uri, version },
    contentChanges: [{ range, text }],
  });
  await done;
  const time = performance.now() - begun;
  times.push(time);
  work.push(computed() - before);
  slowest.push({ time, text, old: document.getText().slice(Math.max(0, start - 20), end + 20) });
  if (version % Math.ceil(edits / 10) === 0) sizes.push(memory());
}
await connection.sendRequest("shutdown");
await connection.sendNotification("exit");
connection.dispose();

function told(values: readonly number[]): string {
  const sorted = [...values].sort((one, other) => one - other);
  const at = (part: number): string =>
    (sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? NaN).toFixed(0);
  return `median ${at(0.5)} ms, 95% ${at(0.95)} ms, most ${at(1)} ms`;
}

console.log(`${lines} lines, ${edits} edits`);
console.log(`from an edit to its diagnostics: ${told(times)}`);
console.log(`processor time of the server: ${told(work)}`);
console.log(`memory in MB, ten times on the way: ${sizes.join(" ")}`);
if (process.env["DUALREV_SLOWEST"] !== undefined)
  for (const each of slowest.sort((one, other) => other.time - one.time).slice(0, 20)) console.log(each);
