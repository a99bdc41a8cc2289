// The language server, through the protocol.

import { readdirSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Folder } from "./command-line.js";
import { LineMap } from "../packages/vscode/src/line-map.js";
import { LanguageServer } from "./language-server.js";

const shapes = `--- A point of the plane.
data Point = Point { x : R, y : R }

--- Its distance from the origin.
def norm (p : Point) : R = sqrt (p.x * p.x + p.y * p.y)

def twice f a = f (f a)
`;
const model = `import "shapes.lam" (Point, norm)

def loss (p : Point) (n : Z) : R = norm p ^ n

def half (r : R) : R = r / 2

def wrong (n : Z) : R = half n
`;

const containing = (part: string): unknown => expect.stringContaining(part);

const folder = new Folder({ "shapes.lam": shapes, "model.lam": model });
const server = new LanguageServer(folder.path);

beforeAll(async () => {
  await server.start();
  await server.write("model.lam", model);
});

afterAll(async () => {
  expect(await server.stop()).toBe(0);
  folder.remove();
});

test("diagnostics, with a fix; they are gone once it is made", async () => {
  const [mistake, ...others] = await server.diagnostics("model.lam");
  expect(others).toEqual([]);
  expect(mistake).toMatchObject({ code: "E0301", range: { start: { line: 6, character: 29 } } });
  const range = { start: server.at("model.lam", "half n"), end: server.at("model.lam", "half n", 6) };
  const actions = await server.ask("textDocument/codeAction", "model.lam", {
    range,
    context: { diagnostics: [mistake] },
  });
  expect(actions).toMatchObject([
    { title: "Change to `toReal n`", edit: { changes: { [server.uri("model.lam")]: [{ newText: "(toReal n)" }] } } },
  ]);
  await server.write("model.lam", model.replace("half n", "half (toReal n)"));
  expect(await server.diagnostics("model.lam")).toEqual([]);
});

test("a file that is imported is checked with those that import it", async () => {
  await server.write("shapes.lam", shapes.replace("def norm (p : Point) : R", "def norm (p : Point) : Bool"));
  expect(await server.diagnostics("model.lam", (all) => all.length > 0)).toMatchObject([{ code: containing("E03") }]);
  await server.write("shapes.lam", shapes);
  expect(await server.diagnostics("model.lam", (all) => all.length === 0)).toEqual([]);
});

test("what a name means, in both files", async () => {
  const position = server.at("model.lam", "norm p");
  expect(await server.ask("textDocument/hover", "model.lam", { position })).toMatchObject({
    contents: { value: "```lam\ndef norm : Point -> R\n```\n\nIts distance from the origin." },
  });
  expect(
    await server.ask("textDocument/hover", "model.lam", { position: server.at("model.lam", "loss") }),
  ).toMatchObject({
    contents: { value: containing("function loss(p: Point, n: number): number;") },
  });
  expect(
    await server.ask("textDocument/hover", "shapes.lam", { position: server.at("shapes.lam", "twice") }),
  ).toMatchObject({
    contents: { value: containing("Not exported: it is polymorphic") },
  });
  expect(await server.ask("textDocument/definition", "model.lam", { position })).toMatchObject({
    uri: server.uri("shapes.lam"),
    range: { start: server.at("shapes.lam", "norm") },
  });
  const renamed = await server.ask("textDocument/rename", "model.lam", { position, newName: "size" });
  expect(renamed).toMatchObject({
    changes: {
      [server.uri("shapes.lam")]: [{ newText: "size" }],
      [server.uri("model.lam")]: [{ newText: "size" }, { newText: "size" }],
    },
  });
  await expect(server.ask("textDocument/rename", "model.lam", { position, newName: "Size" })).rejects.toThrow(
    "small letter",
  );
  await expect(server.ask("textDocument/rename", "model.lam", { position, newName: "let" })).rejects.toThrow(
    "`let` is a word of the language",
  );
  await expect(server.ask("textDocument/rename", "model.lam", { position, newName: "half" })).rejects.toThrow(
    "there is another `half` (model.lam:5:5), which would be meant",
  );
});

test("without folders, the workspace is the root", async () => {
  const alone = new LanguageServer(folder.path);
  await alone.startInRoot();
  const symbols = await alone.ask("workspace/symbol", "model.lam", { query: "norm" });
  expect(symbols).toMatchObject([{ name: "norm", location: { uri: alone.uri("shapes.lam") } }]);
  expect(await alone.stop()).toBe(0);
});

