// Random programs whose definitions have rules that say what follows from their texts anyway.

import { neededNames, printDefinition, printProgram, type Definition, type RandomProgram } from "./random-program.js";
import type { Type } from "./random-types.js";

/**
 * The program as text, with a rule for each definition that has one; null where none has. A derivative within a derivative goes by rules, too.
 *
 *   def f p q = fText p q        rule derivative f p q dp dq = snd (jvp (\(p, q). fText p q) (p, q) (dp, dq))        or a rule for the pullback
 */
export function printWithRules(program: RandomProgram): string | null {
  const needed = neededNames(program);
  const ruled = program.definitions.filter((each) => needed.has(each.name) && isRuled(each, program));
  if (ruled.length === 0) return null;
  return ruled.reduce((text, definition, index) => {
    const own = printDefinition(definition);
    const named = own.replace(new RegExp(`\\b${definition.name}\\b`, "g"), `${definition.name}Text`);
    return text.replace(own, `${named}\n\n${withRule(definition, index % 2 === 0 ? "derivative" : "pullback")}`);
  }, printProgram(program));
}

function withRule({ name, params }: Definition, mode: "derivative" | "pullback"): string {
  const names = params.map((param) => param.name);
  const [point, tangents] = [names, names.map((each) => `d${each}`)].map((each) => (each.length === 1 ? each.join("") : `(${each.join(", ")})`)); // prettier-ignore
  const text = `(\\${point}. ${name}Text ${names.join(" ")})`;
  const said =
    mode === "derivative"
      ? `${names.map((each) => `d${each}`).join(" ")} = snd (jvp ${text} ${point} ${tangents})`
      : `w${name} = snd (vjp ${text} ${point}) w${name}`;
  return `def ${name} ${names.join(" ")} = ${name}Text ${names.join(" ")}\n\nrule ${mode} ${name} ${names.join(" ")} ${said}`;
}

/** Whether it takes and gives what has derivatives, each parameter under a name of its own. */
function isRuled({ params, result }: Definition, program: RandomProgram): boolean {
  const types = [...params.map(({ type }) => type), result];
  return params.length > 0 && types.every((type) => isFirstOrder(type, program));
}

function isFirstOrder(type: Type, program: RandomProgram): boolean {
  switch (type.kind) {
    case "tuple":
      return type.items.every((item) => isFirstOrder(item, program));
    case "array":
      return isFirstOrder(type.element, program);
    case "data":
      return !program.declared.some(({ name, inner }) => inner && name === type.name) && type.args.every((arg) => isFirstOrder(arg, program)); // prettier-ignore
    case "function":
    case "variable":
      return false;
    default:
      return true;
  }
}
