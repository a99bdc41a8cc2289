import { defineConfig } from "vite";

export default defineConfig({
  // Any folder of any host
  base: "./",
  worker: { format: "es" },
  build: {
    target: "es2022",
    // Browsers with `light-dark()`: what stands in for it in others follows the system alone, not the theme that is chosen
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 2500,
  },
});
