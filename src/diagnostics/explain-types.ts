// What inference's mistakes say to the user.

import { printType } from "../core/print-type.js";
import type { Type } from "../core/type.js";
import { unreachable } from "../internal-error.js";
import type { Nameable, TypeMistake } from "../types/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";
import { declaredAt, error } from "./error.js";
import { explainImportClash, explainImportCycle, explainUnknownImport } from "./explain-imports.js";
import { explainMismatch } from "./explain-mismatch.js";
import {
  explainAmbiguousField,
  explainFieldOfVariants,
  explainFieldsWithoutNames,
  explainMissingFields,
  explainNoFields,
  explainUnknownField,
} from "./explain-records.js";
import { explainLambdaParameters, explainPartAnnotation, repairHint } from "./explain-repair.js";
import { counted, didYouMean, hasType } from "./words.js";

type Of<K extends TypeMistake["kind"]> = Extract<TypeMistake, { readonly kind: K }>;

/** The diagnostic for a mistake in names, types or patterns. Redundant branches are warnings, all else are errors. */
export function explainTypes(mistake: TypeMistake): Diagnostic {
  switch (mistake.kind) {
    case "unbound":
      return explainUnbound(mistake);
    case "outOfScope":
      return explainOutOfScope(mistake);
    case "rule":
      return explainRule(mistake);
    case "extern":
      return mistake.problem === "name"
        ? error("E0215", `\`${mistake.name}\` is no name in TypeScript`, mistake.span, "", { hint: "a function of yours has a name of letters, digits and `_`" }) // prettier-ignore
        : error("E0215", `the file of \`${mistake.name}\` is not named`, mistake.span, "", { hint: 'write its path, as an import of the emitted module would have it: `from "./functions.js"`' }); // prettier-ignore
    case "fused":
      return explainFused(mistake);
    case "fusedType":
      return explainFusedType(mistake);
    case "externType":
      return explainExternType(mistake);
    case "duplicate":
      return explainDuplicate(mistake);
    case "reservedName":
      return error("E0206", `the name \`${mistake.name}\` is taken`, mistake.span, "built in", {
        hint: `give your ${mistake.what} another name`,
      });
    case "constantCycle":
      return explainConstantCycle(mistake);
    case "typeArity":
      return explainTypeArity(mistake);
    case "recursiveAlias":
      return explainRecursiveAlias(mistake);
    case "irregularData":
      return error("E0307", `the data type \`${mistake.name}\` is not regular`, mistake.span, "grows inside itself", {
        notes: [
          `Inside its own declaration it is used as \`${printType(mistake.type)}\`.`,
          "A recursive data type may use itself at its own parameters, or at types without parameters: then it has finitely many instances.",
        ],
      });
    case "importCycle":
      return explainImportCycle(mistake);
    case "unknownImport":
      return explainUnknownImport(mistake);
    case "importClash":
      return explainImportClash(mistake);
    case "unknownField":
      return explainUnknownField(mistake);
    case "missingFields":
      return explainMissingFields(mistake);
    case "fieldsWithoutNames":
      return explainFieldsWithoutNames(mistake);
    case "noFields":
      return explainNoFields(mistake);
    case "fieldOfVariants":
      return explainFieldOfVariants(mistake);
    case "ambiguousField":
      return explainAmbiguousField(mistake);
    case "mismatch":
      return explainMismatch(mistake);
    case "infiniteType":
      return error("E0302", "this would need an infinite type", mistake.span, "cannot have a finite type", {
        notes: [
          `For this to fit, the type \`${mistake.variable}\` would have to be \`${printType(mistake.type)}\`, which contains it.`,
        ],
        hint:
          mistake.repair !== null
            ? repairHint(mistake.repair)
            : mistake.reason.kind === "called"
              ? "a function cannot be applied to itself"
              : "look for an argument too many or too few, or for a recursive call whose result is wrapped once more",
      });
    case "escape":
      return error(
        "E0303",
        `the type variable \`${mistake.variable}\` stands for every type, and cannot be tied to one outside`,
        mistake.span,
        hasType(mistake.found),
        {
          notes: [
            `\`${mistake.variable}\` is annotated inside a local definition, and stands for another type in each of its uses; here it would have to be the type of something outside, which is fixed.`,
          ],
          hint: `leave the annotation with \`${mistake.variable}\` off, or use a type variable of the outer definition`,
        },
      );
    case "notFunction":
      return explainNotFunction(mistake);
    case "partAnnotation":
      return explainPartAnnotation(mistake);
    case "lambdaParameters":
      return explainLambdaParameters(mistake);
    case "integerRange":
      return error("E0309", "this integer is too large to be exact", mistake.span, "beyond the safe integers", {
        notes: [`The integers go from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}.`],
        hint: `for a real number, write it with a point or an exponent${mistake.text.length > 40 ? "" : `: \`${mistake.text}.0\``}`,
      });
    case "realRange":
      return error("E0310", "this number is too large", mistake.span, "would be infinite", {
        notes: [`The largest real number is about ${Number.MAX_VALUE.toPrecision(5)}.`],
      });
    case "constructorArity":
      return explainConstructorArity(mistake);
    case "infixConstructor":
      return error("E0404", "`::` needs a constructor `Cons` with two fields", mistake.span, "stands for `Cons`", {
        related: declaredAt(mistake.declared, `this \`Cons\` has ${counted(mistake.fields, "field")}`),
        hint: "give your constructor another name, and `::` makes the prelude's lists again",
      });
    case "notExhaustive":
      return explainNotExhaustive(mistake);
    case "redundantBranch":
      return {
        ...error("E0402", "this branch is never reached", mistake.span, "matches nothing that gets here", {
          related: mistake.coveredBy.map((span) => ({ span, label: "matches all of it before" })),
          notes: mistake.coveredBy.length === 0 ? ["The branches before it match every such value."] : [],
          hint: "remove it, or put it before the more general one",
        }),
        severity: "warning",
      };
    case "variableForConstructor": {
      const { name, constructor, span } = mistake;
      return {
        ...error("E0405", `\`${name}\` is a variable here, which matches everything`, span, "stands for any value", {
          hint: `the constructor is \`${constructor}\`; write \`_\` for what is not used`,
        }),
        severity: "warning",
      };
    }
    case "typeTooLarge":
      return error("E0703", "a type becomes too large", mistake.span, "has a type beyond all bounds", {
        notes: [
          `This is in the definition of \`${mistake.definition}\`. Pairs of pairs of pairs double in size with each level.`,
        ],
        hint: "put the parts into a data type, whose name stays short",
      });
    case "nestedTooDeep":
      return error(
        "E0701",
        "this is nested too deeply",
        mistake.span,
        `${withArticle(mistake.what)} too deep inside others`,
        {
          notes: [
            "Chains of `let`, of arithmetic and of `::` may be of any length; other nesting, also by `&&` and `||`, has a limit.",
          ],
          hint: "give an inner part a name, with `let` or a `def` of its own",
        },
      );
    case "matchTooComplex":
      return error("E0705", "these patterns are too complex to check", mistake.span, "too many combinations", {
        hint: "match in several steps, on fewer values at a time",
      });
    default:
      return unreachable(mistake);
  }
}

