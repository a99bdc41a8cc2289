// One run, step by step, as a picture that moves: IDs, staged calls, and the cells that resolving fills (SV25 Figs. 2 and 11).

import type { ToldStep } from "dualrev";
import { button, el, problem, svgOf } from "../dom.js";
import type { Page, View } from "../page.js";
import { shownNumber } from "../values.js";

interface Told {
  readonly picture: string | null;
  readonly steps: readonly ToldStep[];
  readonly start: readonly { readonly id: number; readonly gives: number }[];
}

/** Cells beyond this are not listed. */
const mostRows = 200;

export function graphView(): View {
  let page: Page | null = null;
  let told: Told = { picture: null, steps: [], start: [] };
  let at = 0;
  let timer: ReturnType<typeof setInterval> | null = null;
  let picture: SVGElement | null = null;
  const slider = el("input", { type: "range", min: "0", value: "0", "aria-label": "Step" });
  const words = el("p", { class: "told", "aria-live": "polite" });
  const cells = el("tbody");
  const canvas = el("div", { class: "graph", tabindex: "0", "aria-label": "Graph of dual numbers" });
  const play = button("Play", () => {
    if (timer !== null) stop();
    else {
      if (at >= told.steps.length - 1) go(0);
      play.textContent = "Pause";
      timer = setInterval(() => {
        if (at >= told.steps.length - 1) stop();
        else go(at + 1);
      }, 900);
    }
  });
  const stop = (): void => {
    if (timer !== null) clearInterval(timer);
    timer = null;
    play.textContent = "Play";
  };
  const bar = el(
    "div",
    { class: "bar" },
    button("First", () => { stop(); go(0); }), // prettier-ignore
    button("Back", () => { stop(); go(at - 1); }), // prettier-ignore
    play,
    button("Next", () => { stop(); go(at + 1); }), // prettier-ignore
    button("Last", () => { stop(); go(told.steps.length - 1); }), // prettier-ignore
    slider,
  );
  slider.addEventListener("input", () => {
    stop();
    go(slider.valueAsNumber);
  });
  const heads = ["ID", "Operation", "Value", "Staged calls", "Cell"].map((text) => el("th", { scope: "col" }, text));
  const table = el("table", { class: "cells" }, el("thead", {}, el("tr", {}, ...heads)), cells);
  const body = el("div", { class: "told-body" }, words, canvas, table);
  const element = el("div", { class: "view scroll" }, bar, body);

  /** What each cell holds before the step that is shown hands on: by ID. */
  const cellsAt = (step: number): ReadonlyMap<number, number> => {
    const sums = new Map<number, number>();
    const add = (id: number, value: number): void => { sums.set(id, (sums.get(id) ?? 0) + value); }; // prettier-ignore
    const isResolving = told.steps[step]?.phase === "resolve";
    if (isResolving) for (const { id, gives } of told.start) add(id, gives);
    for (const { phase, calls } of told.steps.slice(0, step + 1)) if (phase === "resolve") for (const { id, gives } of calls) add(id, gives ?? 0); // prettier-ignore
    return sums;
  };

  const go = (step: number): void => {
    at = Math.max(0, Math.min(step, told.steps.length - 1));
    slider.value = String(at);
    const now = told.steps[at];
    if (now === undefined) return;
    const sums = cellsAt(at);
    const forward = told.steps.filter(({ phase }) => phase === "forward");
    const seen = now.phase === "resolve" ? forward.length : now.id + 1;
    const resolved = new Set(told.steps.slice(0, at).flatMap(({ phase, id }) => (phase === "resolve" ? [id] : [])));
    words.replaceChildren(el("strong", {}, `Step ${at + 1} of ${told.steps.length}. `), wordsOf(now));
    cells.replaceChildren(
      ...forward.slice(0, mostRows).map(({ id, title, value, calls }) => {
        const isSeen = id < seen;
        const staged = calls.map((call) => `SCall #${call.id} by ${shownNumber(call.partial)}`).join(", ");
        const cell = sums.get(id);
        const texts = [`#${id}`, isSeen ? title : "", isSeen ? shownNumber(value) : "", isSeen ? staged : "", cell === undefined ? "" : shownNumber(cell)]; // prettier-ignore
        const state = id === now.id ? "now" : resolved.has(id) ? "done" : "";
        return el("tr", { class: state }, ...texts.map((text) => el("td", {}, text)));
      }),
    );
    move(now, seen, resolved, sums);
    const [, line = "", column = ""] = /^model\.lam:(\d+):(\d+)$/.exec(now.position ?? "") ?? [];
    const offset = line === "" ? null : (page?.offsetOf(Number(line), Number(column)) ?? null);
    page?.lightModel(offset === null ? [] : [{ start: offset, end: offset + 1 }], false);
  };

  const move = (
    now: ToldStep,
    seen: number,
    resolved: ReadonlySet<number>,
    sums: ReadonlyMap<number, number>,
  ): void => {
    if (picture === null) return;
    for (const box of picture.querySelectorAll<SVGGElement>(".box")) {
      const id = Number(box.dataset["id"]);
      box.classList.toggle("unseen", id >= seen);
      box.classList.toggle("now", id === now.id);
      box.classList.toggle("done", resolved.has(id));
      const cell = sums.get(id);
      const text = box.querySelector(".cotangent");
      if (text !== null) text.textContent = cell === undefined ? "" : `cell ${shownNumber(cell)}`;
    }
    for (const arrow of picture.querySelectorAll<SVGGElement>(".arrow")) {
      const from = Number(arrow.dataset["from"]);
      arrow.classList.toggle("unseen", from >= seen);
      arrow.classList.toggle("now", now.phase === "resolve" && from === now.id);
      arrow.classList.toggle("done", resolved.has(from));
    }
    const box = picture.querySelector(".box.now");
    if (box === null) return;
    // In the picture alone: the page stays where it is
    const [inner, outer] = [box.getBoundingClientRect(), canvas.getBoundingClientRect()];
    canvas.scrollBy({ top: inner.top - outer.top - (outer.height - inner.height) / 2, left: inner.left - outer.left - (outer.width - inner.width) / 2 }); // prettier-ignore
  };

  return {
    name: "graph",
    title: "Run graph",
    element,
    update: async (given) => {
      page = given;
      stop();
      const { text, entry, args } = given.state();
      const found = await given.runner.ask("tell", { text, entry, args });
      if (!found.ok) {
        body.replaceChildren(problem(found.text));
        return;
      }
      told = found.value;
      picture =
        told.picture === null ? null : svgOf(told.picture, "Dual numbers, and the calls of their backpropagators");
      picture?.querySelector(".title")?.remove();
      canvas.replaceChildren(picture ?? el("p", {}, "A run of so many operations is not drawn; its cells are below."));
      body.replaceChildren(words, canvas, table);
      slider.max = String(Math.max(0, told.steps.length - 1));
      go(Math.min(at, told.steps.length - 1));
    },
    light: () => undefined,
  };
}

function wordsOf({ phase, id, title, value, calls }: ToldStep): string {
  if (phase === "forward") {
    const staged = calls.map((call) => `#${call.id} by ${shownNumber(call.partial)}`).join(", ");
    return `Forward: #${id} is ${title} = ${shownNumber(value)}${staged === "" ? "" : `; it keeps a staged call of ${staged}`}.`;
  }
  const given = calls.map((call) => `#${call.id} gets ${shownNumber(value)} * ${shownNumber(call.partial)} = ${shownNumber(call.gives ?? 0)}`).join(", "); // prettier-ignore
  return `Resolve: nothing above #${id} is left, so its cell, ${shownNumber(value)}, is complete${given === "" ? "" : `; ${given}`}.`;
}
