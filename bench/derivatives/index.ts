// The models of the group `derivatives`, each function of them by hand and as emitted.

import { readFileSync } from "node:fs";
import { compile } from "../../src/index.js";
import { bodies } from "./bodies.js";
import { kalman } from "./kalman.js";
import { local } from "./local.js";
import type { DerivativeModel } from "./model.js";
import { network } from "./network.js";
import { regression } from "./regression.js";
import { rotation } from "./rotation.js";

export type { DerivativeModel } from "./model.js";

export const derivativeModels: readonly DerivativeModel[] = [rotation, network, bodies, kalman, regression, local];

export const derivativeForms = ["grad", "jvp", "hvp", "jacobian", "sum"] as const;

export type DerivativeForm = (typeof derivativeForms)[number];

/** A function of the module, and what it is given; by hand there is no gradient: it is a part of `hvp`. */
export interface DerivativeCall {
  readonly exported: string;
  readonly args: readonly unknown[];
  readonly byHand: unknown;
}

export function derivativeModel(name: string): DerivativeModel {
  const found = derivativeModels.find((model) => model.name === name);
  if (found === undefined) throw new Error(`there is no model ${name}`);
  return found;
}

/** Null where there is none. */
export function callOf(model: DerivativeModel, form: DerivativeForm): DerivativeCall | null {
  const { entry, args, direction, jvp, hvp, jacobian } = model;
  switch (form) {
    case "grad":
      return { exported: `${entry}Grad`, args, byHand: null };
    case "jvp":
      return jvp && { exported: `${entry}Jvp`, args: [...args, ...direction], byHand: jvp };
    case "hvp":
      return hvp && { exported: `${entry}Hvp`, args: [...args, ...direction], byHand: hvp };
    case "jacobian":
      return jacobian && { exported: `${jacobian.entry}Jacobian`, args: jacobian.args, byHand: jacobian.byHand };
    case "sum":
      return jacobian?.sum ? { exported: `${jacobian.sum}Grad`, args: args.slice(0, jacobian.args.length), byHand: null } : null; // prettier-ignore
  }
}

/** The JavaScript module that has them. The working directory is the repository's root. */
export function derivativeCode({ entry, wrt, jacobian }: DerivativeModel, form: DerivativeForm): string {
  const name = "bench/derivatives/models.lam";
  const wanted = (form === "jacobian" ? jacobian?.entry : form === "sum" ? jacobian?.sum : null) ?? entry;
  const of = wrt.map((param) => `${wanted}.${param}`);
  const compiled = compile({ name, text: readFileSync(name, "utf8") }, { target: "js", entries: [wanted], with: [form === "sum" ? "grad" : form], wrt: of }); // prettier-ignore
  if (!compiled.ok) throw new Error(compiled.diagnostics.map(({ title }) => title).join("; "));
  return compiled.value.code;
}
