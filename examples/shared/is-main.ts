import process from "node:process";
import { fileURLToPath } from "node:url";

/** Whether a module is the program that runs, not one that it imports. */
export function isMain(url: string): boolean {
  return process.argv[1] === fileURLToPath(url);
}
