// What a pass is, and how a list of passes runs. The lists of a compiler's stages are data: src/driver/registry.ts has all of them.

/** The forms of a program that passes read and write, in the order of the pipeline: see ARCHITECTURE.md. */
export type IR = "core" | "target" | "flat" | "stores" | "module" | "function";

/** What is known of a pass without running it. */
export interface PassInfo {
  /** As `--dump` and messages call it; unique. */
  readonly name: string;
  /** One line: what the pass does. */
  readonly title: string;
  /** What it reads, and what it writes. */
  readonly in: IR;
  readonly out: IR;
  /** Without it there is no program; any other pass over one form of programs may be left out. */
  readonly isNeeded?: true;
}

/** A pass over one form of programs: the same values, failures and derivatives. It gives back the same object where it changes nothing. */
export interface Pass<T, Context> extends PassInfo {
  run(program: T, context: Context): T;
}

/** A pass from one form of programs to another. */
export interface Lowering<In, Out, Context> extends PassInfo {
  run(program: In, context: Context): Out;
}

/** Passes in the order in which they run; those of a `repeat` run in turn until nothing changes. */
export type Schedule<T, Context> = readonly (Pass<T, Context> | Repeat<T, Context>)[];

export interface Repeat<T, Context> {
  readonly repeat: Schedule<T, Context>;
  readonly atMost: number;
}

/** How one pass is run: whoever asks for passes to be timed, checked, left out or shown does it here. `before`: what it is given, null where that is another IR. */
export type Around<T> = (pass: PassInfo, before: T | null, run: () => T) => T;

/** Every pass as it is. */
export function plainly<T>(_: PassInfo, _before: T | null, run: () => T): T {
  return run();
}

/** Runs a schedule. A pass that has left a program as it was is not run on it again. */
export function runSchedule<T, Context>(
  schedule: Schedule<T, Context>,
  program: T,
  context: Context,
  around: Around<T> = plainly,
): T {
  const settled = new Map<string, T>();
  const steps = (list: Schedule<T, Context>, start: T): T => list.reduce(step, start);
  const step = (before: T, next: Schedule<T, Context>[number]): T => {
    if ("repeat" in next) {
      let current = before;
      for (let time = 0; time < next.atMost; time++) {
        const after = steps(next.repeat, current);
        if (after === current) break;
        current = after;
      }
      return current;
    }
    if (settled.get(next.name) === before) return before;
    const after = around(next, before, () => next.run(before, context));
    if (after === before) settled.set(next.name, before);
    return after;
  };
  return steps(schedule, program);
}

/** The passes of a schedule, each once, in the order in which they first run. */
export function passesOf<T, Context>(schedule: Schedule<T, Context>): readonly Pass<T, Context>[] {
  const all = schedule.flatMap((step) => ("repeat" in step ? passesOf(step.repeat) : [step]));
  return all.filter((pass, place) => all.findIndex(({ name }) => name === pass.name) === place);
}

/** Whether a pass works on what is emitted. */
export function isOverEmitted({ in: from, out }: PassInfo): boolean {
  return from === out && (out === "function" || out === "module");
}
