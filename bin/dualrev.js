#!/usr/bin/env node
import module from "node:module";
import process from "node:process";
import { expectShortRun } from "../dist/short-run.js";

expectShortRun();
// Node 22 and later can keep compiled code: starting takes less time
module.enableCompileCache?.();
const { main } = await import("../dist/command.js");
process.exitCode = await main(process.argv.slice(2));
