// packages/site: the documents as a site with the playground in it, built as it is published, and looked at in Chromium.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateRawSync } from "node:zlib";
import { globSync } from "tinyglobby";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Chromium } from "./support/chromium.js";
import { programOf } from "./support/programs.js";

const site = fileURLToPath(new URL("../packages/site", import.meta.url));
const dist = join(site, "dist");

/** The pages, each with the places in it that can be linked to, and its links. */
function pages(): ReadonlyMap<string, { readonly ids: ReadonlySet<string>; readonly links: readonly string[] }> {
  const found = globSync("**/*.html", { cwd: dist }).map((name) => {
    const text = readFileSync(join(dist, name), "utf8");
    const all = (pattern: RegExp): readonly string[] => Array.from(text.matchAll(pattern), ([, value = ""]) => value.replaceAll("&amp;", "&")); // prettier-ignore
    const links = all(/ href="([^"]+)"/g).map(decodeURIComponent);
    return [name, { ids: new Set(all(/ id="([^"]+)"/g)), links }] as const;
  });
  return new Map(found);
}

/** The playground, where listings open it. */
const playground = "play/index.html";

/** The model in the state of a link to the playground; null where it has none. */
function modelIn(state: string): string | null {
  const found: unknown = JSON.parse(inflateRawSync(Buffer.from(state, "base64url")).toString("utf8"));
  return typeof found === "object" && found !== null && "text" in found ? String(found.text) : null;
}

beforeAll(() => {
  execFileSync(process.execPath, ["build.mjs"], { cwd: site, stdio: "pipe" });
}, 600_000);

test("every link leads to a page, and to a place in it", () => {
  const known = pages();
  expect(known.size).toBeGreaterThan(120);
  const broken = [...known].flatMap(([name, { links }]) =>
    links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", place] = link.split("#");
      const at = path === "" ? name : posix.normalize(path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(name), path)); // prettier-ignore
      const file = at === "." || at.endsWith("/") ? posix.join(at, "index.html") : at;
      if (file === playground && place !== undefined) return modelIn(place) === null;
      const page = known.get(file);
      if (page === undefined) return !existsSync(join(dist, file)) || !statSync(join(dist, file)).isFile();
      return place !== undefined && place !== "" && !page.ids.has(place);
    }),
  );
  expect(broken).toEqual([]);
});

test("every code has its page, with what is wrong and what is right", () => {
  const codes = globSync("diagnostics/?0*.html", { cwd: dist });
  expect(codes.length).toBeGreaterThan(90);
  for (const name of codes) {
    const text = readFileSync(join(dist, name), "utf8");
    const [, wrong = "", right = ""] = text.split(/<h2 id="(?:wrong|right)"/);
    // The wrong one is shown with its code, the right one without any
    const [code = ""] = /[EW]\d+/.exec(name) ?? [];
    const end = right.search(/<h2 |<\/main>/);
    expect([name, wrong.includes(`[${code}]`), /\[[EW]\d{4}\]/.test(right.slice(0, end))]).toEqual([name, true, false]);
    for (const part of [wrong, right.slice(0, end)]) expect(part).toMatch(/class="language-(?:lam|js)/);
  }
});

test("a listing that is a model by itself is opened in the playground, and no other one", () => {
  const known = pages();
  const opened = (name: string): readonly string[] => {
    const links = known.get(`${name}.html`)?.links ?? [];
    return links.flatMap((link) => (link.startsWith(`/${playground}#`) ? [modelIn(link.split("#")[1] ?? "") ?? ""] : [])); // prettier-ignore
  };
  expect(opened("diagnostics/E0104")).toEqual(["def f (x : R) : R = 0.5 * x\n"]);
  // With the file that it imports, which is a model by itself
  expect(opened("diagnostics/E0209").filter((text) => text.startsWith("import"))).toEqual([]);
  expect(opened("language").length).toBeGreaterThan(10);
});

const path = programOf("chromium");

describe.skipIf(path === null)("in a browser", () => {
  let browser: Chromium | undefined;
  afterAll(async () => {
    await browser?.close();
  });

  test("models have colours, pages fit a phone, and search finds", async () => {
    browser = await Chromium.start(path ?? "");
    const { page, complaints } = await browser.open(dist, {}, "language.html");
    const outside: string[] = [];
    page.on("request", (request) => {
      if (!request.url().startsWith(new URL(page.url()).origin) && !request.url().startsWith("data:")) outside.push(request.url()); // prettier-ignore
    });
    const colours = await page.evaluate<unknown>(
      "new Set([...document.querySelectorAll('.language-lam')[0].querySelectorAll('span[style]')].map((span) => getComputedStyle(span).color)).size",
    );
    expect(colours).toBeGreaterThan(3);
    await page.keyboard.press("Control+k");
    await page.locator(".search-input").fill("E0505");
    await page.locator(".result", { hasText: "E0505" }).first().click();
    await page.locator("h1", { hasText: "E0505" }).waitFor();
    await page.goto(new URL("/diagnostics/E0104.html", page.url()).href);
    await page.getByRole("link", { name: "Open in the playground" }).click();
    const inside = page.frameLocator("iframe");
    await inside.getByText("No errors").waitFor({ timeout: 60_000 });
    expect(await inside.getByRole("textbox", { name: "Model" }).innerText()).toContain("0.5 * x");
    await inside.getByText("export function fGrad").first().waitFor({ timeout: 60_000 });
    // There is a model already: the page inside has no examples
    expect(await inside.getByLabel("Example").count()).toBe(0);
    await page.getByRole("link", { name: "Close the playground" }).click();
    expect(await page.locator("iframe").count()).toBe(0);
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of ["", "cookbook.html", "std.html", "diagnostics/"]) {
      await page.goto(new URL(`/${name}`, page.url()).href);
      expect([name, await page.evaluate<unknown>("document.documentElement.scrollWidth")]).toEqual([name, 360]);
    }
    expect([complaints, outside]).toEqual([[], []]);
  });
});