test.runIf(process.platform !== "win32")("leaves nothing behind, however it ends", async () => {
  for (const how of ["end", "SIGTERM"] as const) {
    const temporary = new Folder();
    const left = new LanguageServer(folder.path, { TMPDIR: temporary.path });
    await left.start();
    const text = "def f (xs : [R]) : R = sum xs\n";
    await left.write("own.lam", text);
    const position = left.at("own.lam", "sum xs");
    expect(await left.ask("textDocument/definition", "own.lam", { position })).toMatchObject({ uri: containing("prelude.lam") }); // prettier-ignore
    expect(readdirSync(temporary.path)).toHaveLength(1);
    expect(await left.abandon(how)).toBe(how === "end" ? 1 : 143);
    expect(readdirSync(temporary.path)).toEqual([]);
    temporary.remove();
  }
});

test("a text that is being written", async () => {
  await server.write("model.lam", model.replace("norm p ^ n", "norm p + (let q = p in q."));
  const position = server.at("model.lam", "in q.", 5);
  const fields = await server.ask("textDocument/completion", "model.lam", { position });
  expect(fields).toMatchObject([{ label: "x", detail: "R" }, { label: "y", detail: "R" }]); // prettier-ignore
  await server.write("model.lam", model.replace("norm p ^ n", "norm "));
  const help = await server.ask("textDocument/signatureHelp", "model.lam", {
    position: server.at("model.lam", "= norm ", 7),
  });
  expect(help).toMatchObject({ signatures: [{ label: "norm (p : Point) : R" }], activeParameter: 0 });
});

test("gradients, stages and values above a definition", async () => {
  await server.write("shapes.lam", shapes);
  const uri = server.uri("shapes.lam");
  const lenses = await server.ask("textDocument/codeLens", "shapes.lam");
  expect(lenses).toMatchObject(
    ["gradient", "steps", "run"].map((title) => ({ command: { title, arguments: [uri, "norm"] } })),
  );
  expect(await server.command("dualrev.showGradient", uri, "norm")).toMatchObject({
    language: "typescript",
    text: containing("export function normGrad("),
  });
  expect(await server.command("dualrev.run", uri, "norm", '{"p": {"x": 3, "y": 4}}')).toMatchObject({
    text: containing('{ "value": 5 }'),
  });
});

test("a code leads to its page where the user has said where the site is", async () => {
  const pageOf = async (documentation: unknown): Promise<unknown> => {
    const told = new LanguageServer(folder.path);
    await told.start({ documentation });
    await told.write("wrong.lam", "def f (x : R) : R = y\n");
    const [mistake] = await told.diagnostics("wrong.lam");
    await told.stop();
    expect(mistake?.code).toBe("E0201");
    return mistake?.codeDescription;
  };
  const page = { href: "https://example.org/dualrev/diagnostics/E0201.html" };
  expect(await pageOf("https://example.org/dualrev")).toEqual(page);
  expect(await pageOf("https://example.org/dualrev/")).toEqual(page);
  for (const nothing of ["", "dualrev", 1]) expect(await pageOf(nothing)).toBeUndefined();
});

test("lines of a gradient lead to the lines of the models that they are from, and back", async () => {
  await server.write("shapes.lam", shapes);
  await server.write("model.lam", model.replace("half n", "half (toReal n)"));
  const answer = await server.command("dualrev.showGradient", server.uri("model.lam"), "loss");
  const told = (name: string): string => String(Reflect.get(Object(answer), name));
  const lines = new LineMap(told("map"));
  const emitted = told("text").split("\n");
  const at = { file: server.uri("model.lam"), line: 2 };
  const own = lines.emitted(at);
  expect(own.map((line) => emitted[line])).toContainEqual(expect.stringMatching(/^export function lossGrad\(/));
  for (const line of own) expect(lines.origin(line)).toEqual(at);
  const norm = emitted.findIndex((line) => line.includes("= Math.sqrt("));
  expect(lines.origin(norm)).toEqual({ file: server.uri("shapes.lam"), line: 4 });
  expect([lines.origin(0), lines.emitted({ ...at, line: 1 })]).toEqual([null, []]);
});

test("no editor, no server", async () => {
  const { code, err } = await folder.run(["lsp"]);
  expect([code, err]).toEqual([2, "error: an editor starts the language server: dualrev lsp --stdio\n"]);
});

test.runIf(process.platform === "linux")("what is no file is not read: a device has no end", async () => {
  await server.write("device.lam", 'import "/dev/zero" (g)\n\ndef f (x : R) : R = g x\n');
  expect(await server.diagnostics("device.lam", (all) => all.length > 0)).toMatchObject([{ code: containing("E02") }]);
});
