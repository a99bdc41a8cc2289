// What `debug "text" t` is in a module that shows it: t, with its numbers and truth values shown in the order in which they stand.

import * as b from "../core/build.js";
import type { OpName } from "../core/primitives.js";
import { printType } from "../core/print-type.js";
import type { Branch, Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import type { ScopeNames } from "./scope-names.js";
import type { Session } from "./session.js";

type Data = Type & { readonly kind: "data" };

/** Of a value with more parts the first ones are shown; data types in each other can make a text that is very long. */
const mostParts = 200;

export class Shown {
  /** The functions that show values of data types, inside of which the term stands, by type. */
  readonly #open = new Map<string, string>();
  #parts = 0;

  constructor(
    private readonly session: Session,
    private readonly names: ScopeNames,
    private readonly site: Site,
  ) {}

  /** `path` is where in the shown value the term is, `index` its place in the innermost array around it. */
  of(type: Type, term: Term, path: string, index: Term | null = null): Term {
    this.#parts += 1;
    if (this.#parts > mostParts) return term;
    switch (type.kind) {
      case "real":
        return this.#scalar("show", "showAt", term, path, index);
      case "int":
        return this.#scalar("showZ", "showAtZ", term, path, index);
      case "bool":
        return this.#scalar("showB", "showAtB", term, path, index);
      case "tuple":
        return this.#bound(type, term, (whole) =>
          b.tuple(...type.items.map((item, i) => this.of(item, b.proj(i, whole), `${path}.${i}`, index))),
        );
      case "array":
        return this.#bound(type, term, (whole) => {
          const i = this.names.fresh("i");
          const at = b.variable(i);
          const element = this.of(type.element, b.indexOf(whole, at, null), `${path}[]`, at);
          return b.build(b.length(whole), i, type.element, element, null);
        });
      case "data":
        return this.#data(type, term, path, index);
      case "fn":
      case "typeVar":
        return term;
    }
  }

  #scalar(alone: OpName, inArray: OpName, term: Term, path: string, index: Term | null): Term {
    const site = { ...this.site, label: path };
    return index === null ? b.op(alone, [term], site) : b.op(inArray, [term, index], site);
  }

  /** `inner` of a variable that is bound to a term. */
  #bound(type: Type, term: Term, inner: (variable: Term) => Term): Term {
    if (term.kind === "var") return inner(term);
    const name = this.names.fresh("shown");
    return b.letIn(name, type, term, inner(b.variable(name)));
  }

  /** A value of a data type: a local function shows it, since it may be a part of one of the same type. */
  #data(type: Data, term: Term, path: string, index: Term | null): Term {
    const key = printType(type);
    const known = this.#open.get(key);
    if (known !== undefined) return b.call(known, [term]);
    const constructors = this.session.data.constructorsOf(type);
    const isRecord = constructors.length === 1 && constructors[0]?.fieldNames !== null;
    const name = this.session.names.fresh("show");
    this.#open.set(key, name);
    const whole = this.names.fresh("whole");
    const branches = constructors.map(({ name: con, fields, fieldNames }): Branch => {
      const vars = fields.map(() => this.names.fresh("part"));
      const parts = fields.map((field, i) => {
        const own = `${isRecord ? "" : `.${con}`}.${fieldNames?.[i] ?? `_${i}`}`;
        return this.of(field, b.variable(vars[i] ?? ""), path + own, isRecord ? index : null);
      });
      return { con, vars, body: b.con(con, type, parts) };
    });
    this.#open.delete(key);
    const body = b.caseOf(b.variable(whole), type.name, branches);
    return b.letRec([b.fn(name, [b.param(whole, type)], type, body)], b.call(name, [term]));
  }
}