function withArticle(noun: string): string {
  return `${/^[aeiou]/.test(noun) ? "an" : "a"} ${noun}`;
}

/** Names that other languages have for what is written in another way here. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ...["Math", "math", "np", "numpy", "jnp", "torch", "tf"].map(
    (module) => [module, `functions and numbers of \`${module}\` stand by themselves: \`sin x\`, \`pi\``] as const,
  ),
  ...["null", "undefined", "Maybe", "Option", "Optional", "Just", "Some", "Nothing", "None"].map(
    (absent) => [absent, "say what may be absent with a data type, `data Option a = None | Some a`"] as const,
  ),
  ["PI", "write `pi`"],
  ["Pi", "write `pi`"],
  ["e", "write `exp 1`, for a power of it `exp x`"],
  ...["sd", "stdev", "stddev"].map((name) => [name, "write `std xs`"] as const),
  ["head", "write `xs ! 0`; a list is taken apart by `case`"],
  ["last", "write `xs ! (length xs - 1)`"],
  ["new", "a constructor is applied like a function: `Point x y`"],
  ["where", "definitions stand in front of what uses them: `let y = .. in ..`"],
  ["as", "`toReal` makes an R of a Z; `round`, `floor` or `truncate` makes a Z of an R"],
  ["String", "the language has no texts"],
  ["or", "write `a || b`"],
  ["return", "the value of a definition is its body, without `return`"],
  ["Array", "the type of arrays of `R` is `[R]`"],
  ...["Infinity", "inf"].map((name) => [name, "write `infinity`"] as const),
  ["NaN", "write `nan`"],
  ["sqr", "write `square x`, or `x ^ 2`"],
  ["cube", "write `x ^ 3`"],
  ["gamma", "`lgamma x` is the logarithm of the gamma function: `exp (lgamma x)` for positive `x`"],
  ["trigamma", "write `polygamma 1 x`"],
  ...["det", "inv", "inverse", "solve", "trace"].map(
    (name) => [name, "of matrices the prelude has `matVec`, `matMul`, `transpose` and `outer`"] as const,
  ),
]);

/** Functions of other languages whose names mean something else without an argument. */
const foreignFunctions: ReadonlyMap<string, string> = new Map([
  ["float", "`toReal` makes an R of a Z"],
  ["int", "`round`, `floor` or `truncate` makes a Z of an R"],
]);

