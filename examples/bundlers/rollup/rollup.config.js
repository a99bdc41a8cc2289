import dualrev from "unplugin-dualrev/rollup";

export default {
  input: "../fit/main.js",
  output: { file: "dist/main.js", sourcemap: true },
  plugins: [dualrev({ with: ["grad"] })],
};
