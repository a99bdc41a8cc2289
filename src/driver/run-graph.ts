// The graph of dual numbers of one run, as SV25 Fig. 2 and 11 draw it: a box for each real, an arrow for each call of a backpropagator that resolving makes.

import { graphlib, layout } from "@dagrejs/dagre";
import { firstOf, jobsUpTo, type Job } from "../trace/jobs.js";
import { reverse } from "../trace/tape.js";
import { shownNumber } from "../trace/words.js";
import { escaped } from "./svg.js";
import { titleOf, type ToldRun } from "./told-run.js";

/** A graph of more boxes is not read. */
export const mostNodes = 80;

/** A job is drawn with so many lines at most. */
const mostLines = 12;

/** The text of a picture, and the tip of its arrows. */
const style = `text { fill: #222 } .title { font: 14px system-ui, sans-serif } .input { fill: #0072b222; stroke: #0072b2 } .node { fill: #8881; stroke: #888 }
.idle { opacity: 0.4 } .call { fill: none; stroke: #d55e00; stroke-width: 1.4 } .partial, .cotangent { fill: #b34700 }
.partial { paint-order: stroke; stroke: #fff; stroke-width: 4px }
@media (prefers-color-scheme: dark) { text { fill: #ddd } .partial, .cotangent { fill: #ffa066 } .partial { stroke: #222 } }`;

const box = { height: 58, perLetter: 7.2, padding: 18 };

/** The graph as an SVG that stands alone; null where it has more than `mostNodes` boxes. */
export function drawRun({ entry, run, weights }: ToldRun): string | null {
  const { nodes } = run;
  if (nodes.length > mostNodes) return null;
  const { cotangents, steps } = reverse(run, weights);
  const called = new Set(steps.map(({ id }) => id));
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 24, ranksep: 54, marginx: 16, marginy: 44 });
  graph.setDefaultEdgeLabel(() => ({}));
  const lines = nodes.map((node, id) => [
    `#${id}  ${titleOf(nodes, id)}`,
    `= ${shownNumber(node.value)}`,
    `cotangent ${shownNumber(cotangents[id] ?? 0)}`,
  ]);
  for (const [id, texts] of lines.entries()) {
    const width = Math.max(...texts.map((text) => text.length)) * box.perLetter + box.padding;
    graph.setNode(String(id), { width, height: box.height });
  }
  const edges = nodes.flatMap(({ operands }, from) =>
    operands.flatMap(({ id: to, partial }, i) => (to < 0 ? [] : [{ from, to, partial, name: String(i) }])),
  );
  for (const { from, to, partial, name } of edges) {
    const label = shownNumber(partial);
    graph.setEdge(String(to), String(from), { width: label.length * box.perLetter, height: 14, labelpos: "c" }, name);
  }
  layout(graph);
  const { width, height } = graph.graph();
  const boxes = lines.map((texts, id) => {
    const { x, y, width: wide } = graph.node(String(id));
    const kind = nodes[id]?.op === null ? "input" : called.has(id) ? "node" : "node idle";
    const rows = texts.map(
      (text, i) => `<text x="${round(x)}" y="${round(y - box.height / 2 + 17 + 16 * i)}" text-anchor="middle"${i === 2 ? ' class="cotangent"' : ""}>${escaped(text)}</text>`, // prettier-ignore
    );
    return `<g class="box" data-id="${id}"><rect class="${kind}" x="${round(x - wide / 2)}" y="${round(y - box.height / 2)}" width="${round(wide)}" height="${box.height}" rx="6"/>${rows.join("")}</g>`;
  });
  const arrows = edges.map(({ from, to, partial, name }) => {
    const edge = graph.edge(String(to), String(from), name);
    // The call goes from the result to the operand
    const points = [...edge.points].reverse().map((point) => `${round(point.x)} ${round(point.y)}`);
    const label = `<text class="partial" x="${round(edge.x)}" y="${round(edge.y + 4)}" text-anchor="middle">${shownNumber(partial)}</text>`;
    return `<g class="arrow" data-from="${from}" data-to="${to}"><path class="call${called.has(from) ? "" : " idle"}" d="M${points.join("L")}" marker-end="url(#tip)"/>${label}</g>`;
  });
  return picture(width, height, `${entry}: dual numbers, and the calls of their backpropagators`, [
    ...arrows,
    ...boxes,
  ]);
}