function explainUnbound({ what, name, span, suggestions, elsewhere, isApplied, clue }: Of<"unbound">): Diagnostic {
  const code = { variable: "E0201", constructor: "E0202", type: "E0203", "type variable": "E0204" }[what];
  if (what === "type variable") {
    return error(code, `the type variable \`${name}\` is not a parameter`, span, "not declared", {
      hint:
        suggestions.length === 0 ? `write it as a parameter of the type, before the \`=\`` : didYouMean(suggestions),
    });
  }
  const notes = elsewhere === null ? [] : [`\`${name}\` is ${withArticle(elsewhere)}, not ${withArticle(what)}.`];
  const isNew = what === "constructor" && elsewhere === null;
  const foreign = (isApplied ? foreignFunctions.get(name) : undefined) ?? foreignNames.get(name);
  const missing =
    clue === null
      ? null
      : clue.kind === "import"
        ? `"${clue.path}" defines it: add \`${name}\` to the names of its import`
        : suggestions.length > 0 || elsewhere !== null
          ? null
          : `between two constructors stands a bar: \`| ${name}\``;
  const hint = missing ?? foreign ?? didYouMean(suggestions) ?? (isNew ? capitalHint(name) : null);
  return error(code, `there is no ${what} \`${name}\``, span, "not defined", { notes, hint });
}

function explainOutOfScope({ name, span, bound, lacksRec }: Of<"outOfScope">): Diagnostic {
  return error("E0201", `there is no variable \`${name}\` here`, span, "not known here", {
    related: [
      { span: bound, label: lacksRec ? `\`${name}\` has no \`rec\`` : `this \`${name}\` is bound for another place` },
    ],
    hint: lacksRec
      ? `a local function that uses itself is one of a \`let rec\`: \`let rec ${name} ..\``
      : "a variable is known in its function, in its branch, or behind the `in` of its `let`",
  });
}

/** A name with a capital letter that is like no other. */
function capitalHint(name: string): string {
  const small = name.charAt(0).toLowerCase() + name.slice(1);
  return `constructors are declared by \`data\`; the name of a variable begins with a small letter: \`${small}\``;
}

function explainRule({ problem, name, mode, span, other }: Of<"rule">): Diagnostic {
  switch (problem) {
    case "missing":
      return error("E0214", `this file has no definition \`${name}\` that the rule could be for`, span, "", {
        hint: "a rule stands in the file of its definition",
      });
    case "twice":
      return error("E0214", `\`${name}\` has two rules`, span, "again here", {
        related: other === null ? [] : [{ span: other, label: "first here" }],
        hint: "each follows from the other: leave one of them out",
      });
    case "constant":
      return error("E0214", `\`${name}\` has no parameters: there is nothing to differentiate it by`, span, "", { hint: "give it its parameters in front of the `=`" }); // prettier-ignore
    case "pattern":
      return error("E0214", `a definition with a rule has parameters with names`, span, "", { hint: `write \`${name}\` with names, and take its parameters apart inside` }); // prettier-ignore
    case "fused":
      return error("E0214", `\`${name}\` is fused, and has a rule`, span, "", {
        hint: "the rule says its derivative: leave `fused` out, or the rule",
      });
    case "params":
      return error("E0214", `this rule for \`${name}\` has another number of parameters`, span, "", {
        hint: mode === "derivative" ? "it takes the parameters, and then a tangent for each of them" : "it takes the parameters, and then the cotangent of the result", // prettier-ignore
      });
  }
}

