// How much of the JavaScript stack a call takes, in words of eight bytes: an estimate from above for V8's interpreter, whose frames are its
// largest.

import type { Term } from "../../target-calculus/term.js";
import { eachSubterm } from "../../target-calculus/traverse.js";

/** Return address, frame pointer, context, function, argument count, bytecode and its offset; receiver and depth; one for safety. */
const fixedWords = 10;

/** The frame of a function with this many parameters and this body. */
export function frameWords(params: number, body: Term): number {
  return fixedWords + params + registers(body);
}

/** Registers for the variables of a body and for the operands that wait while others are evaluated. */
function registers(body: Term): number {
  let variables = 0;
  const waiting = (start: Term): number => {
    let most = 1;
    let term = start;
    for (;;) {
      switch (term.kind) {
        case "let":
        case "bind":
          variables += 1;
          most = Math.max(most, waiting(term.bound));
          term = term.body;
          continue;
        case "letTuple":
          variables += term.names.length + iterationRegisters;
          most = Math.max(most, waiting(term.bound));
          term = term.body;
          continue;
        case "letRec":
          variables += term.functions.length * 2;
          term = term.body;
          continue;
        case "lam":
        case "linLam":
          return most;
        case "case":
          variables += 1 + Math.max(...term.branches.map(({ vars }) => vars.length));
          break;
        case "if":
          variables += 1;
          break;
        case "build":
        case "sum":
          variables += 3;
          break;
        case "scan":
          variables += 6;
          break;
        default:
      }
      let operands = term.kind === "call" || term.kind === "app" || term.kind === "ext" ? calleeRegisters : 0;
      eachSubterm(term, (part) => {
        most = Math.max(most, operands + waiting(part));
        operands += 1;
      });
      return Math.max(most, operands);
    }
  };
  const most = waiting(body);
  return variables + most;
}

/** The callee, and its receiver. */
const calleeRegisters = 2;

/** `const [a, b] = pair` runs an iterator. */
const iterationRegisters = 8;
