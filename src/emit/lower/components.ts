// Strongly connected components of a directed graph.

/** Tarjan's algorithm, without recursion. Components come before those that reach them. */
export function stronglyConnected<N extends object | string>(
  edges: ReadonlyMap<N, ReadonlySet<N>>,
): readonly (readonly N[])[] {
  const components: N[][] = [];
  const order = new Map<N, number>();
  const lowest = new Map<N, number>();
  const open: N[] = [];
  const isOpen = new Set<N>();
  const visits: { readonly node: N; readonly targets: N[] }[] = [];
  const enter = (node: N): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    open.push(node);
    isOpen.add(node);
    visits.push({ node, targets: [...(edges.get(node) ?? [])].reverse() });
  };
  const lower = (node: N, to: number): void => {
    lowest.set(node, Math.min(lowest.get(node) ?? to, to));
  };
  const close = (node: N): void => {
    const start = open.lastIndexOf(node);
    const component = open.splice(start);
    for (const member of component) isOpen.delete(member);
    components.push(component);
  };
  for (const root of edges.keys()) {
    if (!order.has(root)) enter(root);
    for (let visit = visits.at(-1); visit !== undefined; visit = visits.at(-1)) {
      const { node } = visit;
      const target = visit.targets.pop();
      if (target !== undefined) {
        if (!order.has(target)) enter(target);
        else if (isOpen.has(target)) lower(node, order.get(target) ?? 0);
        continue;
      }
      visits.pop();
      const low = lowest.get(node) ?? 0;
      const caller = visits.at(-1);
      if (caller !== undefined) lower(caller.node, low);
      if (low === order.get(node)) close(node);
    }
  }
  return components;
}
