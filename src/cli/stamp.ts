// What tells one state of a file from the next without reading it.

import { statSync, type BigIntStats } from "node:fs";
import { codeOf } from "./files.js";

/** The stamp where there is no file. */
export const missing = "ENOENT";

/** Changes whenever the file at a path is written, replaced, removed, or may be read by others; also where there is none. */
export function stampOf(path: string): string {
  try {
    return stampOfStats(statSync(path, { bigint: true }));
  } catch (error) {
    return codeOf(error);
  }
}

function stampOfStats({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(" ");
}
