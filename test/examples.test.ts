// The worked examples: their modules are what the compiler makes, their gradients are right, and their programs reach what is known from elsewhere.

import { readFileSync } from "node:fs";
import { CholeskyDecomposition, inverse, Matrix, solve } from "ml-matrix";
import { describe, expect, test } from "vitest";
import { committedModule, compiledModule, examples, modelOf } from "../examples/compile.js";
import * as adjustment from "../examples/bundle-adjustment/main.js";
import { lossGrad as adjustmentGrad, type Camera } from "../examples/bundle-adjustment/model.grad.js";
import * as mixture from "../examples/gaussian-mixture/main.js";
import { loss as mixtureLoss, type Component } from "../examples/gaussian-mixture/model.grad.js";
import * as kinematics from "../examples/inverse-kinematics/main.js";
import { hand } from "../examples/inverse-kinematics/model.grad.js";
import * as kalman from "../examples/kalman-filter/main.js";
import { loss as kalmanLoss } from "../examples/kalman-filter/model.grad.js";
import * as logistic from "../examples/logistic-regression/main.js";
import * as predators from "../examples/lotka-volterra/main.js";
import { residualsVjp, trajectory, type Model } from "../examples/lotka-volterra/model.grad.js";
import { madePolicies, truth } from "../examples/sharded/shards.js";
import { numbersOf } from "../examples/shared/numbers.js";
import { randomNumbers } from "../examples/shared/random.js";
import * as spirals from "../examples/two-spirals/main.js";
import { defaultStage, format, grad, type GradResult, type StageName } from "../src/index.js";
import { firstDifference } from "./support/compare.js";

/** Where gradients are compared: a few data each, since finite differences are taken in these too. */
const points: Readonly<Record<string, readonly { readonly entry: string; readonly args: object }[]>> = {
  "logistic-regression": [
    { entry: "probability", args: { model: logistic.start, features: [0.7] } },
    { entry: "loss", args: { model: { bias: 0.3, weights: [-2] }, observations: logistic.flights.slice(0, 5) } },
  ],
  "lotka-volterra": [
    { entry: "trajectory", args: { model: predators.guess, years: 2 } },
    { entry: "residuals", args: { model: predators.guess, seen: predators.pelts.slice(0, 4) } },
  ],
  "inverse-kinematics": [
    {
      entry: "residuals",
      args: {
        arm: kinematics.arm,
        angles: [1, -2, 0.5, 0, 3, 1],
        target: kinematics.reachablePoses(1, randomNumbers(9))[0],
      },
    },
  ],
  "two-spirals": [
    { entry: "loss", args: { network: spirals.untrained(), examples: spirals.training.slice(50, 56), decay: 0.1 } },
  ],
  "gaussian-mixture": [
    { entry: "loss", args: { components: mixture.guess(), points: mixture.points.slice(245, 255) } },
  ],
  "bundle-adjustment": [
    { entry: "project", args: { camera: cameraWith({}), point: { x: 1, y: -1, z: 0.5 } } },
    // No rotation at all, where Rodrigues' formula is 0 / 0
    {
      entry: "project",
      args: { camera: cameraWith({ rotation: { x: 0, y: 0, z: 0 } }), point: { x: 1, y: -1, z: 0.5 } },
    },
    {
      entry: "loss",
      args: {
        cameras: adjustment.scene.cameras.slice(0, 2),
        points: adjustment.scene.points.slice(0, 2),
        sightings: [0, 1].map((k) => ({ camera: k, point: 1 - k, seen: [600, 500] })),
      },
    },
  ],
  "kalman-filter": [
    {
      entry: "loss",
      args: { level: { measurement: 5, wandering: 3, step: -100 }, series: kalman.nile.slice(0, 8), at: 4 },
    },
  ],
  sharded: [
    { entry: "loss", args: { rates: truth, ...madePolicies(5, 1) } },
    { entry: "prior", args: { rates: truth } },
  ],
};

