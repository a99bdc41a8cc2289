// Cox's partial log-likelihood by hand: risks from the last subject to the first, sums of 1 by risks back again.

import { rowsOf, vec } from "../inputs.js";
import { natural, type Sized } from "./natural.js";

interface Subject {
  readonly died: boolean;
  readonly covariates: Float64Array;
}

function scoreOf(beta: Float64Array, covariates: Float64Array): number {
  let score = 0;
  for (let k = 0; k < beta.length; k++) score += (beta[k] ?? 0) * (covariates[k] ?? 0);
  return score;
}

function penaltyOf(beta: Float64Array, penalty: number): number {
  return 0.5 * penalty * scoreOf(beta, beta);
}

function loss(beta: Float64Array, penalty: number, subjects: readonly Subject[]): number {
  let risk = 0;
  let total = 0;
  for (let i = subjects.length - 1; i >= 0; i--) {
    const subject = subjects[i];
    if (subject === undefined) break;
    const score = scoreOf(beta, subject.covariates);
    risk += Math.exp(score);
    if (subject.died) total += Math.log(risk) - score;
  }
  return total / subjects.length + penaltyOf(beta, penalty);
}

function lossGradient(beta: Float64Array, penalty: number, subjects: readonly Subject[]) {
  const count = subjects.length;
  const width = beta.length;
  const shares = new Float64Array(count);
  const risks = new Float64Array(count);
  let risk = 0;
  let total = 0;
  for (let i = count - 1; i >= 0; i--) {
    const subject = subjects[i];
    if (subject === undefined) break;
    const score = scoreOf(beta, subject.covariates);
    const share = Math.exp(score);
    risk += share;
    shares[i] = share;
    risks[i] = risk;
    if (subject.died) total += Math.log(risk) - score;
  }
  const beta_ = beta.map((b) => penalty * b);
  const rows_ = rowsOf(new Float64Array(count * width), count, width);
  let risk_ = 0;
  const subjects_ = subjects.map(({ died, covariates }, i) => {
    if (died) risk_ += 1 / (count * (risks[i] ?? 0));
    const score_ = risk_ * (shares[i] ?? 0) - (died ? 1 / count : 0);
    const row_ = rows_[i] ?? covariates;
    for (let k = 0; k < width; k++) {
      beta_[k] = (beta_[k] ?? 0) + score_ * (covariates[k] ?? 0);
      row_[k] = score_ * (beta[k] ?? 0);
    }
    return { died, covariates: row_ };
  });
  return {
    value: total / count + penaltyOf(beta, penalty),
    grad: { beta: beta_, penalty: 0.5 * scoreOf(beta, beta), subjects: subjects_ },
  };
}

/** Subjects with six covariates each, of whom about two thirds died. */
function ofSize(count: number): Sized {
  const rows = rowsOf(vec(6 * count, 150), count, 6);
  const fates = vec(count, 151);
  return {
    entry: "loss",
    args: [
      vec(6, 152),
      0.1,
      rows.map((row, i): Subject => ({ died: (fates[i] ?? 0) < 0.33, covariates: row.slice() })),
    ],
    elements: count * 20,
    primal: loss,
    gradient: lossGradient,
  };
}

export const workloads = natural("cox", [300, 3000, 30000], ofSize);
