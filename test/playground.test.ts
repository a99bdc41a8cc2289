// The playground in Chromium: each view of each example, mistakes, a model that does not end, links, keys, and how much is loaded before one can type.

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Chromium, type OpenPage } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

const root = join(import.meta.dirname, "..");
const folder = join(root, "packages/playground/dist");
const path = programOf("chromium");
let browser: Chromium | null = null;

beforeAll(async () => {
  const options = { cwd: root, stdio: "pipe", shell: process.platform === "win32" } as const;
  execFileSync("npm", ["run", "build", "-w", "packages/playground"], options);
  if (path !== null) browser = await Chromium.start(path);
}, 120_000);

afterAll(async () => {
  await browser?.close();
});

async function open(file = "index.html"): Promise<OpenPage> {
  if (browser === null) throw new Error("no browser");
  const opened = await browser.open(folder, {}, file);
  opened.page.setDefaultTimeout(30_000);
  return opened;
}

let shared: OpenPage | null = null;

/** A page that tests have after each other: starting the compiler takes longer than most of them. */
async function same(): Promise<OpenPage> {
  shared ??= await open();
  return shared;
}

const model = (page: Page): Locator => page.getByRole("textbox", { name: "Model" });

/** Waits for what a page says: the compiler starts with each page. */
const poll = <T>(say: () => Promise<T>) => expect.poll(say, { timeout: 30_000 });

