// The functions of a module that holds adjoint code: of each procedure that is used the plain version, which computes values, and, where cotangents
// can reach it, its forward and its reverse sweep.

import type { Procedure, Var } from "../flat/program.js";
import { assigned, binary, callOf, constant, id, number, returned } from "../typescript/build.js";
import type { TsDeclaration, TsParam, TsStmt, TsType } from "../typescript/tree.js";
import type { Version } from "./call-graph.js";
import { functionOf } from "./code.js";
import { addTo } from "./cotangents.js";
import { emitCotangents, type EntryRequest } from "./entry.js";
import { unit } from "../core/type.js";
import { inPlaceOf } from "../location.js";
import { asType } from "./operations.js";
import { pullbackSweeps } from "./pullback-sweeps.js";
import { typeOfLeaf, type PullbackCode } from "./pullback-functions.js";
import { ForwardSweep, statementsOf } from "./forward.js";
import { choosing } from "./loop-choices.js";
import type { ModuleContext } from "./module.js";
import { ProcedureContext } from "./procedure.js";
import { HandedCotangents } from "./handed-cotangents.js";
import { describeResolution } from "./resolved.js";
import { ReverseSweep } from "./reverse.js";
import { activeName, type ActiveProcedure } from "./stores.js";

/** All functions that something in a module calls, and those that they call. */
export function emitFunctions(module: ModuleContext, mirrors: EntryRequest["mirrors"]): readonly TsDeclaration[] {
  const functions = new Functions(module);
  const declarations: TsDeclaration[] = [];
  for (let next = module.requests.next(); next !== null; next = module.requests.next()) {
    const procedure = module.procedure(next.name);
    const pullback = next.version === "plain" ? module.pullbacks.get(next.name) : undefined;
    if (pullback !== undefined && pullback.of !== null) {
      declarations.push(functions.pullback(procedure, pullback.of, pullback, mirrors));
      continue;
    }
    declarations.push(...(next.version === "plain" ? functions.plain(procedure) : functions.sweeps(procedure)));
  }
  return declarations;
}

/** Of which parameters the reverse sweep of a procedure makes use. Sweeps are written for this alone, into a module that is thrown away. */
export function neededBy(module: ModuleContext): (procedure: ActiveProcedure) => (param: Var) => boolean {
  const functions = new Functions(module);
  return ({ plain }) => {
    const { places } = functions.reverse(plain).context;
    return (param) => places.body.needed.has(places.definition(param));
  };
}

/** The reverse sweep of a procedure; what it needs is known when it is written. */
interface WrittenReverse {
  readonly context: ProcedureContext;
  readonly procedure: Procedure;
  readonly isGivenBack: ActiveProcedure["isGivenBack"];
  readonly params: readonly TsParam[];
  /** The results' cotangents: of reals, and of arrays whose stores the reverse sweep is given. */
  readonly seeds: readonly (TsParam | null)[];
  readonly body: readonly TsStmt[];
}

class Functions {
  readonly #module: ModuleContext;

  constructor(module: ModuleContext) {
    this.#module = module;
  }

