// Times of functions that take from nanoseconds to seconds: the median over samples, each of as many calls as fill a few milliseconds.

/** Median and spread, in nanoseconds for one call. */
export interface Time {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** Keeps results from being optimised away. */
let sink: unknown;

/** Times several functions in turn, sample by sample, so that a machine that drifts slows all of them alike. */
export function measure(functions: readonly (() => unknown)[], sampleTime: number, samples: number): readonly Time[] {
  const repeats = functions.map((fn) => calibrate(fn, sampleTime));
  const times = functions.map(() => new Array<number>());
  for (let sample = 0; sample < samples; sample++) {
    functions.forEach((fn, index) => {
      times[index]?.push(timeOf(fn, repeats[index] ?? 1));
    });
  }
  return times.map(summary);
}

function timeOf(fn: () => unknown, repeat: number): number {
  const start = performance.now();
  for (let i = 0; i < repeat; i++) sink = fn();
  return ((performance.now() - start) * 1e6) / repeat;
}

/** How often to call a function for a sample of the given time in milliseconds; warms it up on the way. */
function calibrate(fn: () => unknown, sampleTime: number): number {
  let repeat = 1;
  for (let warm = 0; warm < 20 * sampleTime;) {
    const time = (timeOf(fn, repeat) * repeat) / 1e6;
    warm += time;
    if (time < sampleTime)
      repeat = Math.max(repeat + 1, Math.ceil((repeat * sampleTime) / Math.max(time, sampleTime / 10)));
  }
  return Math.max(1, Math.round((sampleTime * 1e6) / Math.max(1, timeOf(fn, repeat))));
}

function summary(times: readonly number[]): Time {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
  return { median: at(0.5), min: at(0), max: at(1) };
}

/** What was measured last: exported so that the engine must keep it. */
export const lastResult = (): unknown => sink;
