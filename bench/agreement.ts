// How far a module is from what is written by hand, in value and gradient, in a process of its own; the gradient also where an earlier one is handed back.
// Arguments: GROUP NAME; standard input: the module. Prints the largest distance as JSON.

import { readFileSync } from "node:fs";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { loopOf, loopWithBuffers } from "./measure.js";
import { gradientName } from "./workload.js";
import { findWorkload } from "./workloads/index.js";

const [group = "", name = ""] = process.argv.slice(2);
const { entry, args, cotangents, ...workload } = findWorkload(group, name);
const module = loadModule(readFileSync(0, "utf8"));
const ofValues = distance(Reflect.apply(exportOf(module, entry), undefined, args), Reflect.apply(workload.primal, undefined, args)); // prettier-ignore
const gradient = exportOf(module, gradientName({ entry, cotangents }));
const byHand = loopOf(workload.gradient, args, cotangents)(1);
const ofGradient = distance(loopOf(gradient, args, cotangents)(1), byHand);
const again = cotangents === null ? distance(loopWithBuffers(gradient, args)(3), byHand) : 0;
console.log(JSON.stringify(Math.max(ofValues, ofGradient, again)));
