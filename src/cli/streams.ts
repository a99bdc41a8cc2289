// Standard output and standard error: writes wait until they are taken, and a reader that goes away (`| head`) is no error; a full disk is.

import { writeSync } from "node:fs";
import process from "node:process";
import { isatty } from "node:tty";
import { exitCodes } from "./exit-code.js";
import { reason } from "./files.js";

/** Prepares the streams: a closed pipe ends the program quietly. */
export function guardStreams(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") process.exit();
      if (stream === process.stdout)
        writeSync(process.stderr.fd, `error: cannot write standard output: ${reason(error)}\n`);
      process.exit(exitCodes.usage);
    });
  }
}

export function printOut(text: string): Promise<void> {
  return write(process.stdout, text);
}

export function printError(text: string): Promise<void> {
  return write(process.stderr, text);
}

function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => {
      resolve();
    });
  });
}

/** Whether to colour what goes to a stream: `NO_COLOR` and `FORCE_COLOR` decide, else the terminal. */
export function hasColors(stream: NodeJS.WriteStream & { readonly fd: number }): boolean {
  const { NO_COLOR: no, FORCE_COLOR: force, TERM: terminal } = process.env;
  if (no !== undefined && no !== "") return false;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  return isatty(stream.fd) && terminal !== "dumb";
}
