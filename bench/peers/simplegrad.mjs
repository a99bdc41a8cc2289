// Gradients of the workloads with simplegrad: a graph of scalars, built once and compiled to JavaScript. What is timed sets the inputs, runs forward
// and backward, and reads the gradients.

import { ValueStorage, Variable } from "simplegrad";

/** Graphs of more operations take the JavaScript compiler long. */
const largest = 100_000;

class Graph {
  storage = new ValueStorage();
  inputs = [];
  values = [];

  input(value) {
    const variable = new Variable(this.storage);
    this.inputs.push(variable);
    this.values.push(value);
    return variable;
  }

  list(values) {
    return Array.from(values, (value) => this.input(value));
  }

  /** A function that gives value and gradient; for several results, their values and the rows of the Jacobian. */
  function(...results) {
    // One variable that all results are part of: what is compiled is what it depends on
    const all = results.reduce((sum, result) => sum.add(result));
    all.compile();
    const { storage, inputs, values } = this;
    const gradients = (result) => {
      storage.gv.fill(0);
      result.setGradient(1);
      storage.backward();
      return Float64Array.from(inputs, (variable) => variable.getGradient());
    };
    return () => {
      inputs.forEach((variable, i) => variable.setValue(values[i]));
      storage.forward();
      return [results.map((result) => result.getValue()), results.map(gradients)];
    };
  }
}

const sum = (terms) => terms.reduce((a, b) => a.add(b));
const dot = (a, b) => sum(a.map((x, i) => x.mul(b[i])));
const max = (terms) => terms.reduce((a, b) => a.add(b.sub(a).ReLU()));

/** Builds a graph of about so many operations, unless that is too many. */
const within = (operations, build) =>
  operations > largest ? `a graph of ${operations} operations is too large to be compiled` : build(new Graph());

export const tolerance = 1e-9;

/** By workload: from its arguments to a function that gives value and gradient; or why there is none. */
export const gradients = {
  product: (x, y) => within(1, (graph) => graph.function(graph.input(x).mul(graph.input(y)))),
  dot: (x, y) => within(2 * x.length, (graph) => graph.function(dot(graph.list(x), graph.list(y)))),
  "mat-vec": (m, v) =>
    within(2 * m.length * v.length, (graph) => {
      const rows = m.map((row) => graph.list(row));
      const vector = graph.list(v);
      return graph.function(sum(rows.map((row) => dot(row, vector))));
    }),
  rotate: ({ vector, scalar }, { x, y, z }) =>
    within(60, (graph) => {
      const u = graph.list([vector.x, vector.y, vector.z]);
      const s = graph.input(scalar);
      const v = graph.list([x, y, z]);
      const along = dot(u, v).mul(2);
      const kept = s.mul(s).sub(dot(u, u));
      const twice = s.mul(2);
      const results = [0, 1, 2].map((i) => {
        const [j, k] = [(i + 1) % 3, (i + 2) % 3];
        const across = u[j].mul(v[k]).sub(u[k].mul(v[j]));
        return along.mul(u[i]).add(kept.mul(v[i])).add(twice.mul(across));
      });
      return graph.function(...results);
    }),
  network: (x, hidden, output) =>
    within(2 * hidden.bias.length * (x.length + output.bias.length), (graph) => {
      const input = graph.list(x);
      const layers = [hidden, output].map(({ weights, bias }) => [
        weights.map((row) => graph.list(row)),
        graph.list(bias),
      ]);
      const affine = ([weights, bias], y) => weights.map((row, i) => dot(row, y).add(bias[i]));
      const scores = affine(
        layers[1],
        affine(layers[0], input).map((y) => y.ReLU()),
      );
      const top = max(scores);
      const powers = scores.map((score) => score.sub(top).exp());
      const total = sum(powers);
      return graph.function(sum(powers.map((power, i) => power.div(total).mul(i + 1))));
    }),
  particles: (steps, start) =>
    within(4 * 12 * steps, (graph) => {
      const products = start.map((particle) => {
        let [x, y, vx, vy] = graph.list([particle.x, particle.y, particle.vx, particle.vy]);
        const force = (p, v) => p.mul(-1).sub(v.mul(0.1));
        for (let i = 0; i < steps; i++) {
          const [ax, ay] = [force(x, vx), force(y, vy)];
          [x, y] = [x.add(vx.mul(0.01)), y.add(vy.mul(0.01))];
          [vx, vy] = [vx.add(ax.mul(0.01)), vy.add(ay.mul(0.01))];
        }
        return x.mul(y);
      });
      const run = graph.function(sum(products));
      return () => {
        const [value, gradient] = run();
        return [value, 0, gradient];
      };
    }),
  "log-sum-exp": (xs) =>
    within(6 * xs.length, (graph) => {
      const inputs = graph.list(xs);
      const top = max(inputs);
      return graph.function(
        sum(inputs.map((x) => x.sub(top).exp()))
          .log()
          .add(top),
      );
    }),
};
