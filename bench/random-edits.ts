// Edits of a model as a person makes them, at random: half of them change a type. Some are taken back, so that the model stays mostly right.

/** `text` in the place of what stands between two offsets. */
export interface RandomEdit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A number below a bound. */
export type Draw = (bound: number) => number;

/** The numbers of a fixed sequence. */
export function sequence(seed: number): Draw {
  let state = seed;
  return (bound) => {
    state = (1664525 * state + 1013904223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

/** Mistakes that are left at most at a time, before one is taken back. */
const mostOpen = 3;

export class RandomEdits {
  readonly #undone: RandomEdit[] = [];

  constructor(
    public text: string,
    readonly draw: Draw,
  ) {}

  /** The next edit, which is made in `text`. */
  next(): RandomEdit {
    const undo = this.#undone.length > 0 && (this.#undone.length >= mostOpen || this.draw(2) === 0);
    const edit = undo ? this.#undone.pop() : undefined;
    if (edit !== undefined) {
      this.#make(edit);
      return edit;
    }
    const made = this.draw(2) === 0 ? this.#ofType() : this.#ofText();
    const before = this.text.slice(made.start, made.end);
    this.#make(made);
    this.#undone.push({ start: made.start, end: made.start + made.text.length, text: before });
    return made;
  }

  #make({ start, end, text }: RandomEdit): void {
    this.text = this.text.slice(0, start) + text + this.text.slice(end);
  }

  #choose(choices: readonly string[]): string {
    return choices[this.draw(choices.length)] ?? "";
  }

  /** One of the places that match, with something else in it. */
  #replaced(pattern: RegExp, choices: readonly string[]): RandomEdit {
    const found = [...this.text.matchAll(pattern)];
    const match = found[this.draw(found.length)];
    if (match === undefined) return { start: 0, end: 0, text: "\n" };
    const [whole] = match;
    return { start: match.index, end: match.index + whole.length, text: this.#choose(choices) };
  }

  #ofType(): RandomEdit {
    switch (this.draw(6)) {
      case 0:
        return this.#replaced(/(?<=: )R\b/g, ["Z", "Bool", "[R]", "(R, R)", "R -> R"]);
      case 1:
        return this.#replaced(/ : R(?= =)/g, ["", " : Z", " : a"]);
      case 2:
        return this.#replaced(/(?<=[ (])\d+\.\d+/g, ["true", "()", "[1, 2]", "(1, 2)", "\\x. x"]);
      case 3:
        return this.#replaced(/(?<=^def \w+ )\(\w+ : R\) /gm, ["", "(x : Z) (y : R) "]);
      case 4:
        return this.#replaced(/(?<=^def )\w+/gm, ["renamed", "other'"]);
      default:
        return this.#replaced(/\b(?:sin|cos|tanh|sqrt)\b/g, ["toReal", "floor", "map", "fst", "sum", "unknown"]);
    }
  }

  #ofText(): RandomEdit {
    switch (this.draw(6)) {
      case 0:
        return this.#replaced(/\d+\.\d+/g, ["1.5", "0.25", "3."]);
      case 1:
        return this.#replaced(/\n\n/g, [
          "\n\n\n",
          "\n-- a comment\n\n",
          "\n\ndef added (x : R) : R = x * x\n\n",
          "\n\ndef ",
        ]);
      case 2:
        return this.#replaced(/ [+*] /g, [" - ", " + ", " +", " "]);
      case 3:
        return this.#replaced(/\bt1\b/g, ["t0", "t1'", "t"]);
      case 4:
        return this.#replaced(/[()]/g, ["", "(", ")"]);
      default: {
        const at = this.draw(this.text.length);
        return {
          start: at,
          end: Math.min(this.text.length, at + this.draw(3)),
          text: this.#choose([" ", "x", "\n", ")", "{-", '"', "\\", "."]),
        };
      }
    }
  }
}
