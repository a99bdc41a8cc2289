// Carries out command lines in one process, one after the other, for tests: what each costs is no start of Node, and code that V8 has optimised already.
//
//   node server.mjs SOCKET      a request { args, cwd, env, stdin } and its answer { code, out, err } are JSON, each on a line of a connection of its own
//
// It ends where its standard input does: with the process that has started it.

import { rmSync } from "node:fs";
import { createServer } from "node:net";
import process from "node:process";
import { Readable, Writable } from "node:stream";

const [socket] = process.argv.slice(2);
const { main } = await import("../../dist/command.js");

/** A stream that keeps what is written. */
function collector() {
  let text = "";
  const stream = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      text += chunk;
      done();
    },
  });
  return { stream: Object.assign(stream, { fd: -1 }), text: () => text };
}

function setEnvironment(env) {
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
}

async function carryOut({ args, cwd, env, stdin }) {
  const [out, err] = [collector(), collector()];
  const streams = { stdin: Readable.from([Buffer.from(stdin)]), stdout: out.stream, stderr: err.stream };
  for (const [name, value] of Object.entries(streams))
    Object.defineProperty(process, name, { value, configurable: true });
  setEnvironment(env);
  process.chdir(cwd);
  const code = await main(args);
  return { code, out: out.text(), err: err.text() };
}

const input = process.stdin;
input.on("end", () => {
  rmSync(socket, { force: true });
  process.exit();
});
input.resume();

let last = Promise.resolve();
createServer((connection) => {
  let text = "";
  connection.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
    if (!text.endsWith("\n")) return;
    last = last.then(async () => {
      const answer = await carryOut(JSON.parse(text));
      connection.end(`${JSON.stringify(answer)}\n`);
    });
  });
}).listen(socket, () => {
  console.log("ready");
});
