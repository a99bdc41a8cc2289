// Counted work over sizes, as a table, a chart of characters, and a picture. All three use powers of ten on both axes where sizes span much.

import type { CostSeries } from "./cost-over.js";
import { escaped } from "./svg.js";
import { table } from "./table.js";

const symbols = "abcdefghijklmnopqr";

function labelOf({ stage, of }: CostSeries): string {
  return of === "work" ? stage : `${stage}, span`;
}

/** A line for each stage: the total at each size, and how it grows. */
export function printSeries(all: readonly CostSeries[], sizes: readonly number[], name: string): string {
  const heading = ["", "stage", ...sizes.map((size, i) => (i === 0 ? `${name} = ${size}` : String(size))), "growth"];
  const rows = all.map((series, i) => [
    symbols.charAt(i),
    labelOf(series),
    ...sizes.map((size) => String(series.totals[series.sizes.indexOf(size)] ?? "-")),
    series.stopped === null ? series.growth : `${series.growth}; ${series.stopped}`,
  ]);
  return table([heading, ...rows], (column) => (column < 2 || column === heading.length - 1 ? "left" : "right"));
}

/** Where values lie between the ends of an axis: from 0 to 1. */
class Axis {
  readonly isLogarithmic: boolean;

  constructor(
    private readonly least: number,
    private readonly most: number,
  ) {
    this.isLogarithmic = least > 0 && most / least >= 8;
  }

  at(value: number): number {
    if (this.most === this.least) return 0.5;
    const scaled = this.isLogarithmic ? Math.log : (x: number): number => x;
    return (scaled(value) - scaled(this.least)) / (scaled(this.most) - scaled(this.least));
  }

  /** Round values within the axis. */
  ticks(): readonly number[] {
    if (!this.isLogarithmic) return [this.least, this.most];
    const powers = Array.from({ length: 40 }, (_, i) => 10 ** i);
    // Of an axis that has few powers of ten, also what is between them
    const steps = this.most / this.least < 1000 ? [1, 2, 5] : [1];
    return powers
      .flatMap((power) => steps.map((step) => step * power))
      .filter((value) => value >= this.least / 1.001 && value <= this.most * 1.001);
  }
}

function axesOf(all: readonly CostSeries[]): { readonly x: Axis; readonly y: Axis } {
  const ends = (values: readonly number[]): Axis => new Axis(Math.min(...values), Math.max(...values));
  return { x: ends(all.flatMap(({ sizes }) => sizes)), y: ends(all.flatMap(({ totals }) => totals)) };
}

const [columns, rowCount] = [60, 16];

/** A chart for the terminal: the letter of a stage at each of its points, `*` where several fall together. */
export function drawSeries(all: readonly CostSeries[], name: string): string {
  const { x, y } = axesOf(all);
  const cells = Array.from({ length: rowCount }, () => Array.from({ length: columns }, () => " "));
  for (const [i, { sizes, totals }] of all.entries()) {
    for (const [j, size] of sizes.entries()) {
      const row = cells[rowCount - 1 - Math.round(y.at(totals[j] ?? 0) * (rowCount - 1))];
      const column = Math.round(x.at(size) * (columns - 1));
      if (row !== undefined) row[column] = row[column] === " " ? symbols.charAt(i) : "*";
    }
  }
  const most = Math.max(...all.flatMap(({ totals }) => totals));
  const least = Math.min(...all.flatMap(({ totals }) => totals));
  const labels = new Map([
    [0, String(most)],
    [rowCount - 1, String(least)],
  ]);
  const margin = Math.max(...[...labels.values()].map((label) => label.length));
  const body = cells.map((row, i) => `${(labels.get(i) ?? "").padStart(margin)} |${row.join("").trimEnd()}`);
  const sizes = all.flatMap(({ sizes: own }) => own);
  const [first, last] = [String(Math.min(...sizes)), String(Math.max(...sizes))];
  const scale = [x.isLogarithmic, y.isLogarithmic].every((is) => is) ? ", both axes logarithmic" : "";
  return [
    `work over ${name}${scale}`,
    ...body,
    `${" ".repeat(margin)} +${"-".repeat(columns)}`,
    `${" ".repeat(margin + 2)}${first}${last.padStart(columns - first.length)}`,
    "",
  ].join("\n");
}

const picture = { width: 860, height: 480, left: 90, right: 250, top: 60, bottom: 50 };

/** Colours that are told apart on light and on dark ground, also by most who see colours differently. */
const colors = ["#888888", "#0072b2", "#d55e00", "#cc79a7", "#009e73", "#e69f00", "#56b4e9", "#b8860b", "#7b5ea7", "#a0522d", "#2f8f8f", "#c2185b", "#5d8a00", "#4a5fc1", "#a33b3b", "#3f6f8f", "#222288", "#882222"]; // prettier-ignore

/** The same as a picture: an SVG that stands alone. */
export function drawSeriesSvg(all: readonly CostSeries[], name: string, title: string): string {
  const { width, height, left, right, top, bottom } = picture;
  const { x, y } = axesOf(all);
  const atX = (size: number): string => (left + x.at(size) * (width - left - right)).toFixed(1);
  const atY = (total: number): string => (height - bottom - y.at(total) * (height - top - bottom)).toFixed(1);
  const text = (at: { x: string | number; y: string | number }, words: string, more = ""): string =>
    `<text x="${at.x}" y="${at.y}"${more}>${escaped(words)}</text>`;
  const grid = [
    ...[...new Set(all.flatMap(({ sizes }) => sizes))].map((tick) => `<path class="grid" d="M${atX(tick)} ${top}V${height - bottom}"/>${text({ x: atX(tick), y: height - bottom + 18 }, String(tick), ' text-anchor="middle"')}`), // prettier-ignore
    ...y.ticks().map((tick) => `<path class="grid" d="M${left} ${atY(tick)}H${width - right}"/>${text({ x: left - 8, y: Number(atY(tick)) + 4 }, tick.toLocaleString("en"), ' text-anchor="end"')}`), // prettier-ignore
  ];
  const lines = all.map((series, i) => {
    const { sizes, totals, growth } = series;
    const color = colors[i % colors.length] ?? "";
    const points = sizes.map((size, j) => `${atX(size)},${atY(totals[j] ?? 0)}`);
    const dots = points
      .map((point) => point.split(","))
      .map(([cx = "", cy = ""]) => `<circle cx="${cx}" cy="${cy}" r="3"/>`);
    const legend = text(
      { x: width - right + 30, y: top + 14 + 20 * i },
      `${labelOf(series)}: ${growth}`,
      ' class="ink"',
    );
    return `<g fill="${color}" stroke="${color}"><polyline fill="none" stroke-width="2" points="${points.join(" ")}"/>${dots.join("")}<rect x="${width - right + 14}" y="${top + 5 + 20 * i}" width="10" height="10"/></g>${legend}`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="12">
<style>text { fill: #444; stroke: none } .grid { stroke: #8884; fill: none } .title { font-size: 15px }
@media (prefers-color-scheme: dark) { text { fill: #ddd } }</style>
${text({ x: left, y: 22 }, title, ' class="title"')}
${grid.join("\n")}
${lines.join("\n")}
${text({ x: (left + width - right) / 2, y: height - 10 }, name, ' text-anchor="middle"')}
${text({ x: 16, y: top - 8 }, "counted work")}
</svg>
`;
}
