// Carries out dualrev's command lines in a folder of its own.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { inject } from "vitest";
import { propertyOf } from "../src/driver/evaluate.js";

export const bin = fileURLToPath(new URL("../bin/dualrev.js", import.meta.url));

export interface Finished {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** A temporary folder with files in it, which may be in folders of their own. */
export class Folder {
  readonly path: string;

  constructor(files: Readonly<Record<string, string>> = {}) {
    this.path = mkdtempSync(join(tmpdir(), "dualrev-"));
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(this.at(name)), { recursive: true });
      writeFileSync(this.at(name), text);
    }
  }

  at(name: string): string {
    return join(this.path, name);
  }

  /** Has dualrev carry out a command line with the folder as its working directory: in a process of its own where the environment is another one. */
  run(args: readonly string[], { stdin = "", env }: RunOptions = {}): Promise<Finished> {
    const environment = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "", ...env };
    return env === undefined
      ? carriedOut({ args, cwd: this.path, env: environment, stdin })
      : this.#apart(args, environment, stdin);
  }

  #apart(args: readonly string[], env: NodeJS.ProcessEnv, stdin: string): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...args], { cwd: this.path, env, stdio: ["pipe", "pipe", "pipe"] });
      let out = "";
      let err = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.stdin.on("error", () => undefined);
      child.stdin.end(stdin);
      child.on("error", reject);
      child.on("close", (code) => {
        resolve({ code, out, err });
      });
    });
  }

  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** The socket of the server that carries out the command lines of this process's tests. */
export function commandSocket(): string {
  const sockets = inject("commands");
  return sockets[Number(process.env["VITEST_POOL_ID"] ?? 0) % sockets.length] ?? "";
}

interface Request {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly stdin: string;
}

/** Carries out a command line in the process of commands/server.mjs. */
function carriedOut(request: Request): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const connection = connect(commandSocket());
    let text = "";
    connection.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
    connection.on("error", reject).on("end", () => {
      resolve(finishedOf(JSON.parse(text)));
    });
    connection.write(`${JSON.stringify(request)}\n`);
  });
}

function finishedOf(answer: unknown): Finished {
  const [code, out, err] = ["code", "out", "err"].map((name) => propertyOf(answer, name));
  if (typeof code === "number" && typeof out === "string" && typeof err === "string") return { code, out, err };
  throw new Error("no answer of the server of command lines");
}
