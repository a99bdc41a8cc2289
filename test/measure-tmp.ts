import { errorOf, gradientOf, referencesOf } from "./std-references.js";
import { sourceOf } from "./std-sources.js";
const module = process.argv[2] ?? "special";
const only = process.argv[3];
for (const [name, rows] of Object.entries(referencesOf(module))) {
  if (only !== undefined && !name.startsWith(only)) continue;
  const t0 = performance.now();
  let f;
  try { f = gradientOf(sourceOf(module, name, rows), "f"); } catch (e) { console.log(name, String(e).slice(0, 600)); continue; }
  const t = performance.now();
  const worst: [number, string][] = [];
  for (const [args, ...expected] of rows) {
    const found = f(args);
    expected.forEach((r, i) => {
      const e = errorOf(found[i] ?? NaN, r);
      if (e > (worst[i]?.[0] ?? -1)) worst[i] = [e, `${JSON.stringify(args)} ${found[i]} not ${r.join(" ~")}`];
    });
    if (found.length !== expected.length) console.log("LENGTH", found.length, expected.length, JSON.stringify(args));
  }
  console.log(name, rows.length, (t - t0).toFixed(0), (performance.now() - t).toFixed(0) + "ms");
  for (const w of worst) console.log("   ", w[0].toExponential(1), w[1]);
}
