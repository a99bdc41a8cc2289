import { defineConfig } from "vite";

export default defineConfig({
  // Any folder of any host
  base: "./",
  worker: { format: "es" },
  build: { target: "es2022", modulePreload: { polyfill: false }, chunkSizeWarningLimit: 2500 },
});
