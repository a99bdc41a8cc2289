// The models in plain style, by subject: the first, third .. subjects are for work, and may be profiled; the second, fourth .. are for judging, and nobody looks at what is emitted
// for them. Of the hidden Markov model and the binomial option somebody has: they have changed places with the implied volatility and the Ising model.

import type { LazyWorkload } from "../workload.js";
import { workloads as adaptiveStep } from "./adaptive-step.js";
import { workloads as attention } from "./attention.js";
import { workloads as binomialOption } from "./binomial-option.js";
import { workloads as cloth } from "./cloth.js";
import { workloads as convolution1d } from "./convolution-1d.js";
import { workloads as convolution2d } from "./convolution-2d.js";
import { workloads as cox } from "./cox.js";
import { workloads as cubicSplineFit } from "./cubic-spline-fit.js";
import { workloads as expressionTrees } from "./expression-trees.js";
import { workloads as finiteElements } from "./finite-elements.js";
import { workloads as gaussianClusters } from "./gaussian-clusters.js";
import { libraryWorkloads as libraryGaussianProcess, workloads as gaussianProcess } from "./gaussian-process.js";
import { workloads as gru } from "./gru.js";
import { workloads as heat2d } from "./heat-2d.js";
import { workloads as hmm } from "./hmm.js";
import { workloads as impliedVolatility } from "./implied-volatility.js";
import { workloads as inverseKinematics } from "./inverse-kinematics.js";
import { workloads as isingMeanField } from "./ising-mean-field.js";
import { workloads as kalman } from "./kalman.js";
import { workloads as logisticRegression } from "./logistic-regression.js";
import { workloads as matrixFactorisation } from "./matrix-factorisation.js";
import { workloads as nBodies } from "./n-bodies.js";
import { workloads as phylogeny } from "./phylogeny.js";
import { workloads as poissonGlmm } from "./poisson-glmm.js";
import { workloads as rayMarch } from "./ray-march.js";
import { workloads as rk4Reaction } from "./rk4-reaction.js";
import { workloads as sinkhorn } from "./sinkhorn.js";
import { workloads as softDtw } from "./soft-dtw.js";
import { workloads as softmaxClassifier } from "./softmax-classifier.js";
import { workloads as temporalClassification } from "./temporal-classification.js";
import { workloads as waveBoundary } from "./wave-boundary.js";

/** One model: its workloads at three sizes, and which half it belongs to, or that it uses the library. */
export interface NaturalModel {
  readonly half: "work" | "judging" | "library";
  readonly workloads: readonly LazyWorkload[];
}

export const naturalModels: readonly NaturalModel[] = [
  { half: "work", workloads: kalman },
  { half: "work", workloads: hmm },
  { half: "work", workloads: gaussianProcess },
  { half: "judging", workloads: logisticRegression },
  { half: "work", workloads: matrixFactorisation },
  { half: "judging", workloads: poissonGlmm },
  { half: "work", workloads: gru },
  { half: "judging", workloads: attention },
  { half: "work", workloads: convolution1d },
  { half: "work", workloads: convolution2d },
  { half: "judging", workloads: softmaxClassifier },
  { half: "work", workloads: rk4Reaction },
  { half: "judging", workloads: adaptiveStep },
  { half: "work", workloads: heat2d },
  { half: "judging", workloads: waveBoundary },
  { half: "work", workloads: cubicSplineFit },
  { half: "judging", workloads: inverseKinematics },
  { half: "work", workloads: nBodies },
  { half: "judging", workloads: cloth },
  { half: "work", workloads: rayMarch },
  { half: "judging", workloads: softDtw },
  { half: "work", workloads: temporalClassification },
  { half: "work", workloads: binomialOption },
  { half: "judging", workloads: impliedVolatility },
  { half: "judging", workloads: phylogeny },
  { half: "work", workloads: expressionTrees },
  { half: "judging", workloads: sinkhorn },
  { half: "work", workloads: finiteElements },
  { half: "judging", workloads: cox },
  { half: "judging", workloads: isingMeanField },
  { half: "judging", workloads: gaussianClusters },
  { half: "library", workloads: libraryGaussianProcess },
];
