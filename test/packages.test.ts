// What is published, as npm packs it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { publint } from "publint";
import { afterAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), "dualrev-packages-"));

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

describe.each(["packages/unplugin", "packages/prettier-plugin", "."])("%s", (folder) => {
  test("has what its package.json says", async () => {
    const { messages } = await publint({ pkgDir: join(root, folder), level: "warning" });
    expect(messages).toEqual([]);
  });

  test("has types that fit, for modules", () => {
    const env = { ...process.env, npm_config_ignore_scripts: "true" };
    const packed = execFileSync("npm", ["pack", "--pack-destination", scratch], { cwd: join(root, folder), encoding: "utf8", stdio: "pipe", env }); // prettier-ignore
    const attw = join(root, "node_modules/@arethetypeswrong/cli/dist/index.js");
    const file = join(scratch, packed.trim().split("\n").at(-1) ?? "");
    execFileSync(process.execPath, [attw, file, "--profile", "esm-only"], { stdio: "pipe" });
  });
});
