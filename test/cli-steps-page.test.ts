// `dualrev steps --html`: one file for a lecture, in Chromium.

import { existsSync, readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Folder } from "./command-line.js";
import { Chromium, type OpenPage } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

const model = `--- A product, <b>twice</b>.
def twice (x : R) (y : R) : R = let z = x * y in z + z

def loss (xs : [R]) : R = sum (map (\\x. twice x 3) xs)
`;

const path = programOf("chromium");
const folder = new Folder({ "m.lam": model });
let browser: Chromium | undefined;

afterAll(async () => {
  await browser?.close();
  folder.remove();
});

test("says what does not go with it, and writes nothing then", async () => {
  const failure = async (...args: readonly string[]): Promise<string> => {
    const { code, err } = await folder.run(["steps", "m.lam", ...args]);
    return `${code ?? ""} ${err}`;
  };
  expect(await failure("--over", "xs=1,2")).toContain("2 error: --over goes with --html");
  expect(await failure("--html", "no.html", "--over", "xs=1,2")).toContain(
    "2 error: --over counts runs: it needs --at",
  );
  expect(await failure("--html", "no.html", "--no-wrap")).toContain("2 error: --html has all of it in the page: --no-wrap does not go"); // prettier-ignore
  expect(await failure("--html", "no.html", "--at", "{}")).toContain("name it with --entry");
  expect(await failure("--html", "no.html", "--entry", "loss", "--at", "{}")).toContain("1 error[E0602]");
  expect(existsSync(folder.at("no.html"))).toBe(false);
});

describe.skipIf(path === null)("in a browser", () => {
  let opened: OpenPage;
  let page: Page;
  const texts = async (selector: string): Promise<readonly string[]> => await page.locator(selector).allInnerTexts();
  const loaded: string[] = [];

  beforeAll(async () => {
    const args = ["--entry", "loss", "--at", '{ "xs": [2] }', "--over", "xs=1,2,4,8", "--html", "steps.html"];
    const finished = await folder.run(["steps", "m.lam", ...args]);
    expect(finished).toEqual({ code: 0, out: "", err: "" });
    browser = await Chromium.start(path ?? "");
    opened = await browser.open(folder.path, {}, "steps.html");
    page = opened.page;
    page.on("request", (request) => loaded.push(request.url()));
  });

  test("two stages stand beside each other, and are chosen", async () => {
    expect(await texts(".pane h2")).toEqual(["The model", expect.stringMatching(/^primal The program itself/)]);
    await page.getByLabel("The stage on the left").selectOption("d1");
    await page.getByLabel("The stage on the right").selectOption("d1");
    await page.locator(".pane").nth(1).getByRole("button", { name: "as TypeScript" }).click();
    expect(await texts(".pane h2")).toEqual([0, 1].map((): unknown => expect.stringMatching(/^d1 D1: naive/)));
    expect(await texts(".pane pre:visible")).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^twice\(x : D1\[R\]/),
        expect.stringMatching(/^function twiceD1\(/),
      ]),
    );
    await page.getByLabel("The next stage, on the left").press("Enter");
    expect((await texts(".pane h2"))[0]).toMatch(/^d2 /);
    await page.getByLabel("The stage before, on the left").press("Enter");
    await page.reload();
    expect((await texts(".pane h2"))[1]).toMatch(/^d1 /);
  });

  test("what belongs together is lit on both sides, by pointer and by keys", async () => {
    const name = page.locator('.pane pre[data-part="twice"]:visible .name', { hasText: /^twice$/ }).first();
    await name.hover();
    expect(await texts(".near")).toHaveLength(2);
    expect(await texts(".lit")).toEqual(["twice", "twiceD1"]);
    await page.locator('.pane pre[data-part="twice"]:visible').first().focus();
    for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
    expect(await page.locator("#lit").innerText()).toMatch(/^x: \d+ on the left, \d+ on the right$/);
    expect(new Set(await texts(".lit"))).toEqual(new Set(["x"]));
    await page.keyboard.press("Escape");
    expect(await texts(".lit")).toEqual([]);
  });

  test("a run and the costs stand below, with their pictures; nothing is loaded", async () => {
    expect(await page.locator("#run").innerText()).toContain("== loss: 1 inputs");
    expect(await page.locator("#cost pre").innerText()).toMatch(/^ +stage +xs = 1 +2 +4 +8 +growth$/m);
    const widths = await page.evaluate<unknown>("[...document.images].map((image) => image.clientWidth > 100)");
    expect(widths).toEqual([true, true]);
    expect(opened.complaints).toEqual([]);
    expect(loaded.filter((url) => !url.startsWith("data:") && !url.endsWith("/steps.html"))).toEqual([]);
    expect(readFileSync(folder.at("steps.html"), "utf8")).not.toMatch(/(?:src|href)="(?!data:|#)/);
  });

  test("narrow, dark, and without scripts", async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    expect(await page.evaluate<unknown>("document.documentElement.scrollWidth")).toBe(320);
    const paper = async (): Promise<unknown> => await page.evaluate("getComputedStyle(document.body).backgroundColor");
    expect(await paper()).toBe("rgb(255, 255, 255)");
    await page.getByRole("button", { name: "Dark" }).click();
    expect(await paper()).toBe("rgb(22, 24, 29)");
    const context = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const plain = await context?.newPage();
    await plain?.goto(page.url());
    expect(await plain?.locator("article h2:visible").count()).toBeGreaterThan(15);
  });
});
