// The example `sharded`: over two worker processes value and gradient have the bits of a sum in one process, whoever computed what, in whatever order,
// and where a worker is killed half-way; a shard that fails for good ends the run, by its name, and so does the loss of the server.

import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readFileSync, rmSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { numbersIn, textOf } from "../examples/sharded/exact.js";
import { partOf, sumOf, type Part } from "../examples/sharded/gradient.js";
import { fit, report, start } from "../examples/sharded/main.js";
import type { Rates } from "../examples/sharded/model.grad.js";
import { openCoordinator, type Coordinator } from "../examples/sharded/queue.js";
import { BadShard, pathOf, readShard, shardsIn, truth, writeShards } from "../examples/sharded/shards.js";
import { Folder } from "./command-line.js";
import { freePort, Running } from "./support/processes.js";
import { programOf } from "./support/programs.js";

const root = join(import.meta.dirname, "..");
const redisServer = programOf("redis-server");

/** The names of the shards that `writeShards` writes. */
const years = Array.from({ length: 8 }, (_, i) => `claims-${2018 + i}`);

function partsHere(folder: string, shards: readonly string[], rates: Rates): Promise<readonly Part[]> {
  return Promise.all(shards.map(async (name) => partOf(rates, await readShard(folder, name))));
}

test("any float64 arrives as it was sent", () => {
  const numbers = [0, -0, 0.1, -1 / 3, 5e-324, Number.MAX_VALUE, Infinity, -Infinity, NaN];
  expect(numbersIn(textOf(numbers))).toEqual(numbers);
});

test("what is no shard, or not all of one, is told", async () => {
  const folder = new Folder({ "text.shard": "claims: none\n", "empty.shard": "" });
  try {
    writeShards(folder.path, 10);
    expect(await shardsIn(folder.path)).toEqual([...years, "empty", "text"]);
    truncateSync(pathOf(folder.path, "claims-2018"), 200);
    await expect(readShard(folder.path, "text")).rejects.toThrow("text.shard is no shard");
    await expect(readShard(folder.path, "empty")).rejects.toThrow(BadShard);
    await expect(readShard(folder.path, "claims-2018")).rejects.toThrow("has 200 bytes, and should have 504");
  } finally {
    folder.remove();
  }
});

