// Small charts: a line, and values over two numbers.

import { axisNumber } from "./values.js";

const size = { width: 480, height: 260, right: 16, top: 14, bottom: 34 };

interface Scale {
  readonly at: (value: number) => number;
  readonly ends: readonly [number, number];
}

function scale(values: readonly number[], from: number, to: number): Scale {
  const finite = values.filter(Number.isFinite);
  const [least, most] = [Math.min(...finite), Math.max(...finite)];
  const span = most - least;
  return { ends: [least, most], at: (value) => from + (span === 0 ? 0.5 : (value - least) / span) * (to - from) };
}

/** The room that the numbers at the left of an axis need. */
function leftOf(values: readonly number[]): number {
  const { ends } = scale(values, 0, 1);
  return 14 + 7.5 * Math.max(4, ...ends.map((end) => axisNumber(end).length));
}

const fixed = (value: number): string => value.toFixed(1);

function frame(left: number, x: Scale, y: Scale, label: string, parts: readonly string[], xName: string): string {
  const { width, height, right, top, bottom } = size;
  const text = (at: readonly [number, number], anchor: string, words: string): string => `<text x="${fixed(at[0])}" y="${fixed(at[1])}" text-anchor="${anchor}">${words.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`; // prettier-ignore
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" class="plot" font-size="12"><title>${label}</title>
${parts.join("\n")}
<path class="axis" d="M${left} ${top}V${height - bottom}H${width - right}"/>
${text([left - 6, height - bottom], "end", axisNumber(y.ends[0]))}${text([left - 6, top + 10], "end", axisNumber(y.ends[1]))}
${text([left, height - bottom + 16], "start", axisNumber(x.ends[0]))}${text([width - right, height - bottom + 16], "end", axisNumber(x.ends[1]))}
${text([(left + width - right) / 2, height - 8], "middle", xName)}
</svg>`;
}

/** A line through points; `marked`: the place that is marked on it. */
export function linePlot(xs: readonly number[], ys: readonly number[], xName: string, marked: number | null): string {
  const { width, height, right, top, bottom } = size;
  const left = leftOf(ys);
  const [x, y] = [scale(xs, left, width - right), scale(ys, height - bottom, top)];
  let pen = "M";
  const path = xs.map((at, i) => {
    const value = ys[i] ?? NaN;
    if (!Number.isFinite(value)) {
      pen = "M";
      return "";
    }
    const step = `${pen}${fixed(x.at(at))} ${fixed(y.at(value))}`;
    pen = "L";
    return step;
  });
  const dot = marked === null || !Number.isFinite(ys[marked] ?? NaN) ? [] : [`<circle class="here" cx="${fixed(x.at(xs[marked] ?? 0))}" cy="${fixed(y.at(ys[marked] ?? 0))}" r="4"/>`]; // prettier-ignore
  return frame(left, x, y, `value over ${xName}`, [`<path class="curve" d="${path.join("")}"/>`, ...dot], xName);
}

/** Values on a grid as fields of colour with level lines between them; `path`: points that are joined. */
export function contourPlot(
  xs: readonly number[],
  ys: readonly number[],
  values: readonly (readonly number[])[],
  names: readonly [string, string],
  path: readonly (readonly [number, number])[],
): string {
  const { width, height, right, top, bottom } = size;
  const left = leftOf(ys);
  const [x, y] = [scale(xs, left, width - right), scale(ys, height - bottom, top)];
  const sorted = values
    .flat()
    .filter(Number.isFinite)
    .sort((one, other) => one - other);
  // By rank, so that a narrow valley shows as one, however steep its sides are
  const levels = 12;
  const bounds = Array.from(
    { length: levels - 1 },
    (_, i) => sorted[Math.floor(((i + 1) / levels) * sorted.length)] ?? 0,
  );
  const [wide, high] = [(width - left - right) / (xs.length - 1), (height - top - bottom) / (ys.length - 1)];
  const cells = values.flatMap((row, j) =>
    row.flatMap((value, i) => {
      if (!Number.isFinite(value)) return [];
      const level = bounds.filter((bound) => value > bound).length;
      const [cx, cy] = [x.at(xs[i] ?? 0) - wide / 2, y.at(ys[j] ?? 0) - high / 2];
      const [x0, y0] = [Math.max(cx, left), Math.max(cy, top)];
      const [x1, y1] = [Math.min(cx + wide, width - right), Math.min(cy + high, height - bottom)];
      return [`<rect class="level" style="--level:${(level / (levels - 1)).toFixed(2)}" x="${fixed(x0)}" y="${fixed(y0)}" width="${fixed(x1 - x0 + 0.6)}" height="${fixed(y1 - y0 + 0.6)}"/>`]; // prettier-ignore
    }),
  );
  const points = path.map(([px, py]) => `${fixed(x.at(px))} ${fixed(y.at(py))}`);
  const walk = points.length === 0 ? [] : [`<path class="walk" d="M${points.join("L")}"/>`, `<circle class="here" cx="${points.at(-1)?.split(" ")[0] ?? ""}" cy="${points.at(-1)?.split(" ")[1] ?? ""}" r="4"/>`]; // prettier-ignore
  return frame(
    left,
    x,
    y,
    `values over ${names[0]} and ${names[1]}`,
    [...cells, ...walk],
    `${names[0]} (across), ${names[1]} (up)`,
  );
}
