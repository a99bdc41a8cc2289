// What is said about records and their fields.

import { printType } from "../core/print-type.js";
import type { TypeMistake } from "../types/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";
import { declaredAt, error } from "./error.js";
import { repairHint } from "./explain-repair.js";
import { counted, didYouMean, hasType, listed } from "./words.js";

type Of<K extends TypeMistake["kind"]> = Extract<TypeMistake, { readonly kind: K }>;

export function explainUnknownField({ name, span, owner, suggestions, others }: Of<"unknownField">): Diagnostic {
  const isCapital = /^\p{Lu}/u.test(name);
  const hint = didYouMean(suggestions) ?? (isCapital ? "the name of a field begins with a small letter" : null);
  if (owner === null) return error("E0208", `no data type has a field \`${name}\``, span, "not a field", { hint });
  const fields = owner.fields.length === 1 ? "Its field is" : "Its fields are";
  return error("E0208", `\`${owner.name}\` has no field \`${name}\``, span, `not a field of \`${owner.name}\``, {
    related: declaredAt(owner.declared, "declared here"),
    notes: [`${fields} ${listed(owner.fields)}.`, ...otherOwners(name, others)],
    hint,
  });
}

function otherOwners(name: string, types: readonly string[]): readonly string[] {
  return types.length === 0 ? [] : [`A field \`${name}\` belongs to ${listed(types)}.`];
}

export function explainMissingFields({ constructor, span, missing, declared }: Of<"missingFields">): Diagnostic {
  const names = missing.map(({ name }) => name);
  const width = Math.max(...names.map((name) => name.length));
  const lines = missing.map(({ name, type }) => `  ${name.padEnd(width)} : ${printType(type)}`);
  const example = names.map((name) => `${name} = ..`).join(", ");
  return error(
    "E0315",
    `${names.length === 1 ? "a field" : "fields"} of \`${constructor}\` ${names.length === 1 ? "has" : "have"} no value`,
    span,
    `${listed(names)} ${names.length === 1 ? "is" : "are"} missing`,
    {
      related: declaredAt(declared, "declared here"),
      notes: [["Missing:", ...lines].join("\n")],
      hint: `add \`${example}\`; to change some fields of a record that you have, write \`{ record | field = .. }\``,
    },
  );
}

export function explainFieldsWithoutNames({
  name,
  span,
  fields,
  isAccess,
  declared,
}: Of<"fieldsWithoutNames">): Diagnostic {
  const example = [name, ...Array.from({ length: fields }, (_, i) => String.fromCharCode(97 + (i % 26)))].join(" ");
  const title = fields === 0 ? `\`${name}\` has no fields` : `the fields of \`${name}\` have no names`;
  return error("E0314", title, span, fields === 0 ? "stands alone" : `takes ${counted(fields, "field")} by position`, {
    related: declaredAt(declared, "declared here"),
    hint:
      fields === 0
        ? `write \`${name}\` alone`
        : `${isAccess ? "match it with the pattern" : "write"} \`${example}\`, or give the fields names where it is declared: \`${name} { a : .., .. }\``,
  });
}

export function explainNoFields(mistake: Of<"noFields">): Diagnostic {
  const { name, isFunction, span, record, type, others, repair } = mistake;
  const hints = {
    tuple: tupleHint(mistake),
    array: "an element is read by its index: `a ! i`; the number of elements is `length a`",
    fn: "a function is applied first: `(f x).field`",
    typeVar: "annotate it with the data type that has the field",
  } as const;
  const kind = type.kind;
  const ofKind =
    kind === "tuple" || kind === "array" || kind === "fn" || (kind === "typeVar" && type.name !== "number")
      ? hints[kind]
      : null;
  const method = isFunction && kind !== "fn" && kind !== "tuple";
  // `g x.a` reads the field of `x`
  const isLeaf = kind === "real" || kind === "int" || kind === "bool";
  const ofCall = isLeaf && others.length > 0 ? `a dot belongs to what stands right in front of it: the field of a call is \`(f x).${name}\`` : null; // prettier-ignore
  const asFunction = method
    ? `\`${name}\` is a function, and stands in front of its arguments: \`f x\``
    : (ofKind ?? ofCall);
  const isExponent = mistake.subject.kind === "literal" && /^[eE]\d*$/.test(name);
  const otherHint = isExponent ? "an exponent stands right behind a digit: `1e5`, `1.0e5`" : asFunction;
  const hint = repair === null ? otherHint : repairHint(repair);
  return error("E0311", `this is not a record, and has no field \`${name}\``, span, "only records have fields", {
    related: [{ span: record, label: hasType(type) }],
    notes: otherOwners(name, others),
    hint,
  });
}

/** How a tuple is taken apart, with the names of coordinates where a field is one. */
function tupleHint({ name, subject, type }: Of<"noFields">): string {
  const items = type.kind === "tuple" ? type.items.length : 0;
  const coordinates = ["x", "y", "z"].slice(0, items);
  const letters = items <= 3 && coordinates.includes(name) ? coordinates : ["a", "b", "c", "d", "e", "f"];
  const names = items > letters.length ? ["a", "b", ".."] : letters.slice(0, items);
  const what = subject.kind === "name" ? subject.name : "t";
  const parts = items === 2 ? `, or as \`fst ${what}\` and \`snd ${what}\`` : "";
  return `a tuple of ${counted(items, "component")} is taken apart by a pattern, \`let (${names.join(", ")}) = ${what} in ..\`${parts}`;
}

export function explainFieldOfVariants(mistake: Of<"fieldOfVariants">): Diagnostic {
  const { name, span, type, constructors, isUpdate } = mistake;
  const names = constructors.map((constructor) => constructor.name);
  const verb = isUpdate ? "updated" : "read";
  const branches = constructors.map(({ name: constructor, fields, hasField }) => {
    const pattern = hasField
      ? `${constructor} { ${name} }`
      : [constructor, ...Array<string>(fields).fill("_")].join(" ");
    return `${pattern} -> ..`;
  });
  return error(
    "E0312",
    `a field of \`${type}\` cannot be ${verb} by its name alone`,
    span,
    `\`${type}\` has several constructors`,
    {
      notes: [`A value of \`${type}\` is made by ${listed(names, "or")}.`],
      hint: `say what to do for each: \`case .. of { ${branches.join("; ")} }\``,
    },
  );
}

export function explainAmbiguousField({ name, span, record, subject, types }: Of<"ambiguousField">): Diagnostic {
  const [first = ""] = types;
  const what = subject.kind === "name" ? subject.name : "record";
  const place = subject.kind === "name" && !subject.name.includes(".") ? " where it is bound" : "";
  return error("E0313", `several data types have a field \`${name}\``, span, "which type is meant is not known here", {
    related: [{ span: record, label: "this could be any of them" }],
    notes: [`They are ${listed(types)}.`],
    hint: `say which, with an annotation${place}, as in \`(${what} : ${first})\``,
  });
}
