// What a module exports beside values, pullbacks and gradients, by what is asked for: as definitions for `src/derivatives`, and as functions made of others.

import type { Entry, Program } from "../core/term.js";
import { DualData } from "../derivatives/dual-data.js";
import { withKnownFunctions } from "../derivatives/prepare.js";
import { withDerived, type DerivedForm, type DerivedRequest } from "../derivatives/derived.js";
import type { Diagnostic } from "../diagnostics/diagnostic.js";
import type { Composition } from "../emit/composed-functions.js";
import { leavesOf, type WithRespectTo } from "../emit/interface/interface.js";
import { namesOf } from "../emit/interface/parameters.js";
import { derivedName, propertyName, type Derived } from "../emit/interface/public-names.js";
import type { LeftOut } from "../emit/left-out.js";
import type { Mode } from "../stages/stage.js";
import { baseName } from "../syntax/paths.js";
import { capitalised } from "../typescript/naming.js";
import { answer, type Answer } from "./answer.js";
import { withRespectTo } from "./with-respect-to.js";

export interface DerivedPlan {
  readonly requests: readonly DerivedRequest[];
  readonly compositions: readonly Composition[];
  /** What there is not, and why. */
  readonly leftOut: readonly LeftOut[];
}

export interface DerivedOptions {
  readonly wrt: WithRespectTo;
  readonly wanted: ReadonlySet<Derived>;
  /** The definitions that were asked for by name: of these all must be there. */
  readonly named: readonly string[];
  /** Whether something else tells of definitions that there is nothing to differentiate in. */
  readonly isToldOtherwise?: true;
  readonly mode: Mode;
  /** The model. */
  readonly file: string;
}

/** Which definitions each form is made of. */
const forms = {
  jvp: ["jvp"],
  hvp: ["hvp"],
  jacobian: ["jacobian", "sparseJacobian"],
  hessian: ["hessian"],
  linearize: ["jvp"],
  flat: ["pack", "unpack"],
} as const satisfies Readonly<Record<Exclude<Derived, "vjp" | "grad">, readonly DerivedForm[]>>;

type Form = keyof typeof forms;

/** What each form needs of the stage's own functions. */
const needs: Readonly<Record<Form, readonly Derived[]>> = {
  jvp: [],
  hvp: [],
  jacobian: [],
  hessian: [],
  linearize: ["vjp"],
  flat: ["grad"],
};

/** What each form gives, in a sentence. */
const words: Readonly<Record<Form, string>> = {
  jvp: "directional derivative",
  hvp: "Hessian to multiply by",
  jacobian: "Jacobian",
  hessian: "Hessian",
  linearize: "derivative",
  flat: "vector of parameters",
};

const scalarForms: ReadonlySet<Form> = new Set(["hvp", "hessian", "flat"]);

export function planDerived(program: Program, options: DerivedOptions): Answer<DerivedPlan> {
  const { wanted, mode, named } = options;
  const data = new DualData(program.data);
  const requests = new Map<string, DerivedRequest>();
  const compositions: Composition[] = [];
  const leftOut: LeftOut[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const entry of program.entries) {
    const leaves = leavesOf(entry.params).map(({ leaf }) => leaf);
    const active = leaves.filter(({ name, type }) => data.hasReal(type) && (options.wrt.get(entry.name)?.includes(name) ?? true)); // prettier-ignore
    if (active.length === 0) {
      const [form] = named.includes(entry.name) && options.isToldOtherwise !== true ? formsIn(wanted) : [];
      if (form !== undefined) diagnostics.push(notThere(entry, form, "noReals", options.file));
      continue;
    }
    for (const form of formsIn(wanted)) {
      if (form === "jvp" && mode === "forward") continue;
      const reason = reasonAgainst(entry, form, mode);
      if (reason !== null) {
        if (named.includes(entry.name) && form !== "flat" && form !== "linearize")
          diagnostics.push(notThere(entry, form, reason, options.file)); // prettier-ignore
        else leftOut.push({ name: derivedName(entry.name, form), reason: reasons[reason] });
        continue;
      }
      const names = active.map(({ name }) => name);
      if (form === "linearize" || form === "flat" || form === "jacobian")
        compositions.push({ entry, form, active: names });
      for (const part of forms[form]) {
        if (part === "jvp" && mode === "forward") continue;
        const name = derivedName(entry.name, part);
        const taken = program.definitions.some((fn) => fn.name === name);
        if (taken && !requests.has(name)) diagnostics.push(nameTaken(name, form, options.file));
        requests.set(name, { entry, form: part, name, calledAs: derivedName(entry.name, form), resultName: capitalised(propertyName(name)), active: names, doc: docOf(entry, part, names), rowsDoc: rowsDoc(entry, names), site: { definition: name, position: baseName(options.file), via: "" } }); // prettier-ignore
      }
    }
  }
  return answer({ requests: [...requests.values()], compositions, leftOut }, diagnostics);
}

/** With what functions that are made of others are made of. */
export function withNeeded(wanted: ReadonlySet<Derived>): ReadonlySet<Derived> {
  return new Set([...wanted, ...formsIn(wanted).flatMap((form) => needs[form])]);
}

