// Runs bin/dualrev.js in a folder of its own.

import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

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

  /** Runs dualrev with the folder as its working directory. */
  run(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
    return new Promise((resolve, reject) => {
      const child = spawn(process.execPath, [bin, ...args], {
        cwd: this.path,
        env: { ...process.env, NO_COLOR: "1", FORCE_COLOR: "", ...options.env },
        stdio: ["pipe", "pipe", "pipe"],
      });
      let out = "";
      let err = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (out += text));
      child.stderr.setEncoding("utf8").on("data", (text: string) => (err += text));
      child.stdin.on("error", () => undefined);
      child.stdin.end(options.stdin ?? "");
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