function cameraWith(other: Partial<Camera>): Camera {
  const [camera] = adjustment.scene.cameras;
  if (camera === undefined) throw new Error("the scene has no camera");
  return { ...camera, ...other };
}

/** Arguments as a JSON document holds them. */
function asJson(args: object): unknown {
  const text = JSON.stringify(args, (_, value: unknown) => (value instanceof Float64Array ? [...value] : value));
  return JSON.parse(text);
}

describe.each(examples)("$name", (example) => {
  const source = modelOf(example);

  test("the committed module is the compiler's: npm run examples", () => {
    expect(committedModule(example)).toBe(compiledModule(example));
  });

  test("the model is formatted", () => {
    expect(format(source)).toMatchObject({ ok: true, value: source.text });
  });

  const differentiate = (entry: string, args: object, stage: StageName, check: boolean): GradResult => {
    const result = grad(source, entry, asJson(args), { stage, check });
    if (!result.ok) throw new Error(result.diagnostics.map(({ title }) => title).join("\n"));
    return result.value;
  };

  test.each(points[example.name] ?? [])("$entry: finite differences and forward mode agree", ({ entry, args }) => {
    const { document, differences } = differentiate(entry, args, defaultStage, true);
    expect(differences).toEqual([]);
    const forward = differentiate(entry, args, "forward", false).document;
    expect(firstDifference(numbersOf(document), numbersOf(forward), 1e-12)).toBeNull();
  });
});

