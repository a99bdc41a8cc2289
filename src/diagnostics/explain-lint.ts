// What suspicions say to the user: warnings, which stop nothing.

import type { Suspicion } from "../lint/mistakes.js";
import type { Diagnostic } from "./diagnostic.js";

/** The warning for something that is right, and probably not meant. */
export function explainLint(suspicion: Suspicion): Diagnostic {
  const warning = (code: string, title: string, label: string, hint: string | null): Diagnostic => ({
    code,
    severity: "warning",
    title,
    span: suspicion.span,
    label,
    related: [],
    notes: [],
    hint,
  });
  switch (suspicion.kind) {
    case "unusedVariable": {
      const { name, what } = suspicion;
      return warning(
        "W0101",
        `the ${what} \`${name}\` is not used`,
        "is not used",
        what === "field" ? "leave it out of the pattern" : `leave it out, or call it \`_${name}\``,
      );
    }
    case "unusedDefinition": {
      const { name } = suspicion;
      return warning(
        "W0102",
        `\`${name}\` is neither exported nor used by anything that is`,
        "is not used",
        `\`dualrev check --types\` says why it is not exported; what is there for other files has documentation, or is called \`_${name}\``,
      );
    }
    case "unusedImport":
      return warning(
        "W0103",
        `\`${suspicion.name}\` is imported, and not used`,
        "is not used",
        "leave it out of the import",
      );
    case "strayDocumentation":
      return warning(
        "W0104",
        "this documentation belongs to nothing",
        "is not above a definition",
        "documentation stands directly above a `def`, `data` or `type`; other comments begin with two dashes",
      );
    case "endlessRecursion":
      return warning(
        "W0105",
        `\`${suspicion.name}\` calls itself whatever it is given`,
        "never ends",
        "one of its branches has to do without",
      );
    case "hidesPrelude": {
      const { name, use, isLocal } = suspicion;
      return {
        ...warning("W0106", `\`${name}\` hides what the prelude has of this name`, "is used instead of it", null),
        related: [{ span: use, label: isLocal ? "means the local one" : "means the definition of this file" }],
      };
    }
  }
}
