// packages/unplugin: what esbuild prints of a model, and what is said of options that there are not.

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, formatMessages, type Message, type Plugin } from "esbuild";
import { rollup } from "rollup";
import dualrev from "unplugin-dualrev";
import { afterAll, describe, expect, test } from "vitest";

const scratch = mkdtempSync(join(tmpdir(), "dualrev-messages-"));
const own = (file: string): string => join(scratch, file);

afterAll(() => {
  rmSync(scratch, { recursive: true });
});

interface Said {
  readonly errors: readonly Message[];
  readonly warnings: readonly Message[];
}

/** What esbuild says of a model. */
async function said(text: string, plugin = dualrev.esbuild({ declarations: false })): Promise<Said> {
  writeFileSync(own("m.lam"), text);
  const results: Said[] = [];
  const listener: Plugin = {
    name: "listener",
    setup(build) {
      build.onEnd((result) => {
        results.push(result);
      });
    },
  };
  const built = build({
    stdin: { contents: 'import "./m.lam";', resolveDir: scratch, sourcefile: "main.js" },
    absWorkingDir: scratch,
    bundle: true,
    write: false,
    logLevel: "silent",
    plugins: [plugin, listener],
  });
  await built.catch(() => null);
  return results[0] ?? { errors: [], warnings: [] };
}

async function printed(messages: readonly Message[], kind: "error" | "warning"): Promise<string> {
  // The import is esbuild's own note, the last one
  const shown = messages.map((message) => ({ ...message, notes: message.notes.slice(0, -1) }));
  return (await formatMessages(shown, { kind })).join("");
}

describe("esbuild prints a message with its file, line and column, and the line once", () => {
  test("with what stands at two places of it", async () => {
    const { errors } = await said("def loss (x : R) : R =\n  x + true\n\ndef other (x : R) : R = y\n");
    expect(await printed(errors, "error")).toMatchInlineSnapshot(`
      "✘ [ERROR] E0301: the two sides of \`+\` have different types [plugin dualrev]

          m.lam:2:6:
            2 │   x + true
              ╵       ~~~~

        \`true\`: has the type Bool
        \`x\`: has the type R
        note: expected R
              found    Bool

        hint: \`if b then 1 else 0\` makes a number of a \`Bool\`

      ✘ [ERROR] E0201: there is no variable \`y\` [plugin dualrev]

          m.lam:4:24:
            4 │ def other (x : R) : R = y
              ╵                         ^

        \`y\`: not defined

      "
    `);
    expect(errors).toMatchObject([{ detail: { code: "E0301" } }, { detail: { code: "E0201" } }]);
  });

  test("with what stands at another line", async () => {
    const { errors } = await said("def f (x : R) : R = x\r\n\r\ndef f (x : R) : R = x\r\n");
    expect(await printed(errors, "error")).toMatchInlineSnapshot(`
      "✘ [ERROR] E0205: the definition \`f\` is defined twice [plugin dualrev]

          m.lam:3:4:
            3 │ def f (x : R) : R = x
              ╵     ^

        \`f\`: again here
        first here

          m.lam:1:4:
            1 │ def f (x : R) : R = x
              ╵     ^

        hint: rename or remove one of them

      "
    `);
  });

  test("with columns in bytes", async () => {
    const { errors } = await said("def f (x : R) : R = {- äöü -} yy\n");
    expect(errors[0]?.location).toMatchObject({
      line: 1,
      column: 33,
      length: 2,
      lineText: "def f (x : R) : R = {- äöü -} yy",
    });
  });

  test("and warnings", async () => {
    const { warnings, errors } = await said("def f (x : R) (y : R) : R = x\n");
    expect(errors).toEqual([]);
    expect(await printed(warnings, "warning")).toMatchInlineSnapshot(`
      "▲ [WARNING] W0101: the parameter \`y\` is not used [plugin dualrev]

          m.lam:1:15:
            1 │ def f (x : R) (y : R) : R = x
              ╵                ^

        \`y\`: is not used
        hint: leave it out, or call it \`_y\`

      "
    `);
  });
});

describe("an option that names nothing of the model is told as one of the plugin", () => {
  const text = "def f (x : R) : R = x\n";
  test.each([
    [{ entries: ["ff"] }, "E0501: the plugin's option `entries`: there is no definition `ff`"],
    [{ wrt: ["q"] }, "E0513: the plugin's option `wrt`: `q` names no parameter: one is written as `definition.parameter`"], // prettier-ignore
    [{ wrt: ["f.q"] }, "E0514: the plugin's option `wrt`: `f` has no parameter `q` to differentiate with respect to"],
  ])("%j", async (options, message) => {
    const plugin = dualrev.esbuild({ ...options, declarations: false });
    const { errors } = await said(text, plugin);
    // No line of the model is underlined, but its import
    expect(errors).toMatchObject([{ text: message, location: { file: "main.js", line: 1 } }]);
    expect(await printed(errors, "error")).toContain("m.lam");
    const built = rollup({ input: own("m.lam"), plugins: [dualrev.rollup({ ...options, declarations: false })] });
    await expect(built).rejects.toThrow(message.slice("E0501: ".length));
  });
});

describe("an option that there is not is told as one of the plugin", () => {
  const thrown = (options: unknown): string => {
    try {
      Reflect.apply(dualrev.esbuild, undefined, [options]);
    } catch (error) {
      return String(error);
    }
    return "nothing";
  };

  test.each([
    [{ wiht: ["grad"] }, "there is no option `wiht`: did you mean `with`? There are debug, declarations, entries, of, stage, with, wrt"], // prettier-ignore
    [{ entry: ["f"] }, "there is no option `entry`: did you mean `entries`? There are debug, declarations, entries, of, stage, with, wrt"], // prettier-ignore
    [{ target: "js" }, "there is no option `target`; there are debug, declarations, entries, of, stage, with, wrt"],
    [{ with: ["gard"] }, 'the option `with` must be a list of vjp, grad, jvp, hvp, jacobian, hessian, linearize, flat, all, and has "gard": did you mean `grad`?'], // prettier-ignore
    [{ declarations: "no" }, 'the option `declarations` must be true or false, and is "no"'],
    [{ of: {} }, "the option `of` must be a function from a model's path to its options, and is of the type object"],
    [null, "the options must be an object, and are null"],
  ])("%j", (options, message) => {
    expect(thrown(options)).toBe(`TypeError: dualrev: ${message}`);
  });

  test("nothing and undefined are no options", () => {
    expect([undefined, {}, { of: undefined, with: undefined, declarations: undefined }].map(thrown)).toEqual(["nothing", "nothing", "nothing"]); // prettier-ignore
  });

  test("of a single model, with its file", async () => {
    const options: object = { declarations: false, of: () => ({ wiht: ["grad"] }) };
    const message = `of("${own("m.lam")}"): there is no option \`wiht\`: did you mean \`with\`? There are debug, entries, stage, with, wrt`;
    const { errors } = await said("def f (x : R) : R = x\n", dualrev.esbuild(options));
    expect(errors).toMatchObject([{ text: message }]);
    await expect(rollup({ input: own("m.lam"), plugins: [dualrev.rollup(options)] })).rejects.toThrow(message);
  });

  test("of a single model, where it has none", async () => {
    const { errors } = await said(
      "def f (x : R) : R = x\n",
      dualrev.esbuild({ declarations: false, of: () => undefined }),
    );
    expect(errors).toEqual([]);
  });
});
