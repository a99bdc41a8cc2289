import { expect, test } from "vitest";
import { afterPass, surroundings } from "../../../test/support/tidied.js";
import { withArraysReused } from "./allocation-hoisting.js";

const after = (text: string): string => afterPass(text, (fn) => withArraysReused(fn, surroundings, true));

test("an array takes the comment on it along", () => {
  expect(
    after(`function f(x_: Float64Array): void {
      const n = x_.length;
      for (let j = 0; j < n; j++) {
        // y of each iteration, for the reverse sweep
        const saved = new Float64Array(n);
        // y begins here
        let y = j;
        for (let i = 0; i < n; i++) {
          saved[i] = y;
          y = y * y;
        }
        for (let i = n - 1; i >= 0; i--) {
          x_[j]! += saved[i]! * 2;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array): void {
      const n = x_.length;
      // y of each iteration, for the reverse sweep
      const saved = new Float64Array(n);
      for (let j = 0; j < n; j++) {
        // y begins here
        let y = j;
        for (let i = 0; i < n; i++) {
          saved[i] = y;
          y = y * y;
        }
        for (let i = n - 1; i >= 0; i--) {
          x_[j]! += saved[i]! * 2;
        }
      }
    }
    "
  `);
});

test("an array that each iteration fills before it reads it is made once", () => {
  expect(
    after(`function f(x_: Float64Array, m: number): void {
      const n = x_.length;
      for (let k = 0; k < m; k++) {
        for (let j = 0; j < m; j++) {
          const saved = new Float64Array(n);
          let y = j;
          for (let i = 0; i < n; i++) {
            saved[i] = y;
            y = y * y;
          }
          for (let i = n - 1; i >= 0; i--) {
            x_[j]! += saved[i]! * 2;
          }
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, m: number): void {
      const n = x_.length;
      const saved = new Float64Array(n);
      for (let k = 0; k < m; k++) {
        for (let j = 0; j < m; j++) {
          let y = j;
          for (let i = 0; i < n; i++) {
            saved[i] = y;
            y = y * y;
          }
          for (let i = n - 1; i >= 0; i--) {
            x_[j]! += saved[i]! * 2;
          }
        }
      }
    }
    "
  `);
});

test("it is emptied where an iteration may see what another one has left, and made where something else keeps it", () => {
  const outcome = (fill: string, use: string, size = "n"): "made" | "emptied" | "reused" => {
    const text = after(`function f(x_: Float64Array, m: number): void {
      const n = x_.length;
      let c = n;
      for (let k = 0; k < m; k++) {
        const p = n + k;
        const saved = new Float64Array(${size});
        for (let i = 0; i < n; i++) {
          ${fill}
        }
        ${use}
      }
    }`);
    if (text.includes("const p = n + k;\n    const saved")) return "made";
    return text.includes("saved.fill(0)") ? "emptied" : "reused";
  };
  const reading = "for (let i = 0; i < n; i++) { x_[k]! += saved[i]!; }";
  expect(outcome("saved[i] = i;", reading)).toBe("reused");
  expect(outcome("if (i > 2) { saved[i] = i; } else { saved[i] = 1; }", reading)).toBe("reused");
  expect(outcome("saved[i] = i;", `c += 1; ${reading}`)).toBe("reused");
  expect(outcome("saved[i]! += i;", reading)).toBe("emptied");
  expect(outcome("saved[i] = saved[i]! + i;", reading)).toBe("emptied");
  expect(outcome("if (i > 2) { saved[i] = i; }", reading)).toBe("emptied");
  expect(outcome("if (saved[i]! > 2) { saved[i] = i; } else { saved[i] = 1; }", reading)).toBe("emptied");
  expect(outcome("saved[i] = i;", "for (let i = 0; i < m; i++) { x_[k]! += saved[i]!; }")).toBe("reused");
  expect(outcome("saved[i] = i;", "x_[k]! += saved[0]!;")).toBe("reused");
  expect(outcome("saved[i] = i; x_[k]! += saved[i]!;", "x_[k]! += saved[0]!;")).toBe("reused");
  expect(outcome("saved[i] = i; x_[k]! += saved[n - 1 - i]!;", "x_[k]! += saved[0]!;")).toBe("emptied");
  expect(outcome("saved[i] = i;", "x_[k]! += saved[0]!;", "4")).toBe("emptied");
  expect(outcome("if (i > 2) { continue; } saved[i] = i;", reading)).toBe("emptied");
  expect(outcome("saved[i] = i;", "c += 1; for (let i = 0; i < c; i++) { x_[k]! += saved[i]!; }")).toBe("reused");
  expect(outcome("x_[k]! += saved[i]!;", "for (let i = 0; i < n; i++) { saved[i] = i; }")).toBe("emptied");
  expect(outcome("saved[i] = i;", reading, "p")).toBe("made");
  // It may be negative, which is no error where no iteration makes the array
  expect(outcome("saved[i] = i;", reading, "m")).toBe("made");
  expect(outcome("saved[i] = i;", "g(saved);")).toBe("made");
  expect(outcome("saved[i]! += i;", "const h = () => saved[0]!; g(h);")).toBe("made");
});

test("an array of which another loop reads more elements than the first one sets is emptied in each iteration", () => {
  expect(
    after(`function f(x_: Float64Array, m: number): void {
      const n = x_.length;
      for (let k = 0; k < m; k++) {
        const saved = new Float64Array(n);
        for (let i = 0; i < k; i++) {
          saved[i] = k;
        }
        for (let i = 0; i < n; i++) {
          x_[i]! += saved[i]!;
        }
      }
      for (let k = 0; k < m; k++) {
        const saved = new Float64Array(n);
        for (let i = 0; i < 2; i++) {
          saved[i] = k;
        }
        for (let i = 0; i < n; i++) {
          x_[i]! += saved[i]!;
        }
      }
    }`),
  ).toMatchInlineSnapshot(`
    "function f(x_: Float64Array, m: number): void {
      const n = x_.length;
      const saved = new Float64Array(n);
      for (let k = 0; k < m; k++) {
        saved.fill(0);
        for (let i = 0; i < k; i++) {
          saved[i] = k;
        }
        for (let i = 0; i < n; i++) {
          x_[i]! += saved[i]!;
        }
      }
      const saved1 = new Float64Array(n);
      for (let k = 0; k < m; k++) {
        saved1.fill(0);
        for (let i = 0; i < 2; i++) {
          saved1[i] = k;
        }
        for (let i = 0; i < n; i++) {
          x_[i]! += saved1[i]!;
        }
      }
    }
    "
  `);
});

test("an array of a branch is made once where it is as long as one that is there, in a loop that runs once in a call", () => {
  const made = (size: string, isInside: boolean): string => {
    const loop = `for (let k = 0; k < rounds; k++) {
        if (x[k]! > 0) {
          const s = new Float64Array(${size});
          for (let i = 0; i < ${size}; i++) {
            s[i] = 2 * x[i]!;
          }
          for (let i = 0; i < ${size}; i++) {
            sum += s[i]! * k;
          }
        }
      }`;
    const text = after(`function f(x: Float64Array, rounds: number): number {
      const n = x.length;
      const m = 2 * rounds;
      let sum = 0;
      ${isInside ? `for (let l = 0; l < rounds; l++) { ${loop} }` : loop}
      return sum;
    }`);
    return text.slice(0, text.indexOf("if (")).replace(/^[^]*let sum = 0;/, "");
  };
  expect(made("n", false)).toContain("const s = new Float64Array(n);");
  expect(made("m", false)).not.toContain("const s");
  expect(made("n", true)).not.toContain("const s");
});

test("elements at literal indices are set where they are added to first", () => {
  const loop = (body: string): string =>
    after(`function f(xs: Float64Array, ws: Float64Array): number {
      let sum = 0;
      for (let i = 0; i < xs.length; i++) {
        const w_ = new Float64Array(ws.length);
        ${body}
        sum += w_[ws.length - 1]!;
      }
      return sum;
    }`);
  const set = loop("w_[1]! += xs[i]!; w_[0]! -= xs[i]!; w_[1]! += 2;");
  for (const line of ["w_[1] = xs[i]!;", "w_[0] = -xs[i]!;", "w_[1]! += 2;"]) expect(set).toContain(line);
  expect(set).not.toContain("fill");
  // What the iteration before has left is read, or set elsewhere
  expect(loop("sum += w_[0]!; w_[0]! += xs[i]!;")).toContain("w_.fill(0);");
  expect(loop("w_[0]! += 1; w_[i]! += xs[i]!;")).toContain("w_.fill(0);");
  expect(loop("w_[0]! += 1; if (i > 1) w_[1]! += xs[i]!;")).toContain("w_.fill(0);");
});

test("an array that functions are lent is made once", () => {
  const calling = (name: string): string =>
    after(`function f(xs: Float64Array): number {
      const n = xs.length;
      let acc = 0;
      for (let k = 0; k < n; k++) {
        const ys = new Float64Array(n);
        for (let i = 0; i < n; i++) {
          ys[i] = xs[i]! * k;
        }
        acc += ${name}(ys);
      }
      return acc;
    }`);
  expect(calling("lent").indexOf("new Float64Array(n)")).toBeLessThan(calling("lent").indexOf("for (let k"));
  expect(calling("other").indexOf("new Float64Array(n)")).toBeGreaterThan(calling("other").indexOf("for (let k"));
});

test("a function that an array is lent may change any element", () => {
  const text = `function f(xs: Float64Array): number {
      let acc = 0;
      for (let k = 0; k < xs.length; k++) {
        const ys_ = new Float64Array(3);
        ys_[0]! += xs[k]!;
        acc += lent(ys_);
      }
      return acc;
    }`;
  expect(after(text)).toContain("ys_.fill(0);");
  expect(after(text.replace("lent(ys_)", "ys_[1]!"))).not.toContain("fill");
});
