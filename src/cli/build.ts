import { Command } from "commander";
import type { SetExitCode } from "./exit-code.js";
import { assertJobs, type Job, JobRunner, runJobs } from "./job.js";
import { findProject, projectFile, projectJobs } from "./project.js";
import { UsageError } from "./usage-error.js";
import { watchJobs } from "./watch.js";

interface Flags {
  readonly config?: string;
  readonly check?: true;
  readonly watch?: true;
  readonly time?: true;
  readonly denyWarnings?: true;
}

const examples = `
Examples:
  dualrev build                  compile all models of the project
  dualrev build --check          fail where a module is not up to date
  dualrev build --watch          again after every change, of the project file too

A project file:
  {
    "$schema": "./node_modules/dualrev/schema/config.json",
    "models": ["models/**/*.lam", "!models/shared/**"],
    "outDir": "src/gen",
    "with": ["grad"],
    "overrides": [{ "models": ["models/swing.lam"], "entry": ["loss"], "wrt": ["loss.s"] }]
  }`;

export function buildCommand(setExitCode: SetExitCode): Command {
  return new Command("build")
    .description(`compile the models of a project, as ${projectFile} says`)
    .option("--config <file>", `the project file (default: ${projectFile}, here or in a folder around)`)
    .option("--check", "compare with the modules that there are instead of writing them")
    .option("--watch", "compile again whenever a model, a file that it imports, or the project file changes")
    .option("--deny-warnings", "write nothing where there are warnings, and fail")
    .option("--time", "print how long each pass took")
    .addHelpText("after", examples)
    .action(async ({ config, check, watch, time, denyWarnings }: Flags) => {
      if (check === true && watch === true) throw new UsageError("--watch and --check exclude each other");
      const file = config ?? (await findProject());
      const how = { check: check === true, time: time === true, denyWarnings: denyWarnings === true };
      const list = async (): Promise<readonly Job[]> => {
        const jobs = await projectJobs(file);
        await assertJobs(jobs);
        return jobs;
      };
      if (watch === true) await watchJobs(list, (jobs) => new JobRunner(jobs, how).run);
      else setExitCode(await runJobs(await list(), how));
    });
}
