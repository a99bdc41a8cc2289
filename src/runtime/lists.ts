// Cells of lists that loops make.

/** Two lists of so many cells are what V8 has room for among young objects: longer ones outlive a collection of these in any case. */
const longList = 100000;

interface ListCell<Tag, Head, Rest> {
  tag: Tag;
  _0: Head;
  _1: Rest;
}

/**
 * Makes what the literal `{ tag, _0, _1 }` makes. V8 puts all that a literal makes among old objects, which are expensive to collect, once it has found
 * that a list of it outlived a collection; what a constructor makes is young at first.
 */
const YoungCell = /* @__PURE__ */ (() => {
  function Cell<Tag, Head, Rest>(this: ListCell<Tag, Head, Rest>, tag: Tag, head: Head, rest: Rest): void {
    this.tag = tag;
    this._0 = head;
    this._1 = rest;
  }
  Cell.prototype = Object.prototype;
  return Cell as unknown as new <Tag, Head, Rest>(tag: Tag, head: Head, rest: Rest) => ListCell<Tag, Head, Rest>;
})();

/** A cell of a list of some length. */
export function listCell<Tag extends string, Head, Rest>(
  tag: Tag,
  head: Head,
  rest: Rest,
  length: number,
): ListCell<Tag, Head, Rest> {
  return length > longList ? { tag, _0: head, _1: rest } : new YoungCell(tag, head, rest);
}