function formsIn(wanted: ReadonlySet<Derived>): readonly Form[] {
  return (["jvp", "hvp", "jacobian", "hessian", "linearize", "flat"] as const).filter((form) => wanted.has(form));
}

/** Why a form does not exist. */
type Reason = "notScalar" | "noReverse" | "noReals";

const reasons: Readonly<Record<Reason, string>> = {
  notScalar: "the result is not one number",
  noReverse: "the stage has no reverse pass",
  noReals: "it has no parameter with numbers of type R",
};

function reasonAgainst(entry: Entry, form: Form, mode: Mode): Reason | null {
  if (scalarForms.has(form) && entry.result.kind !== "real") return "notScalar";
  return needs[form].length > 0 && mode !== "reverse" ? "noReverse" : null;
}

/** Of a Jacobian whose result is made element by element. */
function rowsDoc({ name }: Entry, active: readonly string[]): string {
  return `Value of \`${name}\`, and its partial derivatives, row by row: a row for each number of the result, a column for each number of ${namesOf(active.map((key) => ({ key: propertyName(key) })))}, both in order. In one pass: each element of the result has a reverse pass of its own, which goes through nothing else.`;
}

function docOf({ name, doc }: Entry, form: DerivedForm, active: readonly string[]): string {
  const list = (prefix = ""): string => namesOf(active.map((each) => ({ key: propertyName(each) })), prefix); // prettier-ignore
  const texts: Readonly<Record<DerivedForm, string>> = {
    jvp: `Value of \`${name}\`, and its directional derivative along ${list("d")}.`,
    hvp: `Value of \`${name}\`, its gradient with respect to ${list()}, and its Hessian times ${list("d")}: one reverse pass over one forward pass.`,
    jacobian: `Value of \`${name}\`, and its partial derivatives, row by row: a row for each number of the result, a column for each number of ${list()}, both in order. By forward passes, side by side, for up to eight columns; for more by a forward pass for each column, or a reverse pass for each row where there are fewer rows.`,
    // It is a part of the dense one
    sparseJacobian: "",
    hessian: `Value of \`${name}\`, its gradient with respect to ${list()}, and its second partial derivatives, row by row: a reverse pass over a forward pass for each number of ${list()}.`,
    pack: `The numbers of ${list()} as one vector.`,
    unpack: `A vector as ${list()}, in the shape of \`like\`.`,
  };
  const isAlone = doc === "" || form === "pack" || form === "unpack" || form === "sparseJacobian";
  return isAlone ? texts[form] : `${doc}\n\n${texts[form]}`;
}

function mistake(code: string, title: string, file: string, hint: string): Diagnostic {
  return { code, severity: "error", title, span: { file, start: 0, end: 0 }, label: "", related: [], notes: [], hint };
}

function notThere({ name }: Entry, form: Form, reason: Reason, file: string): Diagnostic {
  const others =
    form === "hvp" ? "`jvp` and `jacobian` are there for any result" : "`jacobian` is there for any result";
  const hint = reason === "notScalar" ? others : "leave it out of `--entry`, or out of `--with`";
  return mistake("E0506", `\`${name}\` has no ${words[form]}: ${reasons[reason]}`, file, hint);
}

export function nameTaken(name: string, form: Form | "threads", file: string): Diagnostic {
  return mistake("E0507", `\`${name}\` is defined in the model, and is what \`${form}\` would export`, file, "call one of them something else"); // prettier-ignore
}

/** Adds to a program what is asked for, and remembers what that was. */
export class Deriving {
  wrt: WithRespectTo = new Map();
  compositions: readonly Composition[] = [];
  leftOut: readonly LeftOut[] = [];
  /** The data types that results of the new definitions are. */
  results: readonly string[] = [];

  constructor(
    private readonly options: Omit<DerivedOptions, "wrt">,
    private readonly parameters: readonly string[],
    private readonly source: string,
  ) {}

  readonly derive = (program: Program): Answer<Program> => {
    const wrt = withRespectTo(this.parameters, program.entries, this.source);
    if (!wrt.ok) return wrt;
    const plan = planDerived(program, { ...this.options, wrt: wrt.value });
    if (!plan.ok) return plan;
    const { requests, compositions, leftOut } = plan.value;
    this.wrt = wrt.value;
    this.compositions = compositions;
    // Whether a result is made element by element shows where functions are known
    const isJacobian = requests.some(({ form }) => form === "jacobian");
    const { program: whole, denseOnly } = withDerived(isJacobian ? withKnownFunctions(program) : program, requests);
    const noSparse = denseOnly.map((entry): LeftOut => ({ name: `${derivedName(entry, "jacobian")} with { sparse: true }`, reason: "its elements read parameters in loops, or as a whole" })); // prettier-ignore
    this.leftOut = [...leftOut, ...noSparse];
    this.results = whole.data.slice(program.data.length).map(({ name }) => name);
    return answer(whole, plan.diagnostics);
  };
}
