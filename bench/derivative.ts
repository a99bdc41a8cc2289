// One function of a model of `derivatives` in a process of its own: how far it is from the one by hand, or times for one call in nanoseconds, sample by
// sample, as JSON. Arguments: MODEL FORM agreement|hand|emitted; standard input: the module.

import { readFileSync } from "node:fs";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { callOf, derivativeForms, derivativeModel } from "./derivatives/index.js";
import { loopOf, samplesOf } from "./measure.js";

const [name = "", wanted = "", what = ""] = process.argv.slice(2);
const form = derivativeForms.find((each) => each === wanted);
const call = form === undefined ? null : callOf(derivativeModel(name), form);
if (call === null) throw new Error(`there is no ${wanted} of ${name}`);
const byHand = loopOf(call.byHand, call.args, null);
const emitted = (): ReturnType<typeof loopOf> =>
  loopOf(exportOf(loadModule(readFileSync(0, "utf8")), call.exported), call.args, null);
console.log(JSON.stringify(what === "agreement" ? [distance(emitted()(1), byHand(1))] : samplesOf(what === "hand" ? byHand : emitted(), 4, 9))); // prettier-ignore
