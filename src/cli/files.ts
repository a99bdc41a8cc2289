// Reading and writing files: every failure becomes a UsageError that says what is wrong in the user's terms.

import { constants, createReadStream } from "node:fs";
import {
  access,
  chmod,
  mkdir,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { UsageError } from "./usage-error.js";

const megabyte = 1024 * 1024;
/** Sizes up to which files are read. A model is written by hand; arguments may be a data set. */
export const largestModel = 16 * megabyte;
export const largestDocument = 400 * megabyte;

/** The name that stands for standard input on the command line, and what messages call it. */
export const stdinArgument = "-";
export const stdinName = "<stdin>";

/** The text of a file, or of standard input for `-`, without a byte order mark. */
export async function readText(path: string, limit: number): Promise<string> {
  const isStdin = path === stdinArgument;
  const shown = isStdin ? stdinName : path;
  return decode(await readBytes(isStdin ? process.stdin : createReadStream(path), shown, limit), shown);
}

/** A file's bytes as text, without a byte order mark. `shown` is what a message calls the file. */
export function decode(bytes: Uint8Array, shown: string): string {
  try {
    // TextDecoder takes a byte order mark off
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new UsageError(`${shown} is not valid UTF-8 (first wrong byte at offset ${firstWrongByte(bytes)})`);
  }
}

/** All that comes, but no more than `limit`: a device may have no end, and no size. */
async function readBytes(stream: Readable, shown: string, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = chunk instanceof Uint8Array ? chunk : new TextEncoder().encode(String(chunk));
      size += bytes.length;
      if (size > limit) throw tooLarge(shown, limit);
      chunks.push(bytes);
    }
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError(`cannot read ${shown}: ${reason(error)}`);
  }
  return Buffer.concat(chunks);
}

export function tooLarge(shown: string, limit: number): UsageError {
  return new UsageError(`${shown} is too large: dualrev reads at most ${limit / megabyte} MB here`);
}

/** Offset of the first byte that is not part of a valid sequence. */
function firstWrongByte(bytes: Uint8Array): number {
  // What a valid beginning holds; a sequence that it cuts off is left out
  const decoded = (length: number): string | null => {
    try {
      const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
      return decoder.decode(bytes.subarray(0, length), { stream: true });
    } catch {
      return null;
    }
  };
  let good = 0;
  let bad = bytes.length + 1;
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (decoded(middle) === null) bad = middle;
    else good = middle;
  }
  return Buffer.byteLength(decoded(good) ?? "");
}

/** The text of a file that may not be there; null where it is not. */
export async function readTextIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new UsageError(`cannot read ${path}: ${reason(error)}`);
  }
}

/**
 * Writes a file as a whole or not at all: to a temporary file beside it, which then takes its name. Symbolic links are followed, the mode of an
 * existing file is kept; devices and pipes are written to directly.
 */
export async function writeAtomically(path: string, text: string): Promise<void> {
  let temporary: string | null = null;
  try {
    const existing = await statIfThere(path);
    if (existing !== null && !existing.isFile()) {
      if (existing.isDirectory()) throw new UsageError(`cannot write ${path}: it is a directory`);
      await writeFile(path, text);
      return;
    }
    const target = await linkedPath(path);
    if (existing !== null) await access(target, constants.W_OK);
    temporary = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}.tmp`);
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(text);
      if (existing !== null) await chmod(temporary, Number(existing.mode));
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    if (temporary !== null) await rm(temporary, { force: true });
    throw error instanceof UsageError ? error : new UsageError(`cannot write ${path}: ${reason(error)}`);
  }
}

/** Makes a folder, and those around it, where they are missing. */
export async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true });
  } catch (error) {
    throw new UsageError(`cannot make the folder ${path}: ${reason(error)}`);
  }
}

/** Where a path leads, through links to files that are there, or are still to be made. */
async function linkedPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    const link = await linkAt(path);
    return link === null ? path : await linkedPath(resolve(dirname(path), link));
  }
}

/** What a symbolic link says; null where there is none. */
async function linkAt(path: string): Promise<string | null> {
  try {
    return await readlink(path);
  } catch {
    return null;
  }
}

/** Whether two paths name one file: by device and inode, so links of either kind are seen through. A path that leads nowhere names none. */
export async function isSameFile(one: string, other: string): Promise<boolean> {
  try {
    const [a, b] = await Promise.all([stat(one), stat(other)]);
    return a.isFile() && a.dev === b.dev && a.ino === b.ino;
  } catch {
    return false;
  }
}

async function statIfThere(path: string): Promise<Awaited<ReturnType<typeof stat>> | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
}

export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

/** A system error in words. */
export function reason(error: unknown): string {
  switch (codeOf(error)) {
    case "ENOENT":
      return "no such file or directory";
    case "EISDIR":
      return "it is a directory";
    case "ENOTDIR":
      return "a part of the path is not a directory";
    case "EACCES":
    case "EPERM":
      return "permission denied";
    case "EROFS":
      return "the file system is read-only";
    case "ENOSPC":
      return "no space left";
    case "ENAMETOOLONG":
      return "the name is too long";
    case "ELOOP":
      return "too many symbolic links";
    case "EMFILE":
      return "too many open files";
    default:
      return error instanceof Error ? error.message : String(error);
  }
}

/** Whether two texts differ in nothing but how their lines end, which a checkout may have changed. */
export function haveSameLines(one: string, other: string): boolean {
  return one.replaceAll("\r\n", "\n") === other.replaceAll("\r\n", "\n");
}
