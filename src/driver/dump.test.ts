import { describe, expect, test } from "vitest";
import { passNamed, passNames } from "./registry.js";
import { dump } from "./dump.js";

const text = `def square (x : R) : R = x * x

def norm (m : [R]) (scale : R) (rest : [R]) : R = scale * sum (map square m) + sum rest
`;
const source = { name: "models/m.lam", text };

function dumped(pass: string, wrt: readonly string[] = []): string {
  const result = dump(source, pass, { entries: ["norm"], wrt });
  if (!result.ok) throw new Error(`${pass} gives diagnostics`);
  return result.value;
}

describe("dump", () => {
  test("shows the program after every pass", () => {
    expect(passNames).toContain("inline");
    expect(passNames.indexOf("names")).toBeLessThan(passNames.indexOf("flatten"));
    expect(passNames.indexOf("stores")).toBeLessThan(passNames.indexOf("sweeps"));
    expect(passNames.at(-1)).toBe("unread-params");
    expect(new Set(passNames).size).toBe(passNames.length);
    for (const pass of passNames) expect(dumped(pass)).not.toBe("");
    expect(passNamed("nothing")).toBeNull();
  });

  test("shows each run of a pass that changes something", () => {
    const inlined = dumped("inline");
    expect(inlined).toMatch(/^-- inline, run 1\n\n/);
    expect(inlined).toContain("\n\n-- inline, run 2\n\nnorm(");
    expect(dumped("powers")).toBe("-- powers changes nothing\n");
  });

  test("core programs are in the notation of the paper, flat programs in their own", () => {
    expect(dumped("optimise")).toMatch(/^norm\(m : \[R\], scale : R, rest : \[R\]\) : R =\n {2}let /);
    expect(dumped("flatten")).toContain(" = loop (");
    expect(dumped("refine")).toMatch(/ = for i\w* < /);
  });

  test("shows which values have stores", () => {
    expect(dumped("stores")).toMatch(
      /^function norm!\(m : \[R\], scale : R, rest : \[R\], m_ : store \[R\], rest_ : store/,
    );
    expect(dumped("stores", ["norm.m"])).toMatch(
      /^function norm!\(m : \[R\], scale : R, rest : \[R\], m_ : store \[R\]\)/,
    );
  });

  test("emitted functions are in TypeScript: those that a pass changes, each time", () => {
    expect(dumped("sweeps")).toContain("    const x = m1[i]!;\n");
    const expressions = dumped("expressions");
    expect(expressions).toMatch(/^\/\/ expressions\n\n\/\*\*[^]*?\*\/\nexport function norm\(/);
    expect(expressions).toContain("\n\n// expressions\n\n");
    expect(expressions).not.toContain("#");
    expect(dumped("trajectories")).toBe("// saved-states changes nothing\n");
  });

  test("gives the diagnostics of a model with mistakes", () => {
    expect(dump({ name: "m.lam", text: "def f (x : R) : R = y" }, "inline")).toMatchObject({ ok: false });
    expect(dump(source, "stores", { wrt: ["norm.none"] })).toMatchObject({ ok: false });
    const clash = "def f (x : R) : R = x\n\ndef fVjp (x : R) : R = x\n";
    expect(dump({ name: "m.lam", text: clash }, "sweeps")).toMatchObject({ ok: false });
  });
});
