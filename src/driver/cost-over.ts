import type { SourceFile } from "../syntax/source.js";
import { answer, failure, type Answer } from "./answer.js";
import { cost, type CostOptions, type StageCost } from "./cost.js";
import { growthOf, type Growth } from "./growth.js";
import { assertCall } from "./options.js";

/** The sizes that parameters take: of an integer its value, of an array its length. */
export interface Sizes {
  /** Parameters that change together. */
  readonly names: readonly string[];
  /** Those of them that are square matrices and stay so: the given one stands along the diagonal again and again, and zeros elsewhere. None where left out. */
  readonly square?: readonly string[];
  readonly values: readonly number[];
}

/** The counted work of one stage, or its longest path, by size. */
export interface CostSeries {
  readonly stage: StageCost["stage"];
  readonly of: "work" | "span";
  /** The sizes up to which the stage came to its end. */
  readonly sizes: readonly number[];
  readonly totals: readonly number[];
  readonly growth: Growth;
  /** Why the stage did not come to its end at the next size; null where it did at all. */
  readonly stopped: string | null;
}

/**
 * The work of every stage as `cost` counts it, for several sizes, and the longest paths of programs that fork. `args` is an object of plain values by parameter name; in it each parameter of `over` is
 * replaced: an integer by the size, an array by one of that length, in which the given elements come again and again; of what is to stay `square` the rows, too.
 */
export function costOver(
  source: SourceFile,
  entry: string,
  args: unknown,
  over: Sizes,
  options: CostOptions = {},
): Answer<readonly CostSeries[]> {
  assertCall("costOver", source, options, ["budget", "externs", "load"]);
  const [works, spans] = [new Map<StageCost["stage"], Points>(), new Map<StageCost["stage"], Points>()];
  for (const size of over.values) {
    const sized = over.names.reduce<unknown>((all, name) => withSize(all, name, size, over.square?.includes(name) ?? false), args); // prettier-ignore
    const counted = cost(source, entry, sized, options);
    if (!counted.ok) return failure(...counted.diagnostics);
    for (const { stage, total, span, stopped } of counted.value) {
      add(works, stage, size, total, stopped);
      if (span !== null) add(spans, stage, size, span, stopped);
    }
  }
  const all = [works, spans].flatMap((series, index) =>
    Array.from(series, ([stage, points]): CostSeries => ({
      stage,
      of: index === 0 ? "work" : "span",
      ...points,
      growth: growthOf(points.sizes, points.totals),
    })),
  );
  return answer(all, []);
}

interface Points {
  readonly sizes: number[];
  readonly totals: number[];
  stopped: string | null;
}

function add(
  series: Map<StageCost["stage"], Points>,
  stage: StageCost["stage"],
  size: number,
  total: number,
  stopped: string | null,
): void {
  const known = series.get(stage) ?? { sizes: [], totals: [], stopped: null };
  series.set(stage, known);
  if (known.stopped !== null) return;
  if (stopped === null) {
    known.sizes.push(size);
    known.totals.push(total);
  } else known.stopped = stopped;
}

/** Arguments with another size of one; what is no number and no array stays, and is what the diagnostic of the arguments is about. */
function withSize(args: unknown, name: string, size: number, isSquare: boolean): unknown {
  if (typeof args !== "object" || args === null || Array.isArray(args)) return args;
  const value: unknown = Reflect.get(args, name);
  if (!Array.isArray(value)) return { ...args, [name]: size };
  const items: readonly unknown[] = value;
  if (isSquare && items.length > 0) return { ...args, [name]: squareOf(items, size) };
  return { ...args, [name]: Array.from({ length: items.length === 0 ? 0 : size }, (_, i) => items[i % items.length]) };
}

/** A square matrix of a size: as regular as the given one, for any size where all that begin at its corner are. */
function squareOf(rows: readonly unknown[], size: number): readonly (readonly unknown[])[] {
  const entry = (i: number, j: number): unknown => {
    const row: unknown = rows[i % rows.length];
    const isInBlock = Math.floor(i / rows.length) === Math.floor(j / rows.length);
    return isInBlock && Array.isArray(row) ? row[j % rows.length] : 0;
  };
  return Array.from({ length: size }, (_, i) => Array.from({ length: size }, (__, j) => entry(i, j)));
}
