// How much of the JavaScript stack a call takes, in words of eight bytes: an estimate from above for V8's interpreter, whose frames are its
// largest.

import type { TsStmt } from "../typescript/tree.js";

/** Return address, frame pointer, context, function, argument count, bytecode and its offset, feedback; receiver and depth; temporaries of an operation. */
const fixedWords = 16;

/** `const [a, b] = pair` runs an iterator. */
const iterationRegisters = 8;

/** The frame of a function with this many parameters and this body, in which calls stand alone and operations are small. */
export function frameWords(params: number, body: readonly TsStmt[]): number {
  let variables = 0;
  let operands = 0;
  const waiting = [...body];
  for (let stmt = waiting.pop(); stmt !== undefined; stmt = waiting.pop()) {
    switch (stmt.kind) {
      case "const":
        variables += typeof stmt.target === "string" ? 1 : stmt.target.length + iterationRegisters;
        if (stmt.init.kind === "call") operands = Math.max(operands, stmt.init.args.length + 2);
        break;
      case "expr":
        if (stmt.expr.kind === "call") operands = Math.max(operands, stmt.expr.args.length + 2);
        break;
      case "let":
        variables += 1;
        break;
      case "if":
        waiting.push(...stmt.then, ...stmt.else);
        break;
      case "for":
        variables += 2;
        waiting.push(...stmt.body);
        break;
      case "loop":
      case "while":
      case "block":
        waiting.push(...stmt.body);
        break;
      case "switch":
        variables += 1;
        for (const one of stmt.cases) waiting.push(...one.body);
        break;
      case "try":
        waiting.push(...stmt.body, ...stmt.handler);
        break;
      case "return":
      case "continue":
      case "break":
      case "throw":
      case "function":
      case "comment":
        break;
    }
  }
  return fixedWords + params + variables + operands;
}