/** Writes a model in the place of the one that is there, as a paste does. */
async function write(page: Page, text: string): Promise<void> {
  await model(page).focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

/** Shows a view, once it has what it shows. */
async function show(page: Page, view: string): Promise<Locator> {
  await page.getByRole("tab", { name: view, exact: true }).click();
  await ready(page);
  return page.getByRole("tabpanel");
}

async function ready(page: Page): Promise<void> {
  await page.locator(".panel:not([aria-busy]):not(:has(.empty))").waitFor();
}

/** What is said of the text that is there, once it has been checked. */
const status = (page: Page): Locator => page.locator("[role=status]:not([aria-busy])");

const texts = async (found: Locator): Promise<readonly string[]> =>
  (await found.allInnerTexts()).map((text) => text.trim());

test("page and editor are less than 250 KB, gzipped; the compiler comes after them", () => {
  const html = readFileSync(join(folder, "index.html"), "utf8");
  const files = readdirSync(join(folder, "assets"));
  const first = files.filter((file) => html.includes(file));
  expect(first.map((file) => file.replace(/-.*\./, ".")).sort()).toEqual(["index.css", "index.js"]);
  expect(files.filter((file) => file.startsWith("worker"))).toHaveLength(1);
  const sizes = first.map((file) => gzipSync(readFileSync(join(folder, "assets", file))).length);
  expect(sizes.reduce((sum, size) => sum + size, gzipSync(html).length)).toBeLessThan(250_000);
});

describe.skipIf(path === null)("in Chromium", () => {
  test("one can type before the compiler is there; the page needs no more than its own folder", async () => {
    const { page } = await open();
    await write(page, "def f (x : R) : R = x * x * 3\n");
    expect(await model(page).innerText()).toContain("x * x * 3");
    await poll(() => status(page).innerText()).toBe("No errors");
    await page.close();
  });

  test("one can type soon after the page is opened, and the first result comes soon after that", async () => {
    const begun = performance.now();
    const { page } = await open();
    await model(page).focus();
    await page.keyboard.insertText("-- typed\n");
    await page.locator(".model").getByText("-- typed").waitFor();
    const typed = performance.now() - begun;
    await ready(page);
    const shown = performance.now() - begun;
    await page.close();
    console.log(`typing after ${typed.toFixed(0)} ms, the first result after ${shown.toFixed(0)} ms`);
    // The machine may be busy: wanted are a second and three
    expect(typed).toBeLessThan(5_000);
    expect(shown).toBeLessThan(15_000);
  });

  test("every example has every view, without a complaint", async () => {
    const { page, complaints } = await same();
    await ready(page);
    const names = (await texts(page.getByLabel("Example").locator("option"))).slice(1);
    expect(names.length).toBeGreaterThan(6);
    for (const name of names) {
      await page.getByLabel("Example").selectOption(name);
      await poll(() => status(page).innerText()).toBe("No errors");
      for (const view of ["TypeScript", "Run", "Stages", "Run graph", "Cost"]) {
        const panel = await show(page, view);
        const shown = { name, view, problems: await texts(panel.getByRole("alert")) };
        expect(shown).toEqual({ name, view, problems: [] });
      }
      const run = await show(page, "Run");
      await poll(() => run.innerText()).toContain("Finite differences agree.");
      await run.locator(".plot").first().waitFor();
      const clipped: unknown = await page.evaluate("[...document.querySelectorAll('.plot text')].filter((text) => text.getBBox().x < 0).map((text) => text.textContent)"); // prettier-ignore
      expect({ name, clipped }).toEqual({ name, clipped: [] });
    }
    expect(complaints).toEqual([]);
  }, 180_000);

  test("a sub-term is lit in the model and in both stages, with the rules that have been used on it", async () => {
    const { page } = await same();
    await write(page, "def f (x : R) (y : R) : R =\n  let z = x * y in\n  z * sin z\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "Stages");
    await panel.getByLabel("left stage").last().getByText("sin").first().hover();
    await poll(() => texts(page.locator(".model .lit"))).toEqual(["sin z"]);
    const right = page.locator(".pane").nth(1);
    expect((await texts(right.locator(".lit"))).join(" ")).toContain("d1_sin");
    expect(await texts(page.locator(".rule"))).toEqual([
      "Term op(t1, .., tn) at sin z",
      "Rule D1[op(t1, .., tn)] at sin z",
    ]);
    // By keys, from the model
    await model(page).focus();
    await page.keyboard.press("ControlOrMeta+Home");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("End");
    for (let i = 0; i < 4; i++) await page.keyboard.press("ArrowLeft");
    await poll(() => texts(page.locator(".pane").first().locator(".lit"))).toEqual(["x * y"]);
    await panel.getByRole("button", { name: "Next stage" }).click();
    await poll(() => panel.innerText()).toContain("D2: backpropagator calls staged");
  });

  test("lines of the emitted module are lit against the model, by its source map", async () => {
    const { page } = await same();
    await write(page, "def f (x : R) (y : R) : R =\n  let z = x * y in\n  z * sin z\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "TypeScript");
    await panel.getByText("const z = x * y").first().hover();
    await poll(() => texts(page.locator(".model .lit"))).toEqual(["x * y"]);
    expect(await texts(panel.locator(".lit"))).toContain("const z = x * y;");
  });

  test("choosing a definition scrolls to it in the model and in the module, and the page stays", async () => {
    const { page } = await same();
    await page.setViewportSize({ width: 360, height: 800 });
    await write(page, Array.from({ length: 60 }, (_, i) => `def f${i} (x : R) : R = x * ${i}\n`).join("\n"));
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "TypeScript");
    await page.getByLabel("Definition").scrollIntoViewIfNeeded();
    await page.getByLabel("Definition").selectOption("f30");
    await panel.getByText("export function f30(").waitFor();
    await page.locator(".model").getByText("def f30 ").waitFor();
    expect(await page.evaluate("scrollY")).toBe(0);
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  test("a value, its gradient and descent, for arguments that one writes", async () => {
    const { page } = await same();
    await page.getByLabel("Example").selectOption("Rosenbrock's valley");
    const panel = await show(page, "Run");
    await panel.getByLabel("x", { exact: true }).first().fill("2");
    await poll(() => texts(panel.locator("td"))).toEqual(["901", "2402", "-600"]);
    await panel.getByLabel("x", { exact: true }).first().fill("-1.2");
    await panel.locator("svg").nth(1).waitFor();
    await panel.getByRole("button", { name: "Descend" }).click();
    await poll(() => panel.innerText()).toContain("200 steps: from 24.2 to 3.46");
    await panel.getByRole("button", { name: "Take the last as arguments" }).click();
    await poll(() => texts(panel.locator("td").first())).toEqual(["3.462227"]);
  });

  test("a run is told step by step, with IDs, staged calls and cells", async () => {
    const { page } = await same();
    await page.getByLabel("Example").selectOption("A product and a sine");
    const panel = await show(page, "Run graph");
    await panel.getByRole("button", { name: "Last" }).click();
    expect(await panel.locator(".told").innerText()).toContain("Step 8 of 8. Resolve: nothing above #2 is left");
    // z is used twice, and called once, with the sum
    const cell = Math.sin(3) + 3 * Math.cos(3);
    expect((await texts(panel.locator(".cells tr.now td"))).at(-1)).toBe(String(Number(cell.toPrecision(7))));
    await panel.getByRole("button", { name: "First" }).click();
    expect(await panel.locator(".box.unseen").count()).toBe(4);
  });

  test("what is written in a field and is no argument yet is told there, and what is shown is no longer of it", async () => {
    const { page } = await same();
    await write(page, "def f (xs : [R]) (y : R) : R = sum xs * y\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "Run");
    await poll(() => texts(panel.locator(".result td"))).toEqual(["2.16", "[1.2, 1.2]", "1.8"]);
    await panel.getByLabel("xs, as JSON").fill("[1, 2");
    await poll(() => panel.locator(".stale").count()).toBe(1);
    expect(await texts(panel.locator(".wrong:not(:empty)"))).toEqual(["This is no JSON yet."]);
    // Another field does not make it whole
    await panel.getByLabel("y", { exact: true }).first().fill("3");
    expect(await panel.locator(".stale").count()).toBe(1);
    await panel.getByLabel("xs, as JSON").fill("[1, 2]");
    await poll(() => texts(panel.locator(".result td"))).toEqual(["9", "[3, 3]", "3"]);
    expect([await panel.locator(".stale").count(), await texts(panel.locator(".wrong:not(:empty)"))]).toEqual([0, []]);
  });

  test("steps and rates that descent cannot take are told at their fields; where nothing is finite, nothing is compared", async () => {
    const { page } = await same();
    await write(page, "def f (x : R) : R = 1 / (x - 1) + 1e-9 * x\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "Run");
    await poll(() => panel.locator(".result").innerText()).toContain("there is nothing to compare");
    await panel.getByLabel("x", { exact: true }).first().fill("1e7");
    await poll(() => panel.locator(".result").innerText()).toContain("Finite differences agree.");
    await panel.getByLabel("Steps").fill("1001");
    await panel.getByLabel("Rate").fill("-5");
    expect(await texts(panel.locator(".wrong:not(:empty)"))).toEqual(["This is to be a number above 0.", "This is to be a whole number from 1 to 1000."]); // prettier-ignore
    expect(await panel.getByRole("button", { name: "Descend" }).isDisabled()).toBe(true);
  });

  test("a square matrix stays square in the cost, as long as one wants it to", async () => {
    const { page } = await same();
    await write(page, "def f (a : [[R]]) (b : [R]) : R = sum (map (\\row. dot row b) a)\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "Cost");
    await panel.getByRole("row", { name: /^adjoint / }).waitFor();
    await panel.getByLabel("a stays square").uncheck();
    await panel.getByRole("button", { name: "Count" }).click();
    await poll(() => texts(panel.getByRole("alert"))).toEqual([expect.stringContaining("With n = 1 for a, b, `f` does not come to its end")]); // prettier-ignore
    expect(await panel.innerText()).toContain("sizes that have to be equal go together");
    await write(page, "def g (x : R) : R = x\n");
    await poll(() => panel.innerText()).toContain("Nothing of `g` has a size");
    expect(await panel.getByLabel("Sizes").count()).toBe(0);
  });

  test("D1 leaves the others behind", async () => {
    const { page } = await same();
    await page.getByLabel("Example").selectOption("Shared sub-terms (SV25 Fig. 2)");
    const panel = await show(page, "Cost");
    await poll(() => panel.getByRole("row", { name: /^d1 / }).innerText()).toContain("exponential");
    expect(await panel.getByRole("row", { name: /^d2 / }).innerText()).toContain("linear");
    expect(await panel.locator("svg polyline").count()).toBeGreaterThan(10);
  });

  test("a mistake is told where it is, and mended", async () => {
    const { page, complaints } = await same();
    await write(page, "def f (x : R) : R =\n  sn x\n");
    await poll(() => status(page).innerText()).toBe("1 error, line 2: there is no variable `sn`");
    expect(await page.locator(".mistake").innerText()).toContain("what is below is of the model before");
    await page.locator(".cm-lintRange-error").hover();
    const tip = page.locator(".cm-tooltip-lint");
    expect(await tip.innerText()).toContain("did you mean `sin`?");
    for (const view of ["TypeScript", "Run", "Stages", "Run graph", "Cost"]) {
      await page.getByRole("tab", { name: view, exact: true }).click();
      expect(await texts(page.locator(".panel > *"))).toEqual(["The model has a mistake on line 2."]);
    }
    await status(page).getByRole("button").click();
    expect(await page.locator(".cm-activeLine").innerText()).toBe("  sn x");
    const list = page.locator(".cm-panel-lint");
    await list.getByRole("button", { name: "Mend" }).click();
    await poll(() => model(page).innerText()).toContain("sin x");
    await poll(() => status(page).innerText()).toBe("No errors");
    expect(await list.count()).toBe(0);
    await page.keyboard.press("ControlOrMeta+Shift+M");
    expect(await list.count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test("warnings are counted where there are no errors", async () => {
    const { page } = await same();
    await write(page, "def f (x : R) (y : R) : R =\n  let z = 1 in x\n");
    await poll(() => status(page).innerText()).toMatch(/^2 warnings, line [12]: /);
  });

  test("names are completed, and told of", async () => {
    const { page } = await same();
    await write(page, "def f (xs : [R]) : R = soft");
    await page.locator(".cm-tooltip-autocomplete").getByText("softplus").waitFor();
    await page.keyboard.press("Escape");
    await write(page, "def f (x : R) : R = tanh x\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    await page.locator(".model").getByText("tanh").hover();
    await poll(() => page.locator(".hover").innerText()).toContain("tanh : R -> R");
  });

  test("a model that does not end is stopped, and the page lives", async () => {
    const { page, complaints } = await open("index.html?limit=3000");
    await write(page, "def f (x : R) : R = if x > 0 - 1 then f (x * 1) else x\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    await page.getByRole("tab", { name: "Run", exact: true }).click();
    await page.getByText("Computing..").waitFor();
    await poll(() => page.getByRole("alert").innerText()).toContain("Stopped");
    expect(await page.getByText("Computing..").count()).toBe(0);
    // What it says and the arguments are beside each other
    const [told, form] = [await page.locator(".told-above").boundingBox(), await page.getByRole("heading", { name: "Arguments" }).boundingBox()]; // prettier-ignore
    expect((form?.y ?? Infinity) - (told?.y ?? 0) - (told?.height ?? 0)).toBeLessThan(40);
    await write(page, "def f (x : R) : R = x ^ 2\n");
    await poll(() => texts(page.locator(".result td"))).toEqual(["1", "2"]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  test("a link holds the model, the definition, its arguments and the view", async () => {
    const { page } = await open();
    await write(page, "def g (x : R) : R = x + 1\ndef f (a : R) (b : R) : R = a * b\n");
    await poll(() => status(page).innerText()).toBe("No errors");
    const panel = await show(page, "Run");
    await panel.getByLabel("a", { exact: true }).first().fill("7");
    await poll(() => texts(panel.locator("td").first())).toEqual(["5.6"]);
    await page.getByRole("button", { name: "Copy link" }).click();
    await poll(() => status(page).innerText()).toContain("The link is in the");
    const address = page.url();
    await page.close();
    if (browser === null) throw new Error("no browser");
    const other = await browser.openAddress(address);
    await poll(() => texts(other.page.locator(".result td"))).toEqual(["5.6", "0.8", "7"]);
    expect(await model(other.page).innerText()).toContain("def f (a : R) (b : R) : R = a * b");
    expect(await other.page.getByRole("tab", { selected: true }).innerText()).toBe("Run");
    await other.page.close();
    // What is no link is as none
    const broken = await browser.openAddress(`${address.slice(0, address.indexOf("#"))}#nonsense`);
    await ready(broken.page);
    expect(broken.complaints).toEqual([]);
    await broken.page.close();
  });

  test("a theme that is chosen paints the page, whatever the system's is", async () => {
    const { page } = await same();
    const ground = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
    const theme = page.getByRole("button", { name: /^Theme: / });
    const [white, black] = ["rgb(255, 255, 255)", "rgb(21, 24, 29)"];
    const seen: unknown[] = [];
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      for (let i = 0; i < 3; i++) {
        seen.push(await theme.innerText(), await ground());
        await theme.click();
      }
    }
    const chosen = ["Theme: light", white, "Theme: dark", black];
    expect(seen).toEqual(["Theme: system", white, ...chosen, "Theme: system", black, ...chosen]);
    await page.emulateMedia({ colorScheme: "light" });
  });

  test("views are changed by keys; nothing is wrong for a screen reader, in either theme; nothing is wider than a phone", async () => {
    const { page } = await same();
    await write(page, "def aLossWithALongName (weights : [R]) (rows : [[R]]) (labels : [Bool]) (penalty : R) (n : Z) : R = sum weights * penalty\n"); // prettier-ignore
    await poll(() => status(page).innerText()).toMatch(/^3 warnings/);
    await ready(page);
    await page.getByRole("tab", { name: "Stages" }).focus();
    await page.keyboard.press("Home");
    expect(await page.getByRole("tab", { selected: true }).innerText()).toBe("TypeScript");
    await page.addScriptTag({ path: join(root, "node_modules/axe-core/axe.min.js") });
    for (const { colorScheme, width } of [
      { colorScheme: "light", width: 1280 },
      { colorScheme: "dark", width: 360 },
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      for (const view of ["TypeScript", "Run", "Stages", "Run graph", "Cost"]) {
        await show(page, view);
        const wrong: unknown = await page.evaluate("axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.slice(0, 3).map(({ html }) => html.slice(0, 120))]))"); // prettier-ignore
        const wide: unknown = await page.evaluate("document.documentElement.scrollWidth");
        expect({ colorScheme, width, view, wrong, wide }).toEqual({ colorScheme, width, view, wrong: [], wide: width }); // prettier-ignore
      }
    }
  });
});
