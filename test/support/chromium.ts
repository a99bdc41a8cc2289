// Pages in a real browser: the files of a folder, served on loopback with the headers that are asked for, in the distribution's Chromium.

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname, join, normalize } from "node:path";
import { chromium, type Browser, type Page } from "playwright-core";

/** Headers of an answer, by their names. */
export type Headers = Readonly<Record<string, string>>;

/** What makes a page cross-origin isolated, where all its files have them: then it has shared memory. */
export const isolated: Headers = {
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Embedder-Policy": "require-corp",
};

/** A page that is open. */
export interface OpenPage {
  readonly page: Page;
  /** What went wrong so far: errors that nobody caught, errors in the console, files that were not there. */
  readonly complaints: readonly string[];
  /** The names of the files that workers run. */
  readonly workers: () => readonly string[];
  /** The text of the page's `<output>`, once it has one; rejects with the complaints where there is one before. */
  readonly output: () => Promise<string>;
}

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A browser, and the servers of the folders that it shows. */
export class Chromium {
  readonly #browser: Browser;
  readonly #servers: Server[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(executablePath: string): Promise<Chromium> {
    return new Chromium(await chromium.launch({ executablePath, args: flags }));
  }

  /** Opens a page of a folder; all its files are sent with `headers`. */
  async open(folder: string, headers: Headers, file = "index.html"): Promise<OpenPage> {
    const server = servedFolder(folder, headers);
    this.#servers.push(server);
    return await this.openAddress(`${await addressOf(server)}/${file}`);
  }

  /** Opens a page that something else serves. */
  async openAddress(address: string): Promise<OpenPage> {
    const page = await this.#browser.newPage();
    const complaints: string[] = [];
    const running: string[] = [];
    const failed = new Promise<never>((_, reject) => {
      const complain = (text: string): void => {
        complaints.push(text);
        reject(new Error(complaints.join("\n")));
      };
      page.on("pageerror", (error) => {
        complain(error.message);
      });
      page.on("console", (message) => {
        if (message.type() === "error") complain(message.text());
      });
      page.on("response", (response) => {
        if (response.status() >= 400) complain(`${response.status()} ${response.url()}`);
      });
    });
    // Nobody may be waiting for output
    failed.catch(() => undefined);
    page.on("worker", (worker) => {
      const file = new URL(worker.url()).pathname.slice(1);
      running.push(file);
      worker.on("close", () => running.splice(running.indexOf(file), 1));
    });
    await page.goto(address);
    const output = async (): Promise<string> =>
      await Promise.race([page.locator("output:not(:empty)").innerText({ timeout: 30_000 }), failed]);
    return { page, complaints, workers: () => running, output };
  }

  /** Ends the browser, with all its pages, and the servers. */
  async close(): Promise<void> {
    await this.#browser.close();
    for (const server of this.#servers) {
      server.closeAllConnections();
      server.close();
    }
  }
}

const types: Headers = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

function servedFolder(folder: string, headers: Headers): Server {
  return createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    // Browsers ask for an icon whatever the page says
    if (pathname === "/favicon.ico") {
      response.writeHead(204).end();
      return;
    }
    const name = normalize(decodeURIComponent(pathname.endsWith("/") ? `${pathname}index.html` : pathname));
    readFile(join(folder, name)).then(
      (content) =>
        response.writeHead(200, { ...headers, "Content-Type": types[extname(name)] ?? "text/plain" }).end(content),
      () => response.writeHead(404, headers).end(),
    );
  });
}

/** The address of a server on loopback, once it listens, at a port that was free. */
function addressOf(server: Server): Promise<string> {
  return new Promise((resolve, reject) => {
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(`http://127.0.0.1:${address.port}`);
    });
  });
}
