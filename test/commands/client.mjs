// `dualrev` in the scripts of documents: has a server (server.mjs) carry out the command line.

import { readFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";

const [socket, ...args] = process.argv.slice(2);
const stdin = args.includes("-") ? readFileSync(0, "utf8") : "";
const connection = connect(socket);
connection.write(`${JSON.stringify({ args, cwd: process.cwd(), env: process.env, stdin })}\n`);
let text = "";
for await (const chunk of connection.setEncoding("utf8")) text += chunk;
const { code, out, err } = JSON.parse(text);
// Its reader may have what it wants
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
process.stderr.write(err);
process.stdout.write(out);
process.exitCode = code;
