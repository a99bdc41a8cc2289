import * as b from "../core/build.js";
import type { Fn, Param, Program, Term } from "../core/term.js";
import { TypeOf } from "../core/type-of.js";
import { mapSubterms, withBody } from "../optimise/rewrite.js";
import { freeIn } from "../optimise/term-facts.js";

/** Local functions as definitions, those of a group with a function that is `wanted`. What such a function calls must be wanted, too. */
export function localFunctionsLifted(program: Program, wanted: (name: string) => boolean = () => true): Program {
  const types = new TypeOf(program);
  const made: Fn[] = [];
  const captured = new Map<string, readonly Param[]>();
  const given = (name: string): readonly Term[] => (captured.get(name) ?? []).map((param) => b.variable(param.name));
  const lift = (start: Term): Term => {
    const around: ((body: Term) => Term)[] = [];
    let term = start;
    for (; term.kind === "let" || term.kind === "letRec"; term = term.body) {
      types.enterBinders(term);
      if (term.kind === "let") {
        const { name, type } = term;
        const bound = lift(term.bound);
        around.push((body) => b.letIn(name, type, bound, body));
        continue;
      }
      if (!term.functions.some(({ name }) => wanted(name))) {
        const functions = term.functions.map((fn) => withBody(fn, lift(fn.body)));
        around.push((body) => b.letRec(functions, body));
        continue;
      }
      const free = freeIn(b.letRec(term.functions, b.tuple()));
      const variables = new Set([...free.variables, ...[...free.functions].flatMap((name) => (captured.get(name) ?? []).map((param) => param.name))]); // prettier-ignore
      const params = [...variables].map((name) => b.param(name, types.of(b.variable(name))));
      for (const { name } of term.functions) captured.set(name, params);
      for (const fn of term.functions) made.push({ ...fn, params: [...fn.params, ...params], body: lift(fn.body) });
    }
    types.enterBinders(term);
    const end = mapSubterms(term, lift);
    return b.wrapAll(around, end.kind === "call" ? { ...end, args: [...end.args, ...given(end.fn)] } : end);
  };
  const definitions = program.definitions.map((fn) => withBody(fn, lift(fn.body)));
  return { ...program, definitions: [...made, ...definitions] };
}