describe("what the programs find", () => {
  test("logistic regression: the solution of Newton's method, and the one published", () => {
    const { at: model, slope } = logistic.train();
    expect(slope).toBeLessThan(1e-8);
    let beta = new Matrix([[0], [0]]);
    for (let i = 0; i < 20; i++) beta = newtonStep(beta);
    expect(model.bias).toBeCloseTo(beta.get(0, 0), 8);
    expect(model.weights[0]).toBeCloseTo(beta.get(1, 0), 8);
    // In °F: 15.043 - 0.2322 t
    expect((model.weights[0] ?? NaN) / 10).toBeCloseTo(-0.2322, 4);
    expect(model.bias - 7 * (model.weights[0] ?? NaN)).toBeCloseTo(15.0429, 3);
  });

  test("Lotka-Volterra: known parameters from what they give, and those of hares and lynxes", () => {
    const truth: Model = { start: { hares: 34, lynxes: 6 }, birth: 0.5, hunting: 0.025, feeding: 0.02, death: 0.75 };
    const recovered = predators.fit(trajectory(truth, 20), predators.guess).at;
    expect(firstDifference(numbersOf(recovered), numbersOf(truth), 1e-8)).toBeNull();

    // The posterior means of the Stan case study (Carpenter 2018): 0.55, 0.028, 0.024, 0.80, from 34 and 6
    const { at: fitted } = predators.fit(predators.pelts, predators.guess);
    const published = [34, 6, 0.55, 0.028, 0.024, 0.8];
    numbersOf(fitted).forEach((number, i) => {
      expect(number / (published[i] ?? NaN)).toBeCloseTo(1, 0.8);
    });
    const { value, pullback } = residualsVjp(fitted, predators.pelts);
    const { start, ...rates } = pullback(value).model;
    expect(Math.max(...numbersOf([start, rates]).map(Math.abs))).toBeLessThan(1e-3);
  });

  test("inverse kinematics: the hand is where it should be", () => {
    const random = randomNumbers(2);
    for (const pose of kinematics.reachablePoses(20, random)) {
      const { angles } = kinematics.reach(pose, random);
      const reached = numbersOf(hand(kinematics.arm, angles));
      expect(firstDifference(reached, pose.flatMap((row) => Array.from(row)), 1e-6)).toBeNull(); // prettier-ignore
      for (const angle of angles) expect(Math.abs(angle)).toBeLessThanOrEqual(kinematics.limit);
    }
  });

  test("two spirals: told apart, also where the network has not been", () => {
    expect(spirals.accuracy(spirals.untrained(), spirals.training)).toBeLessThan(0.8);
    const { at: network } = spirals.train();
    expect(spirals.accuracy(network, spirals.training)).toBe(1);
    expect(spirals.accuracy(network, spirals.unseen)).toBeGreaterThan(0.98);
  });

  test("Gaussian mixture: a step of the EM algorithm changes nothing", () => {
    const { at: components } = mixture.fit();
    const found = gaussians(components);
    emStep(found).forEach((next, i) => {
      expect(firstDifference(numbersOf(next), numbersOf(found[i]), 1e-5)).toBeNull();
      expect(next.share).toBeCloseTo(mixture.clouds[i]?.share ?? NaN, 1);
      expect(firstDifference(next.mean, mixture.clouds[i]?.mean ?? [], 0.2)).toBeNull();
    });
    expect(mixtureLoss(components, mixture.points)).toBeCloseTo(-logLikelihoodOf(found) / mixture.points.length, 10);
  });

  test("bundle adjustment: down to the noise, with the Jacobian that the gradient says", () => {
    const start = adjustment.estimate();
    const residuals = adjustment.residuals(start);
    const jacobian = new Matrix(adjustment.jacobian(start).map((row) => [...row]));
    const twice = jacobian.transpose().mmul(Matrix.columnVector([...residuals])).mul(2).to1DArray(); // prettier-ignore
    const { value, grad: gradient } = adjustmentGrad(start.cameras, start.points, adjustment.sightings);
    expect(value / residuals.reduce((sum, r) => sum + r * r, 0)).toBeCloseTo(1, 12);
    expect(firstDifference(numbersOf(gradient), twice, 1e-12)).toBeNull();

    // Noise of 0.1 in each of 360 numbers, of which 156 parameters, less 7 that no picture shows, take their part
    const { error } = adjustment.adjust(start);
    expect(adjustment.typicalError(error)).toBeCloseTo(Math.sqrt(0.02 * (1 - 149 / 360)), 2);
  });

  test("Kalman filter: the book's variances, and the likelihood without a filter", () => {
    const { at: level, value } = kalman.fit(kalman.nile.length);
    expect(Math.exp(2 * level.measurement) / 15099).toBeCloseTo(1, 3);
    expect(Math.exp(2 * level.wandering) / 1469.1).toBeCloseTo(1, 3);
    expect(value).toBeCloseTo(632.546, 2);
    expect(value).toBeCloseTo(-logLikelihoodOfDifferences(level.measurement, level.wandering), 3);
    expect(kalmanLoss(level, kalman.nile, 0)).toBeCloseTo(value, 3);

    // A step in 1899 takes up all that the level wandered: what is left is a mean before and a mean after
    const { at: stepped } = kalman.fit(kalman.year1899);
    const mean = (flows: Float64Array) => flows.reduce((sum, flow) => sum + flow, 0) / flows.length;
    const [before, after] = [kalman.nile.slice(0, kalman.year1899), kalman.nile.slice(kalman.year1899)];
    expect(stepped.step).toBeCloseTo(mean(after) - mean(before), 1);
    expect(Math.exp(stepped.wandering)).toBeLessThan(1);
  });
});

test.each([
  ["logistic-regression", logistic.report],
  ["lotka-volterra", predators.report],
  ["inverse-kinematics", kinematics.report],
  ["two-spirals", spirals.report],
  ["gaussian-mixture", mixture.report],
  ["bundle-adjustment", adjustment.report],
  ["kalman-filter", kalman.report],
])("the README shows what %s prints", (name, report) => {
  const readme = readFileSync(new URL("../examples/README.md", import.meta.url), "utf8");
  expect(readme).toContain(`$ npx tsx examples/${name}/main.ts\n${report()}\n`);
});

/** A step of Newton's method for logistic regression, with derivatives by hand. */
function newtonStep(beta: Matrix): Matrix {
  const x = new Matrix(logistic.flights.map(({ features }) => [1, ...Array.from(features)]));
  const p = x.mmul(beta).to1DArray().map((z) => 1 / (1 + Math.exp(-z))); // prettier-ignore
  const gradient = x
    .transpose()
    .mmul(Matrix.columnVector(p.map((q, i) => q - (logistic.flights[i]?.happened ? 1 : 0))));
  const hessian = x.transpose().mmul(Matrix.diag(p.map((q) => q * (1 - q)))).mmul(x); // prettier-ignore
  return Matrix.sub(beta, solve(hessian, gradient));
}

