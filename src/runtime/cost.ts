/** What has been done so far, for `dualrev cost`: counted, not timed. */
export const cost = {
  primitives: 0,
  backpropagators: 0,
  mapOperations: 0,
  arrayOperations: 0,
  monoidOperations: 0,
  functionCalls: 0,
};
