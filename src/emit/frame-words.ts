// How much of the JavaScript stack a call takes, in words of eight bytes: an estimate from above for V8's interpreter, whose frames are its
// largest.

import type { Term } from "../target/term.js";
import { eachSubterm } from "../target/traverse.js";

/** Return address, frame pointer, context, function, argument count, bytecode and its offset, feedback; receiver and depth. */
const fixedWords = 11;

/** The frame of a function with this many parameters and this body. */
export function frameWords(params: number, body: Term): number {
  return fixedWords + params + registers(body);
}

/** Registers for the variables of a body and for the operands that wait while others are evaluated. */
function registers(body: Term): number {
  let variables = 0;
  const waiting = (start: Term): number => {
    let most = 0;
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
          // The iteration protocol has registers of its own
          variables += term.names.length + 8;
          most = Math.max(most, waiting(term.bound));
          term = term.body;
          continue;
        case "letRec":
          variables += term.functions.length * 2;
          term = term.body;
          continue;
        case "lam":
        case "linLam":
          return most + 2;
        case "case":
          variables += 1 + Math.max(...term.branches.map(({ vars }) => vars.length));
          break;
        case "if":
          variables += 1;
          break;
        default:
      }
      let operands = 3;
      let deepest = 0;
      eachSubterm(term, (part) => {
        deepest = Math.max(deepest, operands + waiting(part));
        operands += 1;
      });
      return Math.max(most, deepest, operands);
    }
  };
  const most = waiting(body);
  return variables + most;
}
