// Which parts of a value carry tangents: what a derivative is taken along is active, what a function captures is not. An array or a tree that is only read stays as
// it is; a number that is passive becomes (x, 0) where it meets active ones.

import { arrayType, tupleType } from "../core/build.js";
import { InternalError } from "../internal-error.js";
import type { Type } from "../core/type.js";
import type { DualData } from "./dual-data.js";

/** The parts of a value that are active. A real or a value of a data type is as a whole, a tuple by component, all elements of an array alike. */
export type Activity =
  | "passive"
  | "active"
  | { readonly kind: "tuple"; readonly items: readonly Activity[] }
  | { readonly kind: "array"; readonly element: Activity };

export function activityOfTuple(items: readonly Activity[]): Activity {
  return items.every((item) => item === "passive") ? "passive" : { kind: "tuple", items };
}

export function activityOfArray(element: Activity): Activity {
  return element === "passive" ? "passive" : { kind: "array", element };
}

export function ofItem(activity: Activity, index: number): Activity {
  if (activity === "passive") return "passive";
  if (activity === "active" || activity.kind !== "tuple") throw new InternalError("derivatives", "no tuple");
  return activity.items[index] ?? "passive";
}

export function ofElement(activity: Activity): Activity {
  if (activity === "passive") return "passive";
  if (activity === "active" || activity.kind !== "array") throw new InternalError("derivatives", "no array");
  return activity.element;
}

/** Where any of two is active. */
export function join(a: Activity, b: Activity): Activity {
  if (a === "passive") return b;
  if (b === "passive" || a === "active" || b === "active") return a;
  if (a.kind === "array") return { kind: "array", element: join(a.element, ofElement(b)) };
  return { kind: "tuple", items: a.items.map((item, index) => join(item, ofItem(b, index))) };
}

export function sameActivity(a: Activity, b: Activity): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** All that can be active in a value of a type. */
export function fullActivity(type: Type, data: DualData): Activity {
  switch (type.kind) {
    case "real":
      return "active";
    case "tuple":
      return activityOfTuple(type.items.map((item) => fullActivity(item, data)));
    case "array":
      return activityOfArray(fullActivity(type.element, data));
    case "data":
      return data.hasReal(type) ? "active" : "passive";
    default:
      return "passive";
  }
}

/** KR22 Fig. 3 on types: an active R is (R, R). */
export function dualType(type: Type, activity: Activity, data: DualData): Type {
  if (activity === "passive") return type;
  switch (type.kind) {
    case "real":
      return tupleType(type, type);
    case "tuple":
      return tupleType(...type.items.map((item, index) => dualType(item, ofItem(activity, index), data)));
    case "array":
      return arrayType(dualType(type.element, ofElement(activity), data));
    case "data":
      return data.dual(type);
    default:
      throw new InternalError("derivatives", `a ${type.kind} has no tangent`);
  }
}