/** The graph of jobs of a run, as SV25 Figs. 12 to 14 draw it, as an SVG that stands alone: a box for each job, with what it computes first; null where there are more than `mostNodes`. */
export function drawJobs({ entry, run }: ToldRun): string | null {
  const { nodes, last } = run;
  const jobs = jobsUpTo(last).map(({ job }) => job);
  if (jobs.length > mostNodes) return null;
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: 30, ranksep: 40, marginx: 16, marginy: 44 });
  graph.setDefaultEdgeLabel(() => ({}));
  const compound = new Map(
    jobs.flatMap(({ id, reals }) => reals.map((real, place) => [real, `(${id}, ${place})`] as const)),
  );
  const idOf = (real: number): string => compound.get(real) ?? "";
  const linesOf = ({ id, reals }: Job): readonly string[] => {
    const shown = reals.length > mostLines ? reals.slice(0, mostLines - 1) : reals;
    const others = reals.length - shown.length;
    const lines = shown.map((real) => `${idOf(real)}  ${titleOf(nodes, real, idOf)}`);
    return [`job ${id}`, ...lines, ...(others === 0 ? [] : [`.. and ${others} more`])];
  };
  const heightOf = (lines: readonly string[]): number => 14 + 16 * lines.length;
  for (const job of jobs) {
    const lines = linesOf(job);
    const width = Math.max(...lines.map((text) => text.length)) * box.perLetter + box.padding;
    graph.setNode(String(job.id), { width, height: heightOf(lines) });
  }
  const edges = jobs.flatMap(({ id, history }) => {
    if (history === null) return [];
    const { before, tasks } = history;
    if (tasks.length === 0) return [{ from: before.id, to: id }];
    return tasks.flatMap((task) => [
      { from: before.id, to: firstOf(task).id },
      { from: task.id, to: id },
    ]);
  });
  for (const { from, to } of edges)
    graph.setEdge(String(from), String(to), { width: 0, height: 0, labelpos: "c" }, "0");
  layout(graph);
  const { width, height } = graph.graph();
  const boxes = jobs.map((job) => {
    const { x, y, width: wide, height: high } = graph.node(String(job.id));
    const left = x - wide / 2;
    const rows = linesOf(job).map((text, i) => `<text x="${round(left + box.padding / 2)}" y="${round(y - high / 2 + 18 + 16 * i)}"${i === 0 ? ' font-weight="bold"' : ""}>${escaped(text)}</text>`); // prettier-ignore
    return `<rect class="${job.id === 0 ? "input" : "node"}" x="${round(left)}" y="${round(y - high / 2)}" width="${round(wide)}" height="${round(high)}" rx="6"/>${rows.join("")}`;
  });
  const arrows = edges.map(({ from, to }) => {
    const { points } = graph.edge(String(from), String(to), "0");
    return `<path class="call" d="M${points.map(({ x, y }) => `${round(x)} ${round(y)}`).join("L")}" marker-end="url(#tip)"/>`;
  });
  return picture(width, height, `${entry}: jobs, and how they fork and join`, [...arrows, ...boxes]);
}

function picture(width: number, height: number, title: string, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${round(width)} ${round(height)}" width="${round(width)}" height="${round(height)}" font-family="ui-monospace, monospace" font-size="12">
<style>${style}</style>
<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0L8 4L0 8z" fill="#d55e00"/></marker></defs>
<text class="title" x="16" y="24">${escaped(title)}</text>
${parts.join("\n")}
</svg>
`;
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10);
}
