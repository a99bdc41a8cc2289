// A Kalman filter's likelihood: the yearly flow of the Nile at Aswan from 1871 to 1970, in 10^8 m³, as a level that wanders and is seen through noise
// (Durbin & Koopman, Time Series Analysis by State Space Methods, 2001). How large are both? And did the level fall in 1899?

import { isMain } from "../shared/is-main.js";
import { minimize, type Minimum } from "../shared/minimize.js";
import { lossGrad, type Level } from "./model.grad.js";

// prettier-ignore
export const nile = Float64Array.of(
  1120, 1160, 963, 1210, 1160, 1160, 813, 1230, 1370, 1140, 995, 935, 1110, 994, 1020, 960, 1180, 799, 958, 1140,
  1100, 1210, 1150, 1250, 1260, 1220, 1030, 1100, 774, 840, 874, 694, 940, 833, 701, 916, 692, 1020, 1050, 969,
  831, 726, 456, 824, 702, 1120, 1100, 832, 764, 821, 768, 845, 864, 862, 698, 845, 744, 796, 1040, 759,
  781, 865, 845, 944, 984, 897, 822, 1010, 771, 676, 649, 846, 812, 742, 801, 1040, 860, 874, 848, 890,
  744, 749, 838, 1050, 918, 986, 797, 923, 975, 815, 1020, 906, 901, 1170, 912, 746, 919, 718, 714, 740,
);

/** The index of 1899. */
export const year1899 = 1899 - 1871;

/** The most likely standard deviations, and step at a year of the series; none where the year is after its end. */
export function fit(stepAt: number): Minimum<Level> {
  return minimize(
    { measurement: 5, wandering: 3, step: 0 },
    (level) => {
      const { value, grad } = lossGrad(level, nile, stepAt);
      return { value, gradient: grad.level };
    },
    { tolerance: 1e-6, iterations: 200 },
  );
}

export function report(): string {
  const [plain, stepped] = [fit(nile.length), fit(year1899)];
  const variance = (logarithm: number) => Math.exp(2 * logarithm).toFixed(0);
  return `Variances: ${variance(plain.at.measurement)} of the measurements, ${variance(plain.at.wandering)} of the level each year; log-likelihood ${(-plain.value).toFixed(2)}.
With a step of ${stepped.at.step.toFixed(0)} in 1899, ${variance(stepped.at.measurement)} and ${variance(stepped.at.wandering)}: log-likelihood ${(-stepped.value).toFixed(2)}.`;
}

if (isMain(import.meta.url)) console.log(report());
