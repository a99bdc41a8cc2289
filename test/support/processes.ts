// Programs that a test starts, and that end with it, whatever becomes of it.

import { spawn, type ChildProcess } from "node:child_process";
import { createServer } from "node:net";

/** A program that runs. */
export class Running {
  /** What it has written to standard output, and to standard error. */
  out = "";
  err = "";
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;
  readonly #kill = () => this.#child.kill("SIGKILL");

  constructor(command: string, args: readonly string[], cwd: string) {
    const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.setEncoding("utf8").on("data", (text: string) => (this.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (this.err += text));
    this.#child = child;
    // The tests may end in the middle of one
    process.once("exit", this.#kill);
    this.#ended = new Promise((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code) => {
        process.off("exit", this.#kill);
        resolve(code);
      });
    });
  }

  /** Waits for a text in standard output. Fails where the program ends without it. */
  async says(text: string): Promise<void> {
    const found = () => this.out.includes(text);
    await new Promise<void>((resolve, reject) => {
      const look = () => {
        if (found()) resolve();
      };
      look();
      this.#child.stdout?.on("data", look);
      void this.#ended.then(() => {
        reject(new Error(`no ${text}: ${this.out}${this.err}`));
      }, reject);
    });
  }

  /** Its exit code; null where a signal ended it. */
  ended(): Promise<number | null> {
    return this.#ended;
  }

  /** Ends it, without a warning. */
  async kill(): Promise<void> {
    this.#kill();
    await this.#ended;
  }
}

/** A port of this machine that nothing listens on. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => {
        if (typeof address === "object" && address !== null) resolve(address.port);
        else reject(new Error("no port"));
      });
    });
  });
}
