// What passes of the stage `adjoint` are worth on one model, in a process of its own. Arguments: MODEL SAMPLES PASS..; prints a JSON list, of the
// passes without which other code is emitted.

import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { loopOf, measure } from "./measure.js";
import type { Loop } from "./measure.js";
import { codeWithout, emittedCode } from "./model.js";
import { gradientName, type Model } from "./workload.js";
import { modelNamed } from "./workloads/passes.js";

/** A gradient without a pass, and the module that has it, against those with all passes. */
export interface LeftOut {
  readonly pass: string;
  readonly model: string;
  /** Time without the pass, divided by time with all: of the quicker quarter of samples, which collections of garbage and other programs disturb least. */
  readonly slower: number;
  readonly bytes: { readonly with: number; readonly without: number };
}

/** The largest relative difference that is let through: sums are added up in different orders. */
const tolerance = 1e-9;

function loopThrough(code: string, model: Model): Loop {
  return loopOf(exportOf(loadModule(code), gradientName(model)), model.args, model.cotangents);
}

function measureLeftOut(model: Model, samples: number, passes: readonly string[]): readonly LeftOut[] {
  const code = codeWithout(model, []);
  const all = loopThrough(code, model);
  const check = (name: string, other: Loop): void => {
    const error = distance(all(1), other(1));
    if (!(error <= tolerance)) throw new Error(`${model.name}: adjoint differs from ${name}, by ${error}`);
  };
  check("tape", loopThrough(emittedCode(model, "tape"), model));
  const others = passes.flatMap((pass) => {
    const other = codeWithout(model, [pass]);
    return other === code ? [] : [{ pass, code: other, loop: loopThrough(other, model) }];
  });
  for (const { pass, loop } of others) check(`what it is without ${pass}`, loop);
  const [base, ...times] = measure([all, ...others.map(({ loop }) => loop)], 2, samples);
  return others.map(({ pass, code: other }, i) => {
    const slower = (times[i]?.lower ?? NaN) / (base?.lower ?? NaN);
    const bytes = { with: Buffer.byteLength(code), without: Buffer.byteLength(other) };
    return { pass, model: model.name, slower, bytes };
  });
}

const [name = "", samples = "", ...passes] = process.argv.slice(2);
console.log(JSON.stringify(measureLeftOut(modelNamed(name), Number(samples), passes)));
