// A text as what it has in common with another one, line by line.

/** Lines that are taken over, as a number; those that are left out, as a negative one; and lines of its own. */
export type TextPatch = readonly (number | string)[];

/** The text that a patch makes of `base`. */
export function patched(base: string, patch: TextPatch): string {
  const lines = base.split("\n");
  const made: string[] = [];
  let at = 0;
  for (const step of patch) {
    if (typeof step === "string") made.push(step);
    else if (step > 0) made.push(...lines.slice(at, at + step));
    if (typeof step === "number") at += Math.abs(step);
  }
  return made.join("\n");
}
