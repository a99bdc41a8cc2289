import { Command } from "commander";
import { version } from "../version.js";
import { buildCommand } from "./build.js";
import { checkCommand } from "./check.js";
import { compileCommand } from "./compile.js";
import { bisectCommand } from "./bisect.js";
import { costCommand } from "./cost.js";
import { fmtCommand } from "./fmt.js";
import { gradCommand } from "./grad.js";
import { lspCommand } from "./lsp.js";
import { pointDerivativeCommands } from "./point-derivatives.js";
import { replCommand } from "./repl.js";
import { runCommand } from "./run.js";
import { stepsCommand } from "./steps.js";
import type { SetExitCode } from "./exit-code.js";
import { UsageError } from "./usage-error.js";

const examples = `
Examples:
  dualrev compile model.lam -o model.grad.ts    a module with values and gradients
  dualrev build                                 the models of dualrev.config.json
  dualrev check model.lam                       parse and type-check
  dualrev steps model.lam --entry loss          the derivative, stage by stage
  dualrev grad model.lam loss args.json         value and gradient at one point
  dualrev grad model.lam loss '{"x": 1, "y": 2}' --check
  dualrev hessian model.lam loss args.json      second derivatives at one point

A FILE named - is standard input. Exit codes: 0 ok, 1 mistakes in the model, 2 wrong usage, 70 a bug in dualrev.
Colours follow NO_COLOR and the terminal.`;

/** The command line of dualrev. Commander's errors are thrown, not exited on. */
export function buildProgram(setExitCode: SetExitCode): Command {
  const program = new Command("dualrev")
    .description("Compiles models in a small typed lambda language to TypeScript with exact reverse-mode derivatives.")
    .version(version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .addHelpText("after", examples)
    .showSuggestionAfterError(true);
  const commands = [
    compileCommand(setExitCode),
    buildCommand(setExitCode),
    checkCommand(setExitCode),
    stepsCommand(setExitCode),
    runCommand(setExitCode),
    replCommand(setExitCode),
    gradCommand(setExitCode),
    ...pointDerivativeCommands(setExitCode),
    costCommand(setExitCode),
    bisectCommand(setExitCode),
    fmtCommand(setExitCode),
    lspCommand(),
    helpCommand(program),
  ];
  for (const command of commands) {
    program.addCommand(command.copyInheritedSettings(program).showHelpAfterError(false));
    command.configureOutput({
      outputError: (text, write) => {
        const isAboutArguments = /^error: (?:missing required argument|too many arguments)/.test(text);
        write(isAboutArguments ? `${text.trimEnd()}\nusage: dualrev ${command.name()} ${command.usage()}\n` : text);
      },
    });
  }
  for (const command of [program, ...commands]) command.exitOverride();
  return program;
}

/** Commander's own prints all of the help where there is no command of the name, and does not say so. */
function helpCommand(program: Command): Command {
  return new Command("help")
    .description("print the help of a command")
    .argument("[command]", "the command")
    .action((name: string | undefined) => {
      const command = name === undefined ? program : program.commands.find((other) => other.name() === name);
      if (command !== undefined) {
        command.outputHelp();
        return;
      }
      const names = program.commands.map((other) => other.name());
      throw new UsageError(`there is no command ${String(name)}: the commands are ${names.join(", ")}`);
    });
}
