import { unplugin } from "./index.js";

export type { ModelOptions, Options } from "./index.js";

export default unplugin.rspack;
