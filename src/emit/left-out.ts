/** A definition of the file that is not exported, and why, as half a sentence. */
export interface LeftOut {
  readonly name: string;
  readonly reason: string;
}
