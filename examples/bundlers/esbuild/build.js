import dualrev from "unplugin-dualrev/esbuild";
import { build } from "esbuild";

await build({
  entryPoints: ["../fit/main.js"],
  outfile: "dist/main.js",
  bundle: true,
  format: "esm",
  sourcemap: true,
  plugins: [dualrev({ with: ["grad"] })],
});