describe.skipIf(redisServer === null)("with a Redis server", () => {
  const server = new Folder();
  /** The folder of the workers. */
  const data = new Folder();
  let redis: Running | null = null;
  let url = "";
  const running: Running[] = [];
  let coordinator: Coordinator | null = null;

  const program = (name: string, ...args: readonly string[]): Running => {
    const path = join("examples/sharded", name);
    const started = new Running(process.execPath, ["--import", "tsx", path, ...args, "--redis", url], root);
    running.push(started);
    return started;
  };

  const opened = async (shards: readonly string[], at = url): Promise<Coordinator> =>
    (coordinator = await openCoordinator({ redis: at, shards, patience: 30_000 }));

  beforeAll(async () => {
    const port = await freePort();
    const inMemory = ["--save", "", "--appendonly", "no", "--dir", server.path];
    redis = new Running(redisServer ?? "", ["--port", String(port), "--bind", "127.0.0.1", ...inMemory], server.path);
    await redis.says("Ready to accept connections");
    url = `redis://127.0.0.1:${port}`;
  });

  afterEach(async () => {
    await coordinator?.close();
    coordinator = null;
  });

  afterAll(async () => {
    await Promise.all(running.map((each) => each.kill()));
    await redis?.kill();
    for (const folder of [server, data]) folder.remove();
  });

  test("without a worker, or without a server, nothing waits", async () => {
    await expect(opened([])).rejects.toThrow("no worker is there for the queue dualrev-shards");
    await expect(opened([], `redis://127.0.0.1:${await freePort()}`)).rejects.toThrow("ECONNREFUSED");
  });

  describe("and two worker processes", () => {
    let workers: readonly Running[] = [];

    beforeAll(async () => {
      writeShards(data.path, 5000);
      writeFileSync(pathOf(data.path, "corrupt"), readFileSync(pathOf(data.path, "claims-2018")).subarray(0, 100));
      workers = [0, 1].map(() => program("worker.ts", data.path, "--lock", "2000"));
      await Promise.all(workers.map((worker) => worker.says("ready")));
    });

    /** Runs `main.ts` on shards, of which it knows the names alone. */
    const runMain = async (names: readonly string[]) => {
      const folder = new Folder(Object.fromEntries(names.map((name) => [`${name}.shard`, ""])));
      try {
        const main = program("main.ts", folder.path);
        return { code: await main.ended(), out: main.out, err: main.err };
      } finally {
        folder.remove();
      }
    };

    test("a fit has the bits of one in a single process, and the program prints what its README shows", async () => {
      const { evaluate } = await opened(years);
      const found = await fit(evaluate);
      expect(found).toEqual(await fit(async (rates) => sumOf(rates, await partsHere(data.path, years, rates))));
      expect(found.slope).toBeLessThan(1e-4);
      found.at.weights.forEach((weight, i) => {
        expect(weight).toBeCloseTo(truth.weights[i] ?? NaN, 1);
      });
      for (const worker of workers) expect(worker.out).toContain(": begun");
      const out = `8 shards, 2 workers.\n${report(found)}\n`;
      expect(await runMain(years)).toEqual({ code: 0, out, err: "" });
      expect(readFileSync(new URL("../examples/sharded/README.md", import.meta.url), "utf8")).toContain(out);
    });

    test("a shard that is corrupt ends the run, by its name", async () => {
      const { code, err } = await runMain(["claims-2018", "corrupt", "claims-2019"]);
      expect({ code, err }).toEqual({
        code: 1,
        err: `corrupt: ${pathOf(data.path, "corrupt")} has 100 bytes, and should have 240024\n`,
      });
    });

    test("a shard that is missing is tried three times, and ends the run, by its name", async () => {
      const { evaluate } = await opened(["claims-2018", "missing", "claims-2019"]);
      await expect(evaluate(start)).rejects.toThrow("missing: ENOENT: no such file or directory");
      const begun = workers.flatMap(({ out }) => out.match(/^missing: begun$/gm) ?? []);
      expect(begun).toHaveLength(3);
    });

    test("a worker that is killed half-way through a shard changes no bit", async () => {
      const folder = join(data.path, "small");
      writeShards(folder, 500);
      const parts = await partsHere(folder, years, start);
      const expected = sumOf(start, parts);
      // The third shard finishes last: in this order, the sum is another one
      const [first = [], second = [], third = [], ...others] = parts;
      expect(sumOf(start, [first, second, ...others, third])).not.toEqual(expected);

      // In its place there is a pipe, from which the first half of it comes, and no end
      const path = pathOf(folder, "claims-2020");
      const bytes = readFileSync(path);
      rmSync(path);
      execFileSync("mkfifo", [path]);
      const pipe = openSync(path, constants.O_RDWR);
      try {
        writeSync(pipe, bytes, 0, bytes.length / 2);
        const { evaluate } = await opened(years.map((name) => `small/${name}`));
        const sum = evaluate(start);
        const begun = "small/claims-2020: begun";
        const begins = workers.map(async (worker) => {
          await worker.says(begun);
          return worker;
        });
        const dying = await Promise.race(begins);
        await dying.kill();
        rmSync(path);
        writeFileSync(path, bytes);
        expect(await sum).toEqual(expected);
        await Promise.all(begins);
      } finally {
        closeSync(pipe);
      }
    });

    test("a server that is lost ends the run", async () => {
      execFileSync("mkfifo", [pathOf(data.path, "endless")]);
      const main = runMain(["endless"]);
      await Promise.any(workers.map((worker) => worker.says("endless: begun")));
      await redis?.kill();
      const { code, err } = await main;
      expect({ code, err }).toEqual({ code: 1, err: `the connection to ${url} is lost\n` });
    });
  });
});
