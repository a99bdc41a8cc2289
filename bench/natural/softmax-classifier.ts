// A classifier by hand: flat weights, and each example forward and back before the next one.

import { matrix, rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Layer {
  readonly weights: readonly Float64Array[];
  readonly biases: Float64Array;
}

interface Net {
  readonly hidden: Layer;
  readonly output: Layer;
}

interface Example {
  readonly features: Float64Array;
  readonly label: number;
}

/** A layer's weights in one array, by rows. */
interface Flat {
  readonly weights: Float64Array;
  readonly biases: Float64Array;
}

const none = new Float64Array(0);

function flat({ weights, biases }: Layer): Flat {
  const columns = weights[0]?.length ?? 0;
  const all = new Float64Array(weights.length * columns);
  let at = 0;
  for (const row of weights) for (let k = 0; k < columns; k++) all[at++] = row[k] ?? 0;
  return { weights: all, biases };
}

function affine({ weights, biases }: Flat, x: Float64Array, out: Float64Array): void {
  for (let i = 0, at = 0; i < biases.length; i++) {
    let total = biases[i] ?? 0;
    for (let k = 0; k < x.length; k++, at++) total += (weights[at] ?? 0) * (x[k] ?? 0);
    out[i] = total;
  }
}

/** Scores become probabilities; gives minus the logarithm of the label's. */
function softmax(scores: Float64Array, label: number): number {
  let top = -Infinity;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i] ?? 0;
    if (score > top) top = score;
  }
  const own = (scores[label] ?? 0) - top;
  let total = 0;
  for (let i = 0; i < scores.length; i++) {
    const e = Math.exp((scores[i] ?? 0) - top);
    scores[i] = e;
    total += e;
  }
  for (let i = 0; i < scores.length; i++) scores[i] = (scores[i] ?? 0) / total;
  return Math.log(total) - own;
}

/** An example's surprise; hidden values and probabilities in `hidden` and `chances`. */
function surprise(
  first: Flat,
  second: Flat,
  { features, label }: Example,
  hidden: Float64Array,
  chances: Float64Array,
): number {
  affine(first, features, hidden);
  for (let i = 0; i < hidden.length; i++) hidden[i] = Math.tanh(hidden[i] ?? 0);
  affine(second, hidden, chances);
  return softmax(chances, label);
}

function squares({ weights }: Flat): number {
  let total = 0;
  for (let i = 0; i < weights.length; i++) total += (weights[i] ?? 0) * (weights[i] ?? 0);
  return total;
}

function loss(net: Net, decay: number, examples: readonly Example[]): number {
  const [first, second] = [flat(net.hidden), flat(net.output)];
  const hidden = new Float64Array(first.biases.length);
  const chances = new Float64Array(second.biases.length);
  let total = 0;
  for (const example of examples) total += surprise(first, second, example, hidden, chances);
  return total / examples.length + 0.5 * decay * (squares(first) + squares(second));
}

/** Adds what the cotangents of a layer's results give to the layer; `x_` becomes those of its arguments. */
function affineBack({ weights }: Flat, x: Float64Array, out_: Float64Array, layer_: Flat, x_: Float64Array): void {
  x_.fill(0);
  for (let i = 0, at = 0; i < out_.length; i++) {
    const o_ = out_[i] ?? 0;
    layer_.biases[i] = (layer_.biases[i] ?? 0) + o_;
    for (let k = 0; k < x.length; k++, at++) {
      layer_.weights[at] = (layer_.weights[at] ?? 0) + o_ * (x[k] ?? 0);
      x_[k] = (x_[k] ?? 0) + o_ * (weights[at] ?? 0);
    }
  }
}

/** Cotangents of a layer, at first those of the penalty. */
function penaltyOf({ weights, biases }: Flat, decay: number): Flat {
  return { weights: weights.map((w) => decay * w), biases: new Float64Array(biases.length) };
}

function layerOf({ weights, biases }: Flat): Layer {
  return { weights: rowsOf(weights, biases.length, weights.length / biases.length), biases };
}

function lossGradient(net: Net, decay: number, examples: readonly Example[]) {
  const [first, second] = [flat(net.hidden), flat(net.output)];
  const [first_, second_] = [penaltyOf(first, decay), penaltyOf(second, decay)];
  const hidden = new Float64Array(first.biases.length);
  const hidden_ = new Float64Array(hidden.length);
  const chances = new Float64Array(second.biases.length);
  const count = examples.length;
  const width = first.weights.length / hidden.length;
  const features_ = rowsOf(new Float64Array(count * width), count, width);
  let total = 0;
  const examples_ = examples.map((example, n) => {
    total += surprise(first, second, example, hidden, chances);
    for (let i = 0; i < chances.length; i++) chances[i] = ((chances[i] ?? 0) - (i === example.label ? 1 : 0)) / count;
    affineBack(second, hidden, chances, second_, hidden_);
    for (let i = 0; i < hidden.length; i++) {
      const h = hidden[i] ?? 0;
      hidden_[i] = (hidden_[i] ?? 0) * (1 - h * h);
    }
    const row_ = features_[n] ?? none;
    affineBack(first, example.features, hidden_, first_, row_);
    return { features: row_, label: 0 };
  });
  const penalty = 0.5 * (squares(first) + squares(second));
  return {
    value: total / count + decay * penalty,
    grad: { net: { hidden: layerOf(first_), output: layerOf(second_) }, decay: penalty, examples: examples_ },
  };
}

/** Twelve features, sixteen hidden values, five classes. */
function ofSize(count: number): Sized {
  const labels = vec(count, 890, 2.5);
  return {
    entry: "loss",
    args: [
      {
        hidden: { weights: matrix(16, 12, 891, 0.7), biases: vec(16, 892, 0.3) },
        output: { weights: matrix(5, 16, 893, 0.7), biases: vec(5, 894, 0.3) },
      },
      0.01,
      matrix(count, 12, 895).map((features, n): Example => ({
        features,
        label: Math.min(4, Math.floor((labels[n] ?? 0) + 2.5)),
      })),
    ],
    elements: count * 600,
    primal: loss,
    gradient: lossGradient,
  };
}

/** Examples. */
export const workloads = natural("softmax-classifier", [50, 500, 5000], ofSize);
