// The functions that are built in and are no operations on scalars: those of arrays, and those of derivatives.

import { type Ty, arrayTy, fnTy, fnTys, intTy, realTy } from "./ty.js";

const arities = {
  build: 2,
  parBuild: 2,
  buildScan: 3,
  index: 2,
  length: 1,
  jvp: 3,
  vjp: 2,
  stopGradient: 1,
  pack: 1,
  unpack: 2,
  checkpoint: 2,
  "fail text": 0,
  "failAt text": 1,
  "rule derivative": 3,
  "rule pullback": 3,
  "extern def": 1,
} as const;

/** `index` is `!`; the names with a space stand where rules are, for `fail "text"` and `failAt "text"`, and for functions without text. */
export type BuiltInName = keyof typeof arities;

export const builtInNames: readonly BuiltInName[] = Object.keys(arities).filter(isBuiltInName);

export function isBuiltInName(name: string): name is BuiltInName {
  return Object.hasOwn(arities, name);
}

/** How many arguments it has. */
export function builtInArity(name: BuiltInName): number {
  return arities[name];
}

/** Its type at two types: that of an array's elements, after that of what a loop carries on; or those that a function under a derivative is from and to. */
export function builtInType(name: BuiltInName, first: Ty, second: Ty): Ty {
  switch (name) {
    case "build":
    case "parBuild":
      return fnTys([intTy, fnTy(intTy, first)], arrayTy(first));
    case "buildScan":
      return fnTys([intTy, first, fnTys([intTy, first], { kind: "tuple", items: [first, second] })], { kind: "tuple", items: [first, arrayTy(second)] }); // prettier-ignore
    case "index":
      return fnTys([arrayTy(first), intTy], first);
    case "length":
      return fnTy(arrayTy(first), intTy);
    case "jvp":
      return fnTys([fnTy(first, second), first, first], { kind: "tuple", items: [second, second] });
    case "vjp":
      return fnTys([fnTy(first, second), first], { kind: "tuple", items: [second, fnTy(second, first)] });
    case "stopGradient":
      return fnTy(first, first);
    case "pack":
      return fnTy(first, arrayTy(realTy));
    case "unpack":
      return fnTys([first, arrayTy(realTy)], first);
    case "checkpoint":
      return fnTys([fnTy(first, second), first], second);
    case "fail text":
      return first;
    case "failAt text":
      return fnTy(intTy, first);
    case "rule derivative":
      return fnTys([fnTy(first, second), fnTys([first, first, second], second), first], second);
    case "extern def":
      return fnTy(first, second);
    case "rule pullback":
      return fnTys([fnTy(first, second), fnTys([first, second, second], first), first], second);
  }
}
