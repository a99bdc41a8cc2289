/** A phase's answer: what it made, as far as it could, and the mistakes it found. Errors among them mean: do not go on. */
export interface Outcome<T, M> {
  readonly value: T;
  readonly mistakes: readonly M[];
}