  /** What computes the values of a procedure. */
  plain(procedure: Procedure): readonly TsDeclaration[] {
    const context = new ProcedureContext(this.#module, procedure, { kind: "plain", universe: "plain" });
    const body = new ForwardSweep(context).returning(procedure.body);
    const params = [...procedure.captured, ...procedure.params].map((variable) => this.#param(variable, context));
    const result = this.#module.types.results(procedure.results, "plain");
    const { plain } = this.#module.requests.names(procedure.name, "plain");
    const functions = this.#functions("plain", procedure.name, plain, params, result, body);
    if (procedure.kind !== "constant") return [...this.#module.closures.maker(procedure), ...functions];
    const memo = this.#module.values.fresh(`${plain}Value`);
    const compute = this.#module.values.fresh(`${plain}Compute`);
    const type: TsType = { kind: "union", members: [result, { kind: "name", name: "undefined", args: [] }] };
    const test = binary("===", id(memo), { kind: "undefined" });
    return [
      { kind: "statement", doc: "", stmt: { kind: "let", name: memo, type, init: null } },
      functionOf(plain, [], result, [
        { kind: "if", test, then: [assigned(memo, callOf(id(compute)))], else: [] },
        returned(id(memo)),
      ]),
      functionOf(compute, [], result, this.#module.calls.anywhere(body)),
    ];
  }

  /** Both sweeps of what is differentiated, in place of the procedure's own text. */
  pullback(
    procedure: Procedure,
    of: string,
    { seeds, results, site }: PullbackCode,
    mirrors: EntryRequest["mirrors"],
  ): TsDeclaration {
    const module = this.#module;
    const scope = module.values.inner();
    const whole = module.procedure(of);
    const names = procedure.params.map(({ name }) => scope.fresh(name));
    const given = names.map(id);
    const params = procedure.params.map(({ rep }, index): TsParam => ({ name: names[index] ?? "", type: module.types.of(rep, "plain"), optional: false })); // prettier-ignore
    const inputs = whole.params.map((param, index) => {
      const leaf = given[index] ?? id("");
      return { type: typeOfLeaf(param), value: leaf, items: [leaf], isActive: index < results.length, hint: names[index] ?? "" }; // prettier-ignore
    });
    const request = { procedure: of, inputs, result: unit, mirrors, scope, lists: { params: [], results: [] }, earlier: null, cotangentSite: site, isInside: true } as const; // prettier-ignore
    const cotangents = given.slice(whole.params.length);
    const code = emitCotangents(
      module,
      request,
      seeds.map((place) => cotangents[place] ?? id("")),
    );
    const parts = results.map((place) => code.cotangents[place] ?? number(0));
    const result = module.types.results(procedure.results, "plain");
    const { plain } = module.requests.names(procedure.name, "plain");
    module.pullbackNames.add(plain);
    const [only] = parts;
    const value = parts.length === 1 && only !== undefined ? only : ({ kind: "array", items: parts } as const);
    return functionOf(plain, params, result, module.calls.anywhere([...code.stmts, returned(asType(value, result))]));
  }

  #functions(
    version: Version,
    procedure: string,
    name: string,
    params: readonly TsParam[],
    result: TsType,
    body: readonly TsStmt[],
  ): readonly TsDeclaration[] {
    const node = this.#module.calls.graph.procedure(version, procedure);
    const functions = this.#module.calls.functions({
      node,
      name,
      params,
      result,
      body,
      deep: this.#module.requests.deepName(version, procedure),
    });
    for (const each of functions) if ("fn" in each) inPlaceOf(each.fn, this.#module.procedure(procedure));
    return functions;
  }

  #param(variable: Var, context: ProcedureContext): TsParam {
    return {
      name: context.name(variable),
      type: this.#module.types.of(variable.rep, context.place.universe),
      optional: false,
    };
  }

  /** The forward and the reverse sweep of a procedure, as two functions. */
  sweeps(plain: Procedure): readonly TsDeclaration[] {
    const pullback = this.#module.pullbacks.get(plain.name);
    if (pullback !== undefined && pullback.reverse !== null)
      return this.#pullbackSweeps(plain, pullback, pullback.reverse);
    const names = this.#module.requests.names(plain.name, "active");
    const isLambda = plain.kind === "lambda";
    const { context, procedure, isGivenBack, params, seeds, body: reverse } = this.reverse(plain);
    this.#module.noteSweeps(() => describeResolution(context.resolution(plain.name, procedure)));
    const forward = new ForwardSweep(context).returning(procedure.body);
    const captured = isLambda
      ? procedure.captured.map((variable): TsStmt =>
          constant(context.name(variable), null, this.#module.closures.captured(variable)),
        )
      : [];
    const before = [
      ...(isLambda ? [this.#module.closures.selfParam(plain)] : []),
      { name: this.#module.names.tape, type: { kind: "name", name: this.#module.refer("adjoint.SavedValues").name, args: [] }, optional: false } as const, // prettier-ignore
    ];
    const given = params.filter((_, index) => isGivenBack[index] !== true);
    const passed = this.#module.passedBack.places(procedure).flatMap((index) => params[index] ?? []);
    const seedParams = seeds.filter((seed) => seed !== null);
    const results = this.#module.types.results(procedure.results, "adjoint");
    const cotangents = plain.params.filter(
      (param) => param.rep.kind === "real" && this.#module.active.activity.has(param),
    );
    const reverseResult = this.#module.types.results(cotangents.map(({ rep }) => rep), "adjoint"); // prettier-ignore
    return [
      ...(isLambda ? [this.#module.closures.type(procedure, plain)] : []),
      ...this.#functions("forward", plain.name, names.forward, [...before, ...given], results, [...captured, ...forward]), // prettier-ignore
      ...this.#functions(
        "reverse",
        plain.name,
        names.reverse,
        [...before, ...passed, ...seedParams],
        reverseResult,
        reverse,
      ),
    ];
  }

  #pullbackSweeps(plain: Procedure, code: PullbackCode, reverseName: string): readonly TsDeclaration[] {
    const module = this.#module;
    const names = module.requests.names(plain.name, "active");
    const active = module.activeProcedure(activeName(plain.name));
    const { forward, reverse } = pullbackSweeps(module, active, code, reverseName);
    const tape: TsParam = { name: module.names.tape, type: { kind: "name", name: module.refer("adjoint.SavedValues").name, args: [] }, optional: false }; // prettier-ignore
    const results = module.types.results(active.procedure.results, "adjoint");
    const reals = plain.params.filter((param) => param.rep.kind === "real" && module.active.activity.has(param));
    const cotangents = module.types.results(reals.map(({ rep }) => rep), "adjoint"); // prettier-ignore
    return [
      ...this.#functions("forward", plain.name, names.forward, [tape, ...forward.params], results, forward.body),
      ...this.#functions("reverse", plain.name, names.reverse, [tape, ...reverse.params], cotangents, reverse.body),
    ];
  }

  /** Writes the reverse sweep of a procedure, which comes first: it says what the forward sweep must save. */
  reverse(plain: Procedure): WrittenReverse {
    const { procedure, activeResults, isGivenBack, isTakenBack } = this.#module.activeProcedure(activeName(plain.name));
    return choosing((choices) => {
      const context = new ProcedureContext(
        this.#module,
        procedure,
        { kind: "split", writeAgain: statementsOf },
        this.#module.values.inner(),
        choices,
      );
      const params = procedure.params.map((variable) => this.#param(variable, context));
      const seeds = plain.results.map((rep, index): TsParam | null => {
        const isSeeded = activeResults[index] === true && (rep.kind === "real" || isTakenBack[index] === true);
        if (!isSeeded) return null;
        const type = this.#module.types.of(rep.kind === "real" ? rep : { kind: "store", of: rep }, "adjoint");
        return { name: context.after("result", "cotangent"), type, optional: false };
      });
      const body = this.#reverseBody(procedure, plain, context, seeds, plain.kind === "lambda");
      return { context, procedure, isGivenBack, params, seeds, body };
    });
  }

  #reverseBody(
    procedure: Procedure,
    plain: Procedure,
    context: ProcedureContext,
    seeds: readonly (TsParam | null)[],
    isLambda: boolean,
  ): readonly TsStmt[] {
    const returns: TsStmt[] = [];
    const handed = new HandedCotangents(context);
    const body = new ReverseSweep(context).body(
      procedure.body,
      (values, cotangents) => {
        values.forEach((value, index) => {
          const seed = seeds[index] ?? null;
          if (seed === null || value.kind !== "var") return;
          if (value.variable.rep.kind !== "real") handed.give(value, id(seed.name), cotangents);
          else if (context.isActive(value.variable)) cotangents.add(value.variable, id(seed.name));
        });
      },
      (cotangents) => {
        const reals = plain.params.filter((param) => param.rep.kind === "real" && context.isActive(param));
        const exprs = reals.map((param) => cotangents.take(param) ?? number(0));
        if (isLambda) {
          for (const variable of plain.captured) {
            const sum = this.#module.closures.hasSlot(variable) ? cotangents.takeSum(variable) : null;
            if (sum !== null) cotangents.stmts.push(addTo(this.#module.closures.capturedSlot(variable), sum));
          }
        }
        const [only] = exprs;
        if (only !== undefined) returns.push(returned(exprs.length === 1 ? only : { kind: "array", items: exprs }));
      },
    );
    return [...body, ...returns];
  }
}
