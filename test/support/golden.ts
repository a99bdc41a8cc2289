// Files that hold what the compiler is known to give. They are read before they are accepted: `DUALREV_UPDATE=1` writes them anew, and removes those that
// nothing gives any more.

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { fixturesFolder } from "./fixture.js";

const updates = process.env["DUALREV_UPDATE"] === "1";

/** Expects a text to be what the file holds. */
export function expectGolden(path: string, text: string): void {
  if (updates) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const known = existsSync(path) ? readFileSync(path, "utf8") : "(there is no such file; DUALREV_UPDATE=1 writes it)";
  expect(text, path).toBe(known);
}

/** What is known of the fixtures of one group: whole texts in `NAME.golden/`, and a hash of each other text in one file. */
export class Goldens {
  readonly #folder: string;
  readonly #known: ReadonlyMap<string, string>;
  readonly #hashes = new Map<string, string>();
  readonly #written = new Set<string>();

  constructor(group: string) {
    this.#folder = join(fixturesFolder, group);
    this.#known = new Map(existsSync(this.#file) ? readHashes(this.#file) : []);
  }

  get #file(): string {
    return join(this.#folder, "hashes.txt");
  }

  /** Expects a text to be what the file `NAME.golden/FILE` holds. */
  whole(name: string, file: string, text: string): void {
    const path = join(this.#folder, `${name}.golden`, file);
    this.#written.add(path);
    expectGolden(path, text);
  }

  /** Expects a text to be the one whose hash is known. `command` shows it: the difference is that to what another checkout shows. */
  hash(name: string, file: string, text: string, command: string): void {
    const key = `${name}/${file}`;
    const hash = createHash("sha256").update(text).digest("hex").slice(0, 16);
    this.#hashes.set(key, hash);
    if (!updates)
      expect(hash, `${key} is another text: see ${command}`).toBe(
        this.#known.get(key) ?? "(not known; DUALREV_UPDATE=1 writes it)",
      );
  }

  /** When all fixtures of the group have been looked at. */
  finish(): void {
    const kept = readdirSync(this.#folder)
      .filter((entry) => entry.endsWith(".golden"))
      .flatMap((folder) => readdirSync(join(this.#folder, folder)).map((file) => join(this.#folder, folder, file)));
    const stale = kept.filter((path) => !this.#written.has(path));
    const gone = [...this.#known.keys()].filter((key) => !this.#hashes.has(key));
    if (!updates) {
      expect([...stale, ...gone], "nothing gives these any more; DUALREV_UPDATE=1 removes them").toEqual([]);
      return;
    }
    for (const path of stale) rmSync(path);
    const lines = [...this.#hashes]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, hash]) => `${hash} ${key}\n`);
    if (lines.length > 0) writeFileSync(this.#file, lines.join(""));
  }
}

function readHashes(file: string): readonly (readonly [string, string])[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => [line.slice(17), line.slice(0, 16)]);
}