interface Gaussian {
  readonly share: number;
  readonly mean: readonly number[];
  readonly covariance: readonly (readonly number[])[];
}

function gaussians(components: readonly Component[]): readonly Gaussian[] {
  const shares = mixture.sharesOf(components);
  return components.map(({ mean, logDiagonal, below }, k) => {
    const q = Matrix.zeros(2, 2);
    logDiagonal.forEach((log, i) => q.set(i, i, Math.exp(log)));
    q.set(1, 0, below[1]?.[0] ?? NaN);
    return { share: shares[k] ?? NaN, mean: [...mean], covariance: inverse(q.transpose().mmul(q)).to2DArray() };
  });
}

/** The densities of the components at each point, times their shares. */
function densities(mixed: readonly Gaussian[]): readonly (readonly number[])[] {
  const inverses = mixed.map(({ covariance }) => inverse(copyOf(covariance)));
  return mixture.points.map((point) =>
    mixed.map(({ share, mean, covariance: [[a = NaN, b = NaN] = [], [, c = NaN] = []] }, k) => {
      const off = Matrix.columnVector(point.map((x, i) => x - (mean[i] ?? NaN)));
      const square = off.transpose().mmul((inverses[k] ?? off).mmul(off)).get(0, 0); // prettier-ignore
      return (share * Math.exp(-square / 2)) / (2 * Math.PI * Math.sqrt(a * c - b * b));
    }),
  );
}

function copyOf(rows: readonly (readonly number[])[]): Matrix {
  return new Matrix(rows.map((row) => [...row]));
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, x) => sum + x, 0);
}

function logLikelihoodOf(mixed: readonly Gaussian[]): number {
  return total(densities(mixed).map((each) => Math.log(total(each))));
}

/** A step of the EM algorithm. */
function emStep(mixed: readonly Gaussian[]): readonly Gaussian[] {
  const shares = densities(mixed).map((each) => each.map((density) => density / total(each)));
  return mixed.map((_, k) => {
    const weights = shares.map((each) => each[k] ?? NaN);
    const weighted = (f: (point: readonly number[]) => number) =>
      total(mixture.points.map((point, i) => (weights[i] ?? NaN) * f(point))) / total(weights);
    const mean = [0, 1].map((i) => weighted((point) => point[i] ?? NaN));
    const off = (point: readonly number[], i: number) => (point[i] ?? NaN) - (mean[i] ?? NaN);
    const covariance = [0, 1].map((i) => [0, 1].map((j) => weighted((point) => off(point, i) * off(point, j))));
    return { share: total(weights) / mixture.points.length, mean, covariance };
  });
}

/** The differences of a level that wanders are normal, with a tridiagonal covariance; that nothing is known of the level itself drops out. */
function logLikelihoodOfDifferences(logMeasurement: number, logWandering: number): number {
  const [noise, wandering] = [Math.exp(2 * logMeasurement), Math.exp(2 * logWandering)];
  const differences = [...kalman.nile].slice(1).map((flow, i) => flow - (kalman.nile[i] ?? NaN));
  const n = differences.length;
  const covariance = Matrix.zeros(n, n);
  for (let i = 0; i < n; i++) {
    covariance.set(i, i, wandering + 2 * noise);
    if (i > 0) covariance.set(i, i - 1, -noise).set(i - 1, i, -noise);
  }
  const factor = new CholeskyDecomposition(covariance);
  const logDeterminant = 2 * total(factor.lowerTriangularMatrix.diag().map(Math.log));
  const d = Matrix.columnVector(differences);
  return -(n * Math.log(2 * Math.PI) + logDeterminant + d.transpose().mmul(factor.solve(d)).get(0, 0)) / 2;
}
