// Sparse matrices in compressed rows.

/** Those of row i stand in `values` from `rowStart[i]` up to `rowStart[i + 1]`, and `column` has their columns. */
interface CompressedRows {
  readonly rows: number;
  readonly rowStart: ArrayLike<number>;
  readonly column: ArrayLike<number>;
  readonly values: Float64Array;
}

/** What is in order. */
interface MergedRows {
  readonly rowStart: Int32Array;
  readonly column: Int32Array;
}

function integersOf(values: ArrayLike<number>): Int32Array {
  return values instanceof Int32Array ? values : Int32Array.from(values);
}

/** A matrix, whose arrays nobody else has, with the columns of each row ascending, those that are there twice as one, and without those below zero. Rows are short. */
export function mergedRows<T extends CompressedRows>(matrix: T): T & MergedRows {
  const { rows, values } = matrix;
  const rowStart = integersOf(matrix.rowStart);
  const column = integersOf(matrix.column);
  let end = 0;
  let next = 0;
  for (let row = 0; row < rows; row++) {
    const start = end;
    let from = next;
    next = rowStart[row + 1] as number;
    rowStart[row] = start;
    for (; from < next; from++) {
      const at = column[from] as number;
      const value = values[from] as number;
      if (at < 0) continue;
      let place = end;
      while (place > start && (column[place - 1] as number) > at) place--;
      if (place > start && column[place - 1] === at) {
        values[place - 1] = (values[place - 1] as number) + value;
        continue;
      }
      for (let k = end; k > place; k--) {
        column[k] = column[k - 1] as number;
        values[k] = values[k - 1] as number;
      }
      column[place] = at;
      values[place] = value;
      end++;
    }
  }
  rowStart[rows] = end;
  if (end === column.length) return { ...matrix, rowStart, column };
  return { ...matrix, rowStart, column: column.slice(0, end), values: values.slice(0, end) };
}
