// The group `derivatives`: directional derivatives, Hessians times vectors and Jacobians, against those by hand.

import { callOf, derivativeCode, derivativeModels, type DerivativeForm, type DerivativeModel } from "./derivatives/index.js"; // prettier-ignore
import { summary, type Time } from "./measure.js";
import { inProcess, type Measurement } from "./process.js";
import { tolerance } from "./row.js";
import { duration, printTable, ratio } from "./table.js";

export const derivative: Measurement<readonly number[]> = {
  file: "derivative",
  isResult: (value): value is readonly number[] =>
    Array.isArray(value) && value.every((item) => typeof item === "number"),
};

const forms = ["jvp", "hvp", "jacobian"] as const;

/** One model. Null where there is no Jacobian. */
export interface DerivativeRow {
  readonly name: string;
  readonly grad: Time;
  /** The gradient of the sum of what there is a Jacobian of; null where nobody asks. */
  readonly sum: Time | null;
  readonly byForm: Readonly<Record<(typeof forms)[number], { readonly hand: Time; readonly emitted: Time } | null>>;
}

export function measureDerivatives(wanted: (name: string) => boolean): readonly DerivativeRow[] {
  const rows = derivativeModels.filter(({ name }) => wanted(`derivatives ${name}`)).map(measured);
  if (rows.length === 0) return [];
  printTable(
    "More than gradients, by hand and emitted",
    [
      "",
      ...forms.flatMap((form) => [`${form} by hand`, form, "/hand"]),
      "gradient",
      "hvp/gradient",
      "jacobian/gradient of the sum",
    ],
    rows.map(({ name, grad, sum, byForm }) => [
      name,
      ...forms.flatMap((form) => {
        const times = byForm[form];
        if (times === null) return ["-", "-", "-"];
        const [hand, emitted] = [times.hand.median, times.emitted.median];
        return [duration(hand), duration(emitted), ratio(emitted, hand)];
      }),
      duration(grad.median),
      byForm.hvp === null ? "-" : ratio(byForm.hvp.emitted.median, grad.median),
      sum === null || byForm.jacobian === null ? "-" : ratio(byForm.jacobian.emitted.median, sum.median),
    ]),
  );
  return rows;
}

/** Each function in five processes, which take turns with those of the others. */
function measured(model: DerivativeModel): DerivativeRow {
  const { name } = model;
  const timed: { readonly form: DerivativeForm; readonly what: string; readonly code: string; readonly samples: number[] }[] = []; // prettier-ignore
  for (const form of ["grad", "sum", ...forms] as const) {
    if (callOf(model, form) === null) continue;
    const code = derivativeCode(model, form);
    timed.push({ form, what: "emitted", code, samples: [] });
    if (form === "grad" || form === "sum") continue;
    timed.push({ form, what: "hand", code: "", samples: [] });
    const [error = NaN] = inProcess(derivative, [name, form, "agreement"], code);
    if (!(error <= tolerance)) throw new Error(`${name}, ${form}: differs from what is written by hand, by ${error}`);
  }
  for (let turn = 0; turn < 5; turn++)
    for (const { form, what, code, samples } of timed) samples.push(...inProcess(derivative, [name, form, what], code));
  const of = (form: DerivativeForm, what: string): Time =>
    summary(timed.find((each) => each.form === form && each.what === what)?.samples ?? []);
  const both = (form: DerivativeForm) =>
    callOf(model, form) && { hand: of(form, "hand"), emitted: of(form, "emitted") };
  const sum = callOf(model, "sum") && of("sum", "emitted");
  return { name, grad: of("grad", "emitted"), sum, byForm: { jvp: both("jvp"), hvp: both("hvp"), jacobian: both("jacobian") } }; // prettier-ignore
}
