import type { Location } from "../location.js";

/** A term in a text, and the place in the model that it is from. */
export interface Marked {
  /** Both UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  readonly at: Location;
}