function explainFused({ problem, name, span }: Of<"fused">): Diagnostic {
  if (problem === "constant")
    return error("E0216", `\`${name}\` has no parameters: nothing is fused`, span, "", {
      hint: "give it its parameters in front of the `=`, or leave `fused` out",
    });
  return error("E0216", `\`${name}\` is fused, and of no single type`, span, "", {
    hint: "write its types, as in `fused def f (x : R) (n : Z) : R = ..`, or leave `fused` out",
  });
}

function explainFusedType({ part, name, type, span }: Of<"fusedType">): Diagnostic {
  const may =
    part === "result" ? "gives one `R`" : "takes numbers, tuples and records of numbers, and what has no `R` in it";
  return error("E0216", `\`${name}\` is fused: it ${may}`, span, `this is \`${printType(type)}\``, {
    hint: part === "result" ? "fuse what gives a number, or leave `fused` out" : "take the numbers one by one, or leave `fused` out", // prettier-ignore
  });
}

function explainExternType({ name, type, span }: Of<"externType">): Diagnostic {
  return error("E0215", `\`${name}\` takes and gives numbers, truth values, and arrays of such`, span, `this is \`${printType(type)}\``, {
    hint: hintForExtern(type),
  }); // prettier-ignore
}

function hintForExtern(type: Type): string {
  switch (type.kind) {
    case "array":
      return hintForExtern(type.element);
    case "fn":
      return "functions do not leave the model: call yours with numbers, as often as they are needed";
    case "typeVar":
      return "its text is in another language, where types are written out: give it a type without variables";
    default:
      return "pass the parts one by one, or in an array";
  }
}

function explainDuplicate({ what, name, span, first }: Of<"duplicate">): Diagnostic {
  const hints: Readonly<Record<Nameable, string>> = {
    definition: "rename or remove one of them",
    "local function": "rename one of them",
    type: "rename or remove one of them",
    constructor: "constructors of all data types share their names: rename one of them",
    "type parameter": "rename one of them",
    "variable of a pattern": "rename one of them; where both must be equal, compare them with `==`",
    field: "rename one of them",
    "given field": "leave one of them out",
    "imported name": "leave one of them out",
  };
  const titles = new Map<Nameable, string>([
    ["variable of a pattern", `\`${name}\` is bound twice`],
    ["given field", `the field \`${name}\` is given twice`],
    ["imported name", `\`${name}\` is imported twice`],
  ]);
  const title = titles.get(what) ?? `the ${what} \`${name}\` is defined twice`;
  return error("E0205", title, span, "again here", {
    related: [{ span: first, label: "first here" }],
    hint: hints[what],
  });
}

function explainConstantCycle({ cycle, constant }: Of<"constantCycle">): Diagnostic {
  const names = [...cycle.map(({ name }) => name), constant.name];
  const others = cycle.filter(({ name }) => name !== constant.name);
  return error(
    "E0207",
    `the constant \`${constant.name}\` is defined by itself`,
    constant.span,
    "needs its own value",
    {
      related: others.map(({ name, span }) => ({ span, label: `\`${name}\` is on the way` })),
      notes: others.length === 0 ? [] : [`The cycle is ${names.map((name) => `\`${name}\``).join(" -> ")}.`],
      hint: "a definition without parameters is computed once; with a parameter it is a function, and may be recursive",
    },
  );
}

function explainTypeArity({ name, span, params, args }: Of<"typeArity">): Diagnostic {
  const takes = params === 0 ? "takes no arguments" : `takes ${counted(params, "argument")}`;
  const has = args === 0 ? "has none here" : `has ${args} here`;
  return error("E0305", `the type \`${name}\` ${takes}`, span, has, {
    hint: params > args && args === 0 ? `say of what: as in \`${[name, ...exampleParams(params)].join(" ")}\`` : null,
  });
}

