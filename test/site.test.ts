// packages/site: the documents as a site, built as it is published, and looked at in Chromium.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
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

beforeAll(() => {
  execFileSync(process.execPath, ["build.mjs"], { cwd: site, stdio: "pipe" });
}, 180_000);

test("every link leads to a page, and to a place in it", () => {
  const known = pages();
  expect(known.size).toBeGreaterThan(120);
  const broken = [...known].flatMap(([name, { links }]) =>
    links.filter((link) => {
      if (/^[a-z]+:/.test(link)) return false;
      const [path = "", place] = link.split("#");
      const at = path === "" ? name : posix.normalize(path.startsWith("/") ? path.slice(1) : posix.join(posix.dirname(name), path)); // prettier-ignore
      const file = at === "." || at.endsWith("/") ? posix.join(at, "index.html") : at;
      const page = known.get(file);
      if (page === undefined) return !existsSync(join(dist, file)) || !statSync(join(dist, file)).isFile();
      return place !== undefined && place !== "" && !page.ids.has(place);
    }),
  );
  expect(broken).toEqual([]);
});

test("a code has its page, with a wrong and a right program", () => {
  const text = readFileSync(join(dist, "diagnostics/E0201.html"), "utf8");
  for (const heading of ["wrong", "right", "more-of-the-kind"]) expect(text).toContain(`id="${heading}"`);
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
    await page.setViewportSize({ width: 360, height: 740 });
    for (const name of ["", "cookbook.html", "std.html", "diagnostics/"]) {
      await page.goto(new URL(`/${name}`, page.url()).href);
      expect([name, await page.evaluate<unknown>("document.documentElement.scrollWidth")]).toEqual([name, 360]);
    }
    expect([complaints, outside]).toEqual([[], []]);
  });
});
