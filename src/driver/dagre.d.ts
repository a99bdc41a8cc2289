// What is used of dagre. Its own declarations import each other without file endings, which TypeScript does not find for ES modules of Node.
declare module "@dagrejs/dagre" {
  interface Box {
    readonly width: number;
    readonly height: number;
  }
  interface Point {
    readonly x: number;
    readonly y: number;
  }
  class Graph {
    constructor(options: { readonly multigraph: boolean });
    setGraph(label: Readonly<Record<string, number | string>>): void;
    setDefaultEdgeLabel(label: () => object): void;
    setNode(name: string, label: Box): void;
    setEdge(from: string, to: string, label: Box & { readonly labelpos: "l" | "c" | "r" }, name: string): void;
    /** After the layout: the size of the whole. */
    graph(): Box;
    /** After the layout: a node with the place of its centre. */
    node(name: string): Box & Point;
    /** After the layout: an edge's bends, and the place of its label. */
    edge(from: string, to: string, name: string): Point & { readonly points: readonly Point[] };
  }
  export const graphlib: { readonly Graph: typeof Graph };
  export function layout(graph: Graph): void;
}
