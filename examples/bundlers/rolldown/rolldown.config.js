import dualrev from "unplugin-dualrev/rolldown";

export default {
  input: "../fit/main.js",
  output: { file: "dist/main.js", sourcemap: true },
  plugins: [dualrev({ with: ["grad"] })],
};
