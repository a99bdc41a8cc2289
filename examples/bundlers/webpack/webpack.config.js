import dualrev from "unplugin-dualrev/webpack";

export default {
  mode: "production",
  context: import.meta.dirname,
  entry: "../fit/main.js",
  output: { path: `${import.meta.dirname}/dist`, filename: "main.js" },
  devtool: "source-map",
  plugins: [dualrev({ with: ["grad"] })],
};
