import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withBuffersGrownTogether } from "./growing.js";

const after = (text: string): string => afterPass(text, (fn) => withBuffersGrownTogether(fn, surroundings));

const grow = (buffer: string): string => `if (count === ${buffer}.length) { ${buffer} = grown(${buffer}); }`;

const buffers = "let a: Float64Array = new Float64Array(8); let b: Float64Array = new Float64Array(8);";

/** A function with a loop over two buffers. */
function collecting(made: string, iteration: string): string {
  return `function f(n: number): number {
    ${made}
    let count = 0;
    while (count < n) { ${iteration} count += 1; }
    return a[0]! + b[0]!;
  }`;
}

test("buffers that get numbers at the same places are made larger together, in front of branches", () => {
  const [inOne, inOther] = [
    `${grow("a")} a[count] = 1; ${grow("b")} b[count] = 2;`,
    `${grow("b")} b[count] = 3; ${grow("a")} a[count] = 4;`,
  ];
  expect(after(collecting(buffers, `if (n > 5) { ${inOne} } else { ${inOther} }`))).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let a: Float64Array = new Float64Array(8);
      let b: Float64Array = new Float64Array(8);
      let count = 0;
      while (count < n) {
        if (count === a.length) {
          a = grown(a);
          b = grown(b);
        }
        if (n > 5) {
          a[count] = 1;
          b[count] = 2;
        } else {
          b[count] = 3;
          a[count] = 4;
        }
        count += 1;
      }
      return a[0]! + b[0]!;
    }
    "
  `);
});

test("what is made larger in another order is so where the first one is", () => {
  const iteration = `if (n > 5) { ${grow("a")} a[count] = 1; ${grow("b")} b[count] = 2; } if (n < 3) { ${grow("b")} b[count] = 3; ${grow("a")} a[count] = 4; }`;
  expect(after(collecting(buffers, iteration))).toMatchInlineSnapshot(`
    "function f(n: number): number {
      let a: Float64Array = new Float64Array(8);
      let b: Float64Array = new Float64Array(8);
      let count = 0;
      while (count < n) {
        if (n > 5) {
          if (count === a.length) {
            a = grown(a);
            b = grown(b);
          }
          a[count] = 1;
          b[count] = 2;
        }
        if (n < 3) {
          if (count === b.length) {
            b = grown(b);
            a = grown(a);
          }
          b[count] = 3;
          a[count] = 4;
        }
        count += 1;
      }
      return a[0]! + b[0]!;
    }
    "
  `);
});

test("buffers stay apart where one gets numbers alone, is larger, is made anew, or the count differs", () => {
  const stays = (made: string, iteration: string): void => {
    const text = collecting(made, iteration);
    expect(after(text)).toBe(afterPass(text, (fn) => fn));
  };
  const both = `${grow("a")} a[count] = 1; ${grow("b")} b[count] = 2;`;
  stays(buffers, `${both} if (n > 5) { ${grow("b")} b[count] = 3; }`);
  stays("let a: Float64Array = new Float64Array(8); let b: Float64Array = new Float64Array(16);", both);
  stays(buffers, `${both} if (n > 5) { b = new Float64Array(8); }`);
  stays(buffers, `${grow("a")} a[count] = 1; count += 1; ${grow("b")} b[count] = 2;`);
});

test("nothing is moved in front of a branch that looks at the buffer, or counts", () => {
  const stays = (inOne: string, condition = "n > 5"): void => {
    const text = collecting(buffers, `if (${condition}) { ${inOne} } else { ${grow("a")} a[count] = 4; }`);
    expect(after(text)).toBe(afterPass(text, (fn) => fn));
  };
  stays(`b[0] = a.length; ${grow("a")} a[count] = 1;`);
  stays(`count += 1; ${grow("a")} a[count] = 1;`);
  stays(`${grow("a")} a[count] = 1;`, "a.length > 8");
});
