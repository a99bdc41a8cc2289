// How far a module is from what is written by hand, in value and gradient, in a process of its own. Arguments: GROUP NAME; standard input: the module. Prints
// the larger distance as JSON.

import { readFileSync } from "node:fs";
import { exportOf, loadModule } from "../src/driver/evaluate.js";
import { distance } from "./compare.js";
import { loopOf } from "./measure.js";
import { gradientName } from "./workload.js";
import { findWorkload } from "./workloads/index.js";

const [group = "", name = ""] = process.argv.slice(2);
const { entry, args, cotangents, ...workload } = findWorkload(group, name);
const module = loadModule(readFileSync(0, "utf8"));
const ofValues = distance(Reflect.apply(exportOf(module, entry), undefined, args), Reflect.apply(workload.primal, undefined, args)); // prettier-ignore
const gradient = loopOf(exportOf(module, gradientName({ entry, cotangents })), args, cotangents);
const ofGradients = distance(gradient(1), loopOf(workload.gradient, args, cotangents)(1));
console.log(JSON.stringify(Math.max(ofValues, ofGradients)));
