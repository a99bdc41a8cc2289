/** Rows as lines of text, in columns as wide as their widest cells. */
export function table(rows: readonly (readonly string[])[], side: (column: number) => "left" | "right"): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => (side(i) === "left" ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd();
  return `${rows.map(line).join("\n")}\n`;
}

/** The lines of a text that are not empty, two columns to the right. */
export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