function exampleParams(count: number): readonly string[] {
  return Array.from({ length: count }, (_, i) => (i === 0 ? "R" : String.fromCharCode(96 + i)));
}

function explainRecursiveAlias({ cycle }: Of<"recursiveAlias">): Diagnostic {
  const [first, ...rest] = cycle;
  const names = [...cycle, ...(first === undefined ? [] : [first])].map(({ name }) => `\`${name}\``);
  const name = first?.name ?? "";
  const span = first?.span ?? { file: "", start: 0, end: 0 };
  return error("E0306", `the type alias \`${name}\` is defined by itself`, span, "stands for an infinite type", {
    related: rest.map((alias) => ({ span: alias.span, label: `\`${alias.name}\` is on the way` })),
    notes: rest.length === 0 ? [] : [`The cycle is ${names.join(" -> ")}.`],
    hint: "an alias is only another name: a recursive type needs `data`",
  });
}

function explainNotFunction(mistake: Of<"notFunction">): Diagnostic {
  const { callee, takes, given, span, calleeSpan, inner } = mistake;
  const repair = mistake.repair === null ? null : repairHint(mistake.repair);
  const name = callee.kind === "name" ? `\`${callee.name}\`` : "this";
  if (takes === 0 && !mistake.wantsTuple) {
    const related = [{ span: calleeSpan, label: hasType(mistake.type) }];
    const infix = inner !== null && given === 2;
    const hint =
      callee.kind === "literal"
        ? "a product is written with `*`, an element of an element `a ! i ! j`"
        : infix
          ? `a function stands in front of its arguments: \`${inner} a b\``
          : null;
    const label = given === 1 ? "given as an argument" : "given as arguments";
    return error("E0304", `${name} is not a function`, span, label, { related, hint: repair ?? hint });
  }
  const notes = [`\`${callee.kind === "name" ? `${callee.name} : ` : ""}${printType(mistake.type)}\``];
  if (mistake.wantsTuple) {
    return error(
      "E0304",
      `${name} takes one tuple, and gets ${counted(given, "argument")}`,
      span,
      "these are one by one",
      {
        notes,
        hint: repair ?? "put the arguments into parentheses, with commas between them",
      },
    );
  }
  const title = `${name} takes ${counted(takes, "argument")}, and gets ${given}`;
  const extra = given - takes;
  return error("E0304", title, span, extra === 1 ? "one too many" : `${extra} too many`, {
    notes,
    hint:
      repair ??
      (inner === null
        ? "is a comma or an operator missing?"
        : `put \`${inner}\` and its arguments into parentheses: \`(${inner} a)\``),
  });
}

function explainConstructorArity({ name, span, fields, args, declared, text }: Of<"constructorArity">): Diagnostic {
  const label =
    args === 0 ? `has no pattern for ${fields === 1 ? "it" : "them"} here` : `has ${counted(args, "pattern")} here`;
  const title = fields === 0 ? `\`${name}\` has no fields` : `\`${name}\` has ${counted(fields, "field")}`;
  const example = [name, ...Array.from({ length: fields }, () => "_")].join(" ");
  return error("E0403", title, span, fields === 0 ? `has ${counted(args, "pattern")} here` : label, {
    related: declaredAt(declared, "declared here"),
    hint: `write \`${text ?? example}\``,
  });
}

function explainNotExhaustive({ where, span, missing, more }: Of<"notExhaustive">): Diagnostic {
  const places = {
    case: ["this `case` does not cover every value", "not every value is matched"],
    let: ["the pattern of a `let` must match every value", "does not match every value"],
    parameter: ["the pattern of a parameter must match every value", "does not match every value"],
  } as const;
  const [title, label] = places[where];
  const list = missing.map((pattern) => `\`${pattern}\``).join(", ");
  const isAnyOther = missing.length === 1 && missing[0] === "_";
  const hints = {
    case: isAnyOther
      ? "add a branch for all others: `_ -> t`"
      : missing.length === 1
        ? "add a branch for it"
        : "add branches for them, or a last branch `_`",
    let: "use `case`, with a branch for what is missing",
    parameter: "take a variable, and look at it with `case`",
  };
  return error("E0401", title, span, label, {
    notes: [`Missing: ${list}${more ? ", and more" : ""}.`],
    hint: hints[where],
  });
}
