// A session at the terminal: expressions and definitions, line by line.

import { createInterface } from "node:readline";
import { Command } from "commander";
import { printJson } from "../driver/json.js";
import type { Answer } from "../driver/answer.js";
import { isDefinition, isIncomplete, type Session } from "../driver/expressions.js";
import { exitCodes, type SetExitCode } from "./exit-code.js";
import { reportIn } from "./report.js";
import { loadFunctions, loadInto, openSession } from "./session.js";
import { printError, printOut } from "./streams.js";
import { UsageError } from "./usage-error.js";

const help = `  EXPRESSION            its value and type
  def f (x : R) : R = ..  a definition; data, type and import work, too
  :type EXPRESSION      its type alone
  :grad loss [0, 1] 2   value and gradient of an application, in all arguments
  :load FILE            the definitions of a model
  :help, :quit
What is not finished at the end of a line goes on in the next one.
`;

export function replCommand(setExitCode: SetExitCode): Command {
  return new Command("repl")
    .description("evaluate expressions and definitions line by line")
    .argument("[file]", "a model whose definitions can be used")
    .addHelpText("after", `\nIn a session:\n${help}`)
    .action(async (file: string | undefined) => {
      const session = await openSession("<input>", file ?? null);
      if (session === null || !(await new Repl(session).run())) setExitCode(exitCodes.diagnostics);
    });
}

class Repl {
  readonly #session: Session;
  #isClean = true;

  constructor(session: Session) {
    this.#session = session;
  }

  /** Reads to the end of standard input, or to `:quit`. At a terminal mistakes are part of the work; gives whether there was none otherwise. */
  async run(): Promise<boolean> {
    const isTerminal = process.stdin.isTTY;
    const lines = createInterface({ input: process.stdin, output: isTerminal ? process.stdout : undefined });
    const prompt = (text: string): void => {
      if (!isTerminal) return;
      lines.setPrompt(text);
      lines.prompt();
    };
    if (isTerminal) await printOut("Expressions and definitions; :help says more.\n");
    prompt("> ");
    let text = "";
    for await (const line of lines) {
      text = text === "" ? line : `${text}\n${line}`;
      if (text.trim() !== "" && line.trim() !== "" && !text.startsWith(":") && isIncomplete(text)) {
        prompt(". ");
        continue;
      }
      const input = text.trim();
      text = "";
      if (input === ":quit" || input === ":q") break;
      if (input !== "") await this.#answer(input);
      prompt("> ");
    }
    // What the end has cut off is told
    if (text.trim() !== "") await this.#answer(text.trim());
    lines.close();
    return this.#isClean || isTerminal;
  }

  async #answer(input: string): Promise<void> {
    try {
      const told = await this.#told(input);
      if (told === null) this.#isClean = false;
      else await printOut(told);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      this.#isClean = false;
      await printError(`error: ${error.message}\n`);
    }
  }

  /** What is printed for an input; null where it has mistakes, which have been reported. */
  async #told(input: string): Promise<string | null> {
    const [, word = "", rest = ""] = /^:(\w*)\s*(.*)$/s.exec(input) ?? [];
    if (!input.startsWith(":")) {
      if (isDefinition(input)) {
        const defined = this.#session.define(input);
        if (defined.ok) await loadFunctions(this.#session);
        return this.#shown(defined, (names) => names.map((name) => `${name}\n`).join(""));
      }
      return this.#shown(this.#session.evaluate(input), ({ type, value, shown }) => {
        const result = value === undefined ? "a function" : printJson(value);
        return [...shown, `${result} : ${type}`].map((line) => `${line}\n`).join("");
      });
    }
    switch (word) {
      case "help":
      case "h":
        return help;
      case "type":
      case "t":
        return this.#shown(this.#session.typeOf(rest), (type) => `${type}\n`);
      case "grad":
        return this.#shown(this.#session.gradient(rest), (document) => `${printJson(document)}\n`);
      case "load":
        if (rest === "") throw new UsageError("a file is missing: `:load model.lam`");
        return (await loadInto(this.#session, rest)) ? "" : null;
      default:
        throw new UsageError(`there is no :${word}: there are :type, :grad, :load, :help and :quit`);
    }
  }

  async #shown<T>(result: Answer<T>, print: (value: T) => string): Promise<string | null> {
    await reportIn((file) => this.#session.textOf(file), result.diagnostics);
    return result.ok ? print(result.value) : null;
  }
}
