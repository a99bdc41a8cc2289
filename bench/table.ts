// Tables and numbers for a terminal.

/** The first column is left-aligned, all others are numbers. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((column, i) => Math.max(column.length, ...rows.map((row) => row[i]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join("  ");
  console.log(`${title}\n\n${[line(head), ...rows.map(line)].join("\n")}\n`);
}

export function duration(nanoseconds: number): string {
  if (nanoseconds < 1e3) return `${nanoseconds.toPrecision(3)} ns`;
  if (nanoseconds < 1e6) return `${(nanoseconds / 1e3).toPrecision(3)} µs`;
  return nanoseconds < 1e9 ? `${(nanoseconds / 1e6).toPrecision(3)} ms` : `${(nanoseconds / 1e9).toPrecision(3)} s`;
}

/** A ratio to three digits: 0.85, 12.3, 456. */
export function ratio(a: number, b: number): string {
  const value = a / b;
  return value < 100 ? value.toPrecision(3) : value.toFixed(0);
}
