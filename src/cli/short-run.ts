import { setFlagsFromString } from "node:v8";

/** What V8 counts before it optimises a function: three times as much as it would by itself. */
const budget = 200_000;

/** The last of its versions that is known to have the flag: others complain about flags that they do not know. */
const lastVersion = 13;

/**
 * Tells V8 that the process will be over soon; to be called before anything else is loaded. V8 optimises functions on threads of its own, by what it
 * has seen of them so far, and again where that was too little: of a short run that is more than half of the work. What runs for long is still
 * optimised, a little later.
 */
export function expectShortRun(): void {
  if (Number.parseInt(process.versions.v8, 10) <= lastVersion) setFlagsFromString(`--interrupt-budget=${budget}`);
}
