// What derivatives do with values by their types: pair a value with a tangent, take the parts of pairs.

import * as b from "../core/build.js";
import type { Site, Term } from "../core/term.js";
import type { Type } from "../core/type.js";
import { dualType, fullActivity, ofElement, ofItem, sameActivity, type Activity } from "./activity.js";
import { at, found, sum } from "./by-type.js";
import { Numbers } from "./numbers.js";

export class Values extends Numbers {
  /** The same tangent of a value: (x, dx) with all reals in pairs; fails at `site` where their shapes differ. */
  zip(type: Type, x: Term, dx: Term, site: Site | null): Term {
    if (!this.data.hasReal(type)) return x;
    switch (type.kind) {
      case "real":
        return b.tuple(x, dx);
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          this.bind("dx", type, dx, (dxs) =>
            b.tuple(...type.items.map((item, i) => this.zip(item, b.proj(i, xs), b.proj(i, dxs), site))),
          ),
        );
      case "array": {
        const element = dualType(type.element, fullActivity(type.element, this.data), this.data);
        return this.bind("xs", type, x, (xs) =>
          this.bind("dxs", type, dx, (dxs) => {
            const size = b.op("sameLength", [b.length(xs), b.length(dxs)], site);
            return this.build(size, element, (i) =>
              this.zip(type.element, b.indexOf(xs, i, null), b.indexOf(dxs, i, null), site),
            );
          }),
        );
      }
      case "data": {
        const dual = this.data.dual(type);
        return this.ofData(
          `zip ${JSON.stringify(site)}`,
          "zip",
          type,
          [type],
          dual,
          { x, others: [dx] },
          ([other], con, vars) =>
            this.caseOf(type, found(other), (otherCon, otherVars) => {
              const fields = this.fieldsOf(type, con);
              if (otherCon === con)
              return b.con(con, dual, fields.map((field, i) => this.zip(field, at(vars, i), at(otherVars, i), site))); // prettier-ignore
              const lifted = b.con(con, dual, fields.map((field, i) => this.lift(field, "passive", fullActivity(field, this.data), at(vars, i)))); // prettier-ignore
              const [own, given] = [this.placeOf(type, con), this.placeOf(type, otherCon)];
              return b.letIn(this.names.fresh("same"), b.int, b.op("sameLength", [own, given], site), lifted);
            }),
        );
      }
      default:
        return x;
    }
  }

  /** A value, which fails at `site` where it has not the shape of another one. */
  fitting(type: Type, value: Term, like: Term, site: Site | null): Term {
    if (!this.data.hasReal(type) || type.kind === "real") return value;
    return this.bind("g", type, value, (g) =>
      this.bind("x", type, like, (x) => {
        switch (type.kind) {
          case "tuple":
            return b.tuple(...type.items.map((item, i) => this.fitting(item, b.proj(i, g), b.proj(i, x), site)));
          case "array": {
            const size = b.op("sameLength", [b.length(x), b.length(g)], site);
            if (type.element.kind === "real") return b.letIn(this.names.fresh("n"), b.int, size, g);
            return this.build(size, type.element, (i) =>
              this.fitting(type.element, b.indexOf(g, i, null), b.indexOf(x, i, null), site),
            );
          }
          case "data": {
            const key = `fitting ${JSON.stringify(site)}`;
            return this.ofData(key, "fitting", type, [type], type, { x: g, others: [x] }, ([other], con, vars) =>
              this.caseOf(type, found(other), (otherCon, otherVars) => {
                const fields = this.fieldsOf(type, con);
                if (otherCon === con) return b.con(con, type, fields.map((field, i) => this.fitting(field, at(vars, i), at(otherVars, i), site))); // prettier-ignore
                const differs = b.op("sameLength", [this.placeOf(type, otherCon), this.placeOf(type, con)], site);
                return b.letIn(this.names.fresh("same"), b.int, differs, b.con(con, type, vars));
              }),
            );
          }
          default:
            return g;
        }
      }),
    );
  }

  /** A value as one of more activity: the tangents are zero. */
  lift(type: Type, from: Activity, to: Activity, term: Term): Term {
    if (sameActivity(from, to)) return term;
    switch (type.kind) {
      case "real":
        return b.tuple(term, b.realLit(0));
      case "tuple":
        if (term.kind === "tuple") return b.tuple(...type.items.map((item, i) => this.lift(item, ofItem(from, i), ofItem(to, i), at(term.items, i)))); // prettier-ignore
        return this.bind("x", dualType(type, from, this.data), term, (x) =>
          b.tuple(...type.items.map((item, i) => this.lift(item, ofItem(from, i), ofItem(to, i), b.proj(i, x)))),
        );
      case "array":
        return this.bind("xs", dualType(type, from, this.data), term, (xs) =>
          this.build(b.length(xs), dualType(type.element, ofElement(to), this.data), (i) =>
            this.lift(type.element, ofElement(from), ofElement(to), b.indexOf(xs, i, null)),
          ),
        );
      case "data": {
        const dual = this.data.dual(type);
        return this.ofData(
          "lift",
          "lift",
          type,
          [],
          dual,
          { x: term, others: [] },
          (_, con, vars) =>
          b.con(con, dual, this.fieldsOf(type, con).map((field, i) => this.lift(field, "passive", fullActivity(field, this.data), at(vars, i)))), // prettier-ignore
        );
      }
      default:
        return term;
    }
  }

  /** The values in a dual value. */
  primal(type: Type, activity: Activity, term: Term): Term {
    return this.#half(0, type, activity, term);
  }

  /** The tangents in a dual value: zeros where it is passive, at integers too; truth values are their own. */
  tangent(type: Type, activity: Activity, term: Term): Term {
    return activity === "passive" ? this.zero(type, term) : this.#half(1, type, activity, term);
  }

  #half(half: 0 | 1, type: Type, activity: Activity, term: Term): Term {
    const part = (of: Type, its: Activity, value: Term): Term =>
      half === 0 ? this.primal(of, its, value) : this.tangent(of, its, value);
    if (activity === "passive") return term;
    switch (type.kind) {
      case "real":
        return b.proj(half, term);
      case "tuple":
        return this.bind("x", dualType(type, activity, this.data), term, (x) =>
          b.tuple(...type.items.map((item, i) => part(item, ofItem(activity, i), b.proj(i, x)))),
        );
      case "array":
        return this.bind("xs", dualType(type, activity, this.data), term, (xs) =>
          this.build(b.length(xs), type.element, (i) =>
            part(type.element, ofElement(activity), b.indexOf(xs, i, null)),
          ),
        );
      case "data": {
        const name = half === 0 ? "primal" : "tangent";
        return this.ofData(
          name,
          name,
          this.data.dual(type),
          [],
          type,
          { x: term, others: [] },
          (_, con, vars) =>
          b.con(con, type, this.fieldsOf(type, con).map((field, i) => part(field, fullActivity(field, this.data), at(vars, i)))), // prettier-ignore
        );
      }
      default:
        return term;
    }
  }

  /** A value that is known, with the derivative of another one of its shape. */
  linked(type: Type, value: Term, from: Term): Term {
    if (!this.data.hasReal(type)) return value;
    switch (type.kind) {
      case "real":
        return b.op("linked", [value, from], null);
      case "tuple":
        return this.bind(
          "x",
          type,
          value,
          (x) =>
          this.bind("y", type, from, (y) => b.tuple(...type.items.map((item, i) => this.linked(item, b.proj(i, x), b.proj(i, y))))), // prettier-ignore
        );
      case "array":
        return this.bind("xs", type, value, (xs) =>
          this.bind(
            "ys",
            type,
            from,
            (ys) =>
            this.build(b.length(xs), type.element, (i) => this.linked(type.element, b.indexOf(xs, i, null), b.indexOf(ys, i, null))), // prettier-ignore
          ),
        );
      case "data":
        return this.ofData("linked", "linked", type, [type], type, { x: value, others: [from] }, ([other], con, vars) =>
          this.caseOf(
            type,
            found(other),
            (otherCon, otherVars) =>
            b.con(con, type, this.fieldsOf(type, con).map((field, i) => (otherCon === con ? this.linked(field, at(vars, i), at(otherVars, i)) : at(vars, i)))), // prettier-ignore
          ),
        );
      default:
        return value;
    }
  }

  /** The sum of the products of all reals of two values of one shape; fails at `site` where they have not. */
  dot(type: Type, x: Term, y: Term, site: Site | null): Term {
    if (!this.data.hasReal(type)) return b.realLit(0);
    switch (type.kind) {
      case "real":
        return b.op("scaled", [x, y], null);
      case "tuple":
        return this.bind("x", type, x, (xs) =>
          this.bind("y", type, y, (ys) =>
            sum(type.items.map((item, i) => this.dot(item, b.proj(i, xs), b.proj(i, ys), site))),
          ),
        );
      case "array":
        return this.bind("xs", type, x, (xs) =>
          this.bind("ys", type, y, (ys) => {
            const size = site === null ? b.length(xs) : b.op("sameLength", [b.length(xs), b.length(ys)], site);
            return this.sumOf(size, b.real, "add", b.realLit(0), (i) => this.dot(type.element, b.indexOf(xs, i, null), b.indexOf(ys, i, null), site)); // prettier-ignore
          }),
        );
      case "data":
        return this.ofData(
          `dot ${JSON.stringify(site)}`,
          "dot",
          type,
          [type],
          b.real,
          { x, others: [y] },
          ([other], con, vars) =>
            // prettier-ignore
            this.caseOf(type, found(other), (otherCon, otherVars) => {
            if (otherCon === con) return sum(this.fieldsOf(type, con).map((field, i) => this.dot(field, at(vars, i), at(otherVars, i), site))); // prettier-ignore
            if (site === null) return b.realLit(0);
            const differs = b.op("sameLength", [this.placeOf(type, con), this.placeOf(type, otherCon)], site);
            return b.letIn(this.names.fresh("same"), b.int, differs, b.realLit(0));
          }),
        );
      default:
        return b.realLit(0);
    }
  }
}
