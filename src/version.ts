/** dualrev's version: that of package.json, which a test compares. */
export const version = "0.1.0";
