// What the tests of random models find in emitted code that uses its memory wrongly.

import { expect, test } from "vitest";
import { exportOf } from "../src/driver/evaluate.js";
import { loadChecked } from "./support/checked-memory.js";
import { CheckedRuns } from "./support/checked-runs.js";
import { fixtureNames, readFixture } from "./support/fixture.js";
import { Model } from "./support/model.js";
import { isRecord } from "./support/values.js";

const runtime = `
let spare = null, room = new Float64Array(4);
function takeBuffer() { const buffer = spare ?? new Float64Array(16); spare = null; return buffer; }
function leaveBuffer(buffer) { spare = buffer; }
function takeRoom() { return room; }
function leaveRoom(room, used) { room.fill(0, 0, used); }
`;

const run = (body: string): unknown =>
  exportOf(loadChecked(`${runtime}export function f(x) { ${body} }\n`), "f")(new Float64Array([1, 2]));

test.each([
  ["const b = takeBuffer(); return b[3];", "a read of what nobody has put there, at 3 of 16"],
  ["const b = takeBuffer(); b[3] = 1; leaveBuffer(b); return b[3];", "a read of what nobody has put there, at 3 of 16"],
  ["const b = takeBuffer(); b[3] += 1; return 0;", "a read of what nobody has put there, at 3 of 16"],
  ["x[2] = 1; return 0;", "a write outside, at 2 of 2"],
  ["x[0.5]++; return 0;", "a write outside, at 0.5 of 2"],
  ["x[0] = x[2]; return 0;", "a write of undefined, at 0 of 2"],
  ["const r = takeRoom(); r[3] = 1; leaveRoom(r, 3); return 0;", "zeros were promised, not what is left at 3 of 4"],
])("%s", (body, problem) => {
  expect(() => run(body)).toThrow(`memory: ${problem}`);
});

test("what is done rightly is what it is unchecked", () => {
  expect(run("const b = takeBuffer(); b[0] = x[1]; b[0] *= 3; leaveBuffer(b); x[0] -= 1; return x[0];")).toBe(0);
});

test("the fixtures about memory use it rightly", () => {
  for (const name of fixtureNames("memory")) {
    const { source, load, cases } = readFixture("memory", name);
    const model = new Model(source, null, load);
    const checked = new CheckedRuns(model);
    for (const { entry, args, expected } of cases)
      if (expected.kind === "value" && isRecord(args)) expect(checked.problemOf(entry, args), `${name}, ${entry}`).toBeNull(); // prettier-ignore
  }
}, 60_000);
