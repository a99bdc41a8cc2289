import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Builds dist/, once for all tests that need it. */
export default function setup(): void {
  const root = fileURLToPath(new URL("..", import.meta.url));
  execFileSync("npm", ["run", "build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32",
  });
}
