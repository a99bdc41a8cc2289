/** A cotangent for each parameter, by name. */
export type Gradient = Readonly<Record<string, unknown>>;
