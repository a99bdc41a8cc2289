import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  export interface ProvidedContext {
    /** The sockets of the processes that carry out command lines (commands/server.mjs), one for each core. */
    commands: readonly string[];
  }
}

const root = fileURLToPath(new URL("..", import.meta.url));

/** Builds dist/ for all tests that need it, unless `DUALREV_BUILT` says that it is built, and starts what carries out command lines. */
export default async function setup(project: TestProject): Promise<() => void> {
  if (process.env["DUALREV_BUILT"] === undefined) {
    execFileSync("npm", ["run", "build"], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
  }
  const folder = mkdtempSync(join(tmpdir(), "dualrev-commands-"));
  const servers = await Promise.all(Array.from({ length: availableParallelism() }, (_, k) => started(socketIn(folder, k)))); // prettier-ignore
  project.provide(
    "commands",
    servers.map(({ socket }) => socket),
  );
  return () => {
    for (const { stop } of servers) stop();
    rmSync(folder, { recursive: true, force: true });
  };
}

function socketIn(folder: string, place: number): string {
  return process.platform === "win32" ? `\\\\.\\pipe\\dualrev-${process.pid}-${place}` : join(folder, String(place));
}

interface Server {
  readonly socket: string;
  readonly stop: () => void;
}

function started(socket: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, "test/commands/server.mjs"), socket], { stdio: ["pipe", "pipe", "inherit"] }); // prettier-ignore
    child.stdout.once("data", () => {
      resolve({ socket, stop: () => child.stdin.end() });
    });
    child.once("error", reject).once("exit", () => {
      reject(new Error("the server of command lines has ended"));
    });
  });
}
