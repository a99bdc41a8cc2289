// Lists as emitted modules take and give them.

export type List<A> = { readonly tag: "Nil" } | { readonly tag: "Cons"; readonly _0: A; readonly _1: List<A> };

/** A list of an array's items. */
export function listOf<A>(items: ArrayLike<A>): List<A> {
  let list: List<A> = { tag: "Nil" };
  for (let i = items.length - 1; i >= 0; i--) {
    const item = items[i];
    if (item !== undefined) list = { tag: "Cons", _0: item, _1: list };
  }
  return list;
}

/** An array of a list's items. */
export function itemsOf<A>(list: List<A>): A[] {
  const items: A[] = [];
  for (let rest = list; rest.tag === "Cons"; rest = rest._1) items.push(rest._0);
  return items;
}
