// Lists of lists, whose rows lie across each other in memory: V8 moves the first cells of all rows first, then the second ones, and so on.

/** A cell of a list, as far as one knows before it is looked at. */
interface Cell {
  readonly _0?: Cell | null;
  readonly _1?: Cell | null;
}

/** Cells of a row that are still near when it is read: 256 KB for eight rows. */
const cellsAhead = 512;

function isCell(value: Cell | null | undefined): value is Cell {
  return value !== null && value !== undefined;
}

// Where one row is read after another, the processor waits for one cell after another.

/** Goes along eight rows, from the cell `rows` on, side by side before they are read: the processor waits for their cells at once. */
export function fetchRows(rows: unknown, row: number): void {
  if (row % 8 !== 0) return;
  const starts = new Array<Cell | null | undefined>();
  for (let cell = rows as Cell | null | undefined; isCell(cell) && starts.length < 8; cell = cell._1)
    starts.push(cell._0);
  let [a, b, c, d, e, f, g, h] = starts;
  for (let steps = 0; steps < cellsAhead; steps++) {
    if (!(isCell(a) && isCell(b) && isCell(c) && isCell(d) && isCell(e) && isCell(f) && isCell(g) && isCell(h))) return;
    a = a._1;
    b = b._1;
    c = c._1;
    d = d._1;
    e = e._1;
    f = f._1;
    g = g._1;
    h = h._1;
  }
}
