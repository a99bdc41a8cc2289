/**
 * The strongly connected components of a graph, each after those that it has edges to (Tarjan, without recursion). Nodes of a component,
 * and components that are free to stand in any order, keep the order of `nodes`.
 */
export function components<T>(nodes: readonly T[], edges: (node: T) => Iterable<T>): readonly (readonly T[])[] {
  const position = new Map(nodes.map((node, i) => [node, i]));
  const order = (node: T): number => position.get(node) ?? 0;
  const index = new Map<T, number>();
  const low = new Map<T, number>();
  const open: T[] = [];
  const isOpen = new Set<T>();
  const result: T[][] = [];

  interface Frame {
    readonly node: T;
    readonly rest: Iterator<T>;
  }
  const enter = (node: T): Frame => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
    const targets = [...edges(node)].filter((target) => position.has(target)).sort((a, b) => order(a) - order(b));
    return { node, rest: targets.values() };
  };
  const lower = (node: T, value: number): void => {
    low.set(node, Math.min(low.get(node) ?? value, value));
  };

  for (const root of nodes) {
    if (index.has(root)) continue;
    const frames = [enter(root)];
    for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
      const step = frame.rest.next();
      if (step.done !== true) {
        const seen = index.get(step.value);
        if (seen === undefined) frames.push(enter(step.value));
        else if (isOpen.has(step.value)) lower(frame.node, seen);
        continue;
      }
      frames.pop();
      const { node } = frame;
      const ownLow = low.get(node) ?? 0;
      const parent = frames.at(-1);
      if (parent !== undefined) lower(parent.node, ownLow);
      if (ownLow !== index.get(node)) continue;
      const component: T[] = [];
      for (let member = open.pop(); member !== undefined; member = open.pop()) {
        isOpen.delete(member);
        component.push(member);
        if (member === node) break;
      }
      result.push(component.sort((a, b) => order(a) - order(b)));
    }
  }
  return result;
}

/** The shortest way from `start` back to itself along edges inside `within`; `start` alone where it has an edge to itself. */
export function shortestCycle<T>(start: T, within: readonly T[], edges: (node: T) => Iterable<T>): readonly T[] {
  const allowed = new Set(within);
  const cameFrom = new Map<T, T | null>([[start, null]]);
  const queue = [start];
  for (let next = 0; next < queue.length; next += 1) {
    const node = queue[next];
    if (node === undefined) break;
    for (const target of edges(node)) {
      if (target === start) {
        const path: T[] = [];
        for (let at: T | null = node; at !== null; at = cameFrom.get(at) ?? null) path.push(at);
        return path.reverse();
      }
      if (!allowed.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return [start];
}
