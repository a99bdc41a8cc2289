// Programs of the machine that some tests need, from the distribution's packages.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** A program, and the package of Debian and Ubuntu that has it. */
const packages = { "redis-server": "redis-server", chromium: "chromium" } as const;

/**
 * Where a program is, or null where the machine has none: then its tests are left out, and standard error says so. In CI, which installs the packages
 * (`.ci/run`), it is an error.
 */
export function programOf(name: keyof typeof packages): string | null {
  for (const folder of (process.env["PATH"] ?? "").split(delimiter)) {
    const path = join(folder, name);
    if (existsSync(path)) return path;
  }
  const missing = `${name} is missing: apt-get install ${packages[name]}`;
  if (process.env["CI"] !== undefined) throw new Error(missing);
  process.stderr.write(`\n*** NOT TESTED: ${missing}\n\n`);
  return null;
}
