// VitePress's own theme, with the playground in listings.

import DefaultTheme from "vitepress/theme";
import InPlayground from "./InPlayground.vue";

export default {
  extends: DefaultTheme,
  enhanceApp({ app }) {
    app.component("InPlayground", InPlayground);
  },
};
