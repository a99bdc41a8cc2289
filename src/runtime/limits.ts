// How much a run may save, so that a recursion without its base case ends in an error, and not with the memory of the machine.

/** Ends a loop whose iterations are saved for the reverse sweep, or a recursion that is run as a loop, after so many. */
export function endless(iterations: number): never {
  throw new RangeError(`more than ${iterations} iterations or calls to save: does the recursion reach its base case?`);
}
