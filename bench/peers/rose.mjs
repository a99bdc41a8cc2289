// Gradients of the workloads with Rose: functions of vectors of known length, compiled to WebAssembly, on JavaScript's arrays.

import { Dual, Real, Vec, add, compile, div, fn, gt, mul, neg, opaque, select, struct, sub, sum, vec, vjp } from "rose";

const exp = opaque([Real], Real, Math.exp);
exp.jvp = fn([Dual], Dual, ({ re: x, du: dx }) => {
  const y = exp(x);
  return { re: y, du: mul(dx, y) };
});

const log = opaque([Real], Real, Math.log);
log.jvp = fn([Dual], Dual, ({ re: x, du: dx }) => ({ re: log(x), du: div(dx, x) }));

const max = (terms) => terms.reduce((a, b) => select(gt(b, a), Real, b, a));

/** A function that gives value and gradient of `f`, whose parameter has the type `type`, at a point. */
async function gradient(type, f, point) {
  const value = fn([type], Real, f);
  const both = fn([type], struct({ value: Real, grad: type }), (x) => {
    const { ret, grad } = vjp(value)(x);
    return { value: ret, grad: grad(1) };
  });
  const compiled = await compile(both);
  return () => {
    const { value, grad } = compiled(point);
    return [value, grad];
  };
}

const arrays = (rows) => rows.map((row) => [...row]);

function rotate({ q, v }) {
  const u = [q[0], q[1], q[2]];
  const s = q[3];
  const dot = (a, b) => add(add(mul(a[0], b[0]), mul(a[1], b[1])), mul(a[2], b[2]));
  const along = mul(2, dot(u, v));
  const kept = sub(mul(s, s), dot(u, u));
  return [0, 1, 2].map((i) => {
    const [j, k] = [(i + 1) % 3, (i + 2) % 3];
    const across = sub(mul(u[j], v[k]), mul(u[k], v[j]));
    return add(add(mul(along, u[i]), mul(kept, v[i])), mul(mul(2, s), across));
  });
}

export const tolerance = 1e-9;

/** By workload: from its arguments to a function that gives value and gradient; */
export const gradients = {
  product: (x, y) => gradient(struct({ x: Real, y: Real }), ({ x, y }) => mul(x, y), { x, y }),
  dot: (x, y) => {
    const n = x.length;
    const V = Vec(n, Real);
    const f = ({ x, y }) => sum(n, (i) => mul(x[i], y[i]));
    return gradient(struct({ x: V, y: V }), f, { x: [...x], y: [...y] });
  },
  "mat-vec": (m, v) => {
    const n = v.length;
    const V = Vec(n, Real);
    const f = ({ m, v }) => sum(m_, (i) => sum(n, (j) => mul(m[i][j], v[j])));
    const m_ = m.length;
    return gradient(struct({ m: Vec(m_, V), v: V }), f, { m: arrays(m), v: [...v] });
  },
  rotate: async ({ vector, scalar }, { x, y, z }) => {
    const Vec3 = Vec(3, Real);
    const Both = struct({ q: Vec(4, Real), v: Vec3 });
    const value = fn([Both], Vec3, rotate);
    const all = fn([Both], struct({ value: Vec3, jacobian: Vec(3, Both) }), (point) => {
      const { ret, grad } = vjp(value)(point);
      return { value: ret, jacobian: [grad([1, 0, 0]), grad([0, 1, 0]), grad([0, 0, 1])] };
    });
    const compiled = await compile(all);
    const point = { q: [vector.x, vector.y, vector.z, scalar], v: [x, y, z] };
    return () => {
      const { value: result, jacobian } = compiled(point);
      return [result, jacobian];
    };
  },
  network: (x, hidden, output) => {
    const [n, m, k] = [x.length, hidden.bias.length, output.bias.length];
    const Layer = (from, to) => struct({ weights: Vec(to, Vec(from, Real)), bias: Vec(to, Real) });
    const affine = (from, to, { weights, bias }, y) =>
      vec(to, Real, (i) =>
        add(
          bias[i],
          sum(from, (j) => mul(weights[i][j], y[j])),
        ),
      );
    const f = ({ a, b, c }) => {
      const y = affine(n, m, b, a);
      const h = vec(m, Real, (i) => select(gt(y[i], 0), Real, y[i], 0));
      const z = affine(m, k, c, h);
      const top = max([...z]);
      const powers = vec(k, Real, (i) => exp(sub(z[i], top)));
      const total = sum(k, (i) => powers[i]);
      return [...powers].map((power, i) => mul(div(power, total), i + 1)).reduce(add);
    };
    const layer = ({ weights, bias }) => ({ weights: arrays(weights), bias: [...bias] });
    const order = ({ weights, bias }) => [weights, bias];
    const type = struct({ a: Vec(n, Real), b: Layer(n, m), c: Layer(m, k) });
    return gradient(type, f, { a: [...x], b: layer(hidden), c: layer(output) }).then((run) => () => {
      const [value, { a, b, c }] = run();
      return [value, a, order(b), order(c)];
    });
  },
  particles: (steps, start) => {
    const P = struct({ x: Real, y: Real, vx: Real, vy: Real });
    const step = fn([P], P, ({ x, y, vx, vy }) => {
      const ax = sub(neg(x), mul(0.1, vx));
      const ay = sub(neg(y), mul(0.1, vy));
      const moved = (p, v) => add(p, mul(0.01, v));
      return { x: moved(x, vx), y: moved(y, vy), vx: moved(vx, ax), vy: moved(vy, ay) };
    });
    const run = fn([P], Real, (particle) => {
      let p = particle;
      for (let i = 0; i < steps; i++) p = step(p);
      return mul(p.x, p.y);
    });
    const count = start.length;
    return gradient(Vec(count, P), (ps) => sum(count, (i) => run(ps[i])), start).then((both) => () => {
      const [value, grad] = both();
      return [value, 0, grad.map(({ x, y, vx, vy }) => [x, y, vx, vy])];
    });
  },
  "log-sum-exp": (xs) => {
    // There are no folds: maxima are written out, so of rows
    const columns = Array.from({ length: xs.length }, (_, i) => i + 1).find(
      (d) => d * d >= xs.length && xs.length % d === 0,
    );
    const rows = xs.length / columns;
    const Row = Vec(columns, Real);
    const rowMax = fn([Row], Real, (row) => max([...row]));
    const f = (x) => {
      const tops = vec(rows, Real, (i) => rowMax(x[i]));
      const top = max([...tops]);
      return add(log(sum(rows, (i) => sum(columns, (j) => exp(sub(x[i][j], top))))), top);
    };
    const point = Array.from({ length: rows }, (_, i) => [...xs.slice(i * columns, (i + 1) * columns)]);
    return gradient(Vec(rows, Row), f, point);
  },
};
