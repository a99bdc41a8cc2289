// The command line in a shell: where its output goes to, and what it has to say beside that.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { bin, Folder } from "./command-line.js";

const model = "def f (x : R) (y : R) : R = x * y + sin x\n";

describe("the command line", () => {
  const folders: Folder[] = [];
  const folder = (content: Readonly<Record<string, string>>): Folder => {
    const made = new Folder(content);
    folders.push(made);
    return made;
  };
  afterEach(() => {
    for (const used of folders.splice(0)) used.remove();
  });

  const inShell = (command: string, rest: string) => {
    const at = folder({ "m.lam": model });
    const env = { ...process.env, NO_COLOR: "1", FORCE_COLOR: "" };
    return spawnSync("bash", ["-c", `"${process.execPath}" "${bin}" ${command} m.lam ${rest}`], { cwd: at.path, env });
  };

  test("a reader that goes away is no error", () => {
    const { stdout, stderr } = inShell("steps", "| head -n 1");
    expect([stdout.toString().slice(0, 3), stderr.toString()]).toEqual(["== ", ""]);
  });

  test.runIf(existsSync("/dev/zero"))("a model without an end", () => {
    const { status, stderr } = inShell("check", "/dev/zero");
    expect([status, stderr.toString()]).toEqual([
      2,
      "error: /dev/zero is too large: dualrev reads at most 16 MB here\n",
    ]);
  });

  // A device that is always full is there on Linux alone
  test.runIf(existsSync("/dev/full"))("standard output that is full", () => {
    const { status, stderr } = inShell("compile", "> /dev/full");
    expect([status, stderr.toString()]).toEqual([2, "error: cannot write standard output: no space left\n"]);
  });

  test("a model that exports nothing", async () => {
    const at = folder({ "none.lam": "def compose f g x = f (g x)\n", "empty.lam": "" });
    const { code, out, err } = await at.run(["compile", "none.lam"]);
    expect([code, out]).toEqual([0, expect.stringContaining("Left out: compose")]);
    expect(err).toMatch(
      /^warning: none\.lam has no definition that can be exported\n {2}= note: compose is left out, /,
    );
    expect((await at.run(["compile", "empty.lam"])).err).toBe(
      "warning: empty.lam has no definition that can be exported\n",
    );
  });
});
