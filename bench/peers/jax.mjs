// Gradients of the workloads with @jax-js/jax: arrays on its Wasm device in float64, one jitted function for value and gradient. Its arrays are made
// before anything is timed; the results are read back as typed arrays.

// It asks whether arrays are of this class, which Node has from version 24
globalThis.Float16Array ??= class Float16Array {};

const { defaultDevice, init, jit, nn, numpy: np, valueAndGrad, vjp } = await import("@jax-js/jax");

await init("wasm");
defaultDevice("wasm");

const dtype = np.float64;
const array = (data) => np.array(Array.isArray(data) ? flat(data) : Float64Array.from(data), { dtype });
const scalar = (value) => np.array(value, { dtype });
const matrix = (rows) => array(rows).reshape([rows.length, rows[0].length]);
const flat = (rows) => Float64Array.from(rows.flatMap((row) => [...row]));

/** Calls a function of trees of arrays, which consumes them, and reads what it gives. */
function calling(fn, args) {
  const leaves = (tree) =>
    tree instanceof np.Array ? tree.ref : Array.isArray(tree) ? tree.map(leaves) : mapped(tree);
  const mapped = (tree) => Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, leaves(value)]));
  const read = (tree) => {
    if (tree instanceof np.Array) return tree.dataSync();
    return Array.isArray(tree) ? tree.map(read) : Object.values(tree).map(read);
  };
  return () => read(fn(...args.map(leaves)));
}

/** Value and gradient in all parameters, as one compiled function. */
const gradient = (fn, count) => jit(valueAndGrad(fn, { argnums: Array.from({ length: count }, (_, i) => i) }));

function affine({ weights, bias }, x) {
  return np.matmul(weights, x).add(bias);
}

function rotate(q, v) {
  const u = q.ref.slice([0, 3]);
  const s = q.slice(3);
  const along = np.dot(u.ref, v.ref).mul(2);
  const kept = s.ref.mul(s.ref).sub(np.dot(u.ref, u.ref));
  const across = np.cross(u.ref, v.ref).mul(s.mul(2));
  return along.mul(u).add(kept.mul(v)).add(across);
}

function particles(steps) {
  return (start) => {
    let position = start.ref.slice([], [0, 2]);
    let velocity = start.slice([], [2, 4]);
    for (let i = 0; i < steps; i++) {
      const force = position.ref.neg().sub(velocity.ref.mul(0.1));
      position = position.add(velocity.ref.mul(0.01));
      velocity = velocity.add(force.mul(0.01));
    }
    return np.prod(position, 1).sum();
  };
}

/** Its `exp` is as exact as float32 needs. */
export const tolerance = 1e-6;

const mostSteps = 100;

/** By workload: from its arguments to a function that gives value and gradient; or why there is none. */
export const gradients = {
  product: (x, y) =>
    calling(
      gradient((a, b) => a.mul(b), 2),
      [scalar(x), scalar(y)],
    ),
  dot: (x, y) =>
    calling(
      gradient((a, b) => np.dot(a, b), 2),
      [array(x), array(y)],
    ),
  "mat-vec": (m, v) =>
    calling(
      gradient((a, b) => np.matmul(a, b).sum(), 2),
      [matrix(m), array(v)],
    ),
  rotate: ({ vector, scalar: s }, v) => {
    const unit = (i) => np.eye(3, 3, { dtype }).slice(i);
    const jacobian = jit((q, w) => {
      const [value, pullback] = vjp(rotate, [q, w]);
      return [value, [0, 1, 2].map((i) => pullback(unit(i)))];
    });
    return calling(jacobian, [array([vector.x, vector.y, vector.z, s].map((x) => [x])), array([[v.x], [v.y], [v.z]])]);
  },
  network: (x, hidden, output) => {
    const classes = output.bias.length;
    const value = (input, first, second) => {
      const p = nn.softmax(affine(second, nn.relu(affine(first, input))));
      return np.dot(p, np.arange(1, classes + 1, 1, { dtype }));
    };
    const layer = ({ weights, bias }) => ({ weights: matrix(weights), bias: array(bias) });
    return calling(gradient(value, 3), [array(x), layer(hidden), layer(output)]);
  },
  particles: (steps, start) => {
    if (steps > mostSteps) return `there is no loop, and ${steps} steps written out overflow the stack of its compiler`;
    const rows = start.map(({ x, y, vx, vy }) => [x, y, vx, vy]);
    const run = calling(gradient(particles(steps), 1), [matrix(rows)]);
    return () => {
      const [value, [grad]] = run();
      return [value, 0, grad];
    };
  },
  "log-sum-exp": (xs) =>
    calling(
      gradient((a) => nn.logsumexp(a), 1),
      [array(xs)],
    ),
};
