import type { Claim, NameMistake } from "../emit/interface/mistakes.js";
import { unreachable } from "../internal-error.js";
import type { Span } from "../syntax/source.js";
import type { Diagnostic, RelatedPlace } from "./diagnostic.js";

/** The words for a mistake in the names of an emitted module. */
export function explainNames(mistake: NameMistake): Diagnostic {
  switch (mistake.kind) {
    case "exportClash":
      return explainExportClash(mistake);
    case "parameterClash":
      return {
        ...error(
          "E0512",
          `two parameters of \`${mistake.definition}\` would both be called \`${mistake.name}\``,
          mistake.span,
        ),
        label: meaning(mistake.second, mistake.name),
        related: related(mistake.first, meaning(mistake.first, mistake.name)),
        notes: ["Gradients and JSON arguments are objects with the parameters' names, which must differ."],
        hint: "rename one of them",
      };
    default:
      return unreachable(mistake);
  }
}

function explainExportClash(mistake: NameMistake & { readonly kind: "exportClash" }): Diagnostic {
  const { name, first, second } = mistake;
  const isType =
    second.what === "data" || second.what === "alias" || second.what === "cotangent" || second.what === "input";
  // The place to point at is one that the author wrote: a name that dualrev makes stands behind it.
  const [written, other] = second.span === null ? [first, second] : [second, first];
  return {
    ...error("E0511", `two exported ${isType ? "types" : "functions"} would both be called \`${name}\``, mistake.span),
    label: meaning(written, name),
    related: related(other, meaning(other, name)),
    notes: other.span === null ? [`The other one is ${meaning(other, name)}, of the prelude.`] : [],
    hint: isType
      ? "rename one of the two"
      : "rename one of the two, or say with `--entry` which definitions the module is to export",
  };
}

function meaning({ what, source }: Claim, name: string): string {
  const alias = name === source ? "" : `, \`${name}\` in TypeScript`;
  switch (what) {
    case "definition":
      return `the definition \`${source}\`${alias}`;
    case "vjp":
      return `the pullback of \`${source}\`, \`${name}\``;
    case "grad":
      return `the gradient of \`${source}\`, \`${name}\``;
    case "jvp":
      return `the directional derivative of \`${source}\`, \`${name}\``;
    case "data":
      return `the data type \`${source}\`${alias}`;
    case "alias":
      return `the type alias \`${source}\`${alias}`;
    case "cotangent":
      return `the type of the cotangents of \`${source}\`, \`${name}\``;
    case "input":
      return `the type of what is accepted as \`${source}\`, \`${name}\``;
    case "parameter":
      return `the parameter \`${source}\`${alias}`;
    default:
      return unreachable(what);
  }
}

function error(code: string, title: string, span: Span): Diagnostic {
  return { code, severity: "error", title, span, label: "", related: [], notes: [], hint: null };
}

function related(claim: Claim, label: string): readonly RelatedPlace[] {
  return claim.span === null ? [] : [{ span: claim.span, label }];
}
