// Times of functions that take from nanoseconds to seconds.
//
// Every function is called in a loop that is compiled for it alone, so that the call is monomorphic, as in a program that needs this gradient.
// Eight copies of the arguments take turns, and each result stays reachable until the next call: the engine can neither move work out of the loop nor drop
// it, and no more results are alive than in a program that takes step after step, which is done with a gradient when it asks for the next one.

/** Median and quartiles, in nanoseconds for one call. */
export interface Time {
  readonly median: number;
  readonly lower: number;
  readonly upper: number;
}

/** Calls a function some number of times and gives its last result. */
export type Loop = (repeat: number) => unknown;

const kept: unknown[] = [null];

let loopCount = 0;

/** How many copies of the arguments there are. */
const turns = 8;

/** The loop around a function; with cotangents, the function gives a value and a pullback, which is called for each of them. */
export function loopOf(fn: unknown, args: readonly unknown[], cotangents: readonly unknown[] | null): Loop {
  const call = `fn(${argumentsText(args)})`;
  const rows = cotangents?.map((_, i) => `pullback(cotangents[${i}])`).join(", ");
  const step =
    rows === undefined
      ? `kept[0] = ${call};`
      : `const { value, pullback } = ${call}; kept[0] = { value, jacobian: [${rows}] };`;
  return loopAround(fn, args, cotangents, `kept[0] = null; ${step}`);
}

/** The loop around a function that gives a gradient, and takes the one before, whose memory it uses again. */
export function loopWithBuffers(fn: unknown, args: readonly unknown[]): Loop {
  return loopAround(fn, args, null, `kept[0] = fn(${argumentsText(args)}, kept[0]?.grad);`);
}

function argumentsText(args: readonly unknown[]): string {
  return args.map((_, i) => `args[${i}]`).join(", ");
}

function loopAround(fn: unknown, args: readonly unknown[], cotangents: readonly unknown[] | null, step: string): Loop {
  // The engine knows a text again that it has seen, and would give loops of one text one type feedback: calls of any of several functions
  const body = `/* ${loopCount++} */ return (repeat) => {
    for (let i = 0; i < repeat; i++) { const args = copies[i % ${turns}]; ${step} }
    return kept[0];
  };`;
  // eslint-disable-next-line @typescript-eslint/no-implied-eval -- a closure would be shared between the functions, and its type feedback with it
  const make = new Function("fn", "copies", "cotangents", "kept", body);
  const copies = Array.from({ length: turns }, () => [...args]);
  const loop: unknown = Reflect.apply(make, undefined, [fn, copies, cotangents, kept]);
  if (!isLoop(loop)) throw new Error("no loop was made");
  return loop;
}

function isLoop(value: unknown): value is Loop {
  return typeof value === "function";
}

/** Times one loop: nanoseconds for a call, sample by sample. Samples take about `sampleTime` milliseconds. */
export function samplesOf(loop: Loop, sampleTime: number, samples: number): readonly number[] {
  const repeat = calibrate(loop, sampleTime);
  return Array.from({ length: samples }, () => (millisecondsOf(loop, repeat) * 1e6) / repeat);
}

/** Times loops in turn, sample by sample, so that a machine that drifts slows all of them alike. Samples take about `sampleTime` milliseconds. */
export function measure(loops: readonly Loop[], sampleTime: number, samples: number): readonly Time[] {
  const repeats = loops.map((loop) => calibrate(loop, sampleTime));
  const times = loops.map(() => new Array<number>());
  for (let sample = 0; sample < samples; sample++) {
    loops.forEach((loop, index) => {
      const repeat = repeats[index] ?? 1;
      times[index]?.push((millisecondsOf(loop, repeat) * 1e6) / repeat);
    });
  }
  return times.map(summary);
}

function millisecondsOf(loop: Loop, repeat: number): number {
  const start = performance.now();
  loop(repeat);
  return performance.now() - start;
}

/**
 * As many calls as V8 may need before it has compiled a function as a whole: one that spends its time in a few long loops has those compiled alone at first, in slower code. And
 * before results are in memory that has been used: what the operating system has to give takes long, by hand and generated alike.
 */
const warmCalls = 10_000;

/** How many calls fill a sample; warms the loop up on the way: with enough calls, or for a second where they take longer. */
function calibrate(loop: Loop, sampleTime: number): number {
  let repeat = 1;
  let [calls, warm] = [0, 0];
  while (warm < 20 * sampleTime || (calls < warmCalls && warm < 1000)) {
    const time = millisecondsOf(loop, repeat);
    calls += repeat;
    warm += time;
    if (time < sampleTime)
      repeat = Math.max(repeat + 1, Math.ceil((repeat * sampleTime) / Math.max(time, sampleTime / 10)));
  }
  const once = millisecondsOf(loop, repeat) / repeat;
  return Math.max(1, Math.round(sampleTime / Math.max(once, 1e-6)));
}

export function summary(times: readonly number[]): Time {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}
