import dualrev from "unplugin-dualrev/vite";
import { defineConfig } from "vite";

export default defineConfig({
  root: "../fit",
  plugins: [dualrev({ with: ["grad"] })],
  build: {
    outDir: "../vite/dist",
    emptyOutDir: true,
    sourcemap: true,
    rolldownOptions: { input: "main.js", output: { entryFileNames: "main.js" } },
  },
});
