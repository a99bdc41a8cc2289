// Renames what a text of the runtime mentions. The runtime is laid out by prettier, which leaves few ways to write a property.

/** New names of values and types. */
export interface Renaming {
  readonly values: ReadonlyMap<string, string>;
  readonly types: ReadonlyMap<string, string>;
}

const tokens =
  /\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"|\x60(?:\\.|[^\x60\\])*\x60|[\p{ID_Start}$_][\p{ID_Continue}$]*|\s+|\.{3}|[^]/gu;

/** The text of a declaration of the runtime with other names for itself and for what it mentions. Properties keep theirs. */
export function renameInText(text: string, renaming: Renaming): string {
  const names = new Map([...renaming.types, ...renaming.values]);
  if (names.size === 0) return text;
  const parts = text.match(tokens) ?? [];
  const isCode = (part: string): boolean => !/^(?:\s|\/\/|\/\*)/.test(part);
  const brackets: string[] = [];
  let last = "";
  return parts
    .map((part, index) => {
      if (part.startsWith("`")) return inTemplate(part, renaming);
      if (!isCode(part)) return part;
      if (/^[([{]$/.test(part)) brackets.push(part);
      if (/^[)\]}]$/.test(part)) brackets.pop();
      const renamed = names.get(part);
      const previous = last;
      last = part;
      if (renamed === undefined || previous === ".") return part;
      // `name:` is a property or a parameter, but for `let name: T`
      const isLabel = parts[index + 1] === ":" || (parts[index + 1] === "?" && parts[index + 2] === ":");
      if (isLabel && previous !== "let" && previous !== "const") return part;
      const next = parts.slice(index + 1).find(isCode) ?? "";
      const isShort = brackets.at(-1) === "{" && /^[{,]$/.test(previous) && /^[},]$/.test(next);
      return isShort ? `${part}: ${renamed}` : renamed;
    })
    .join("");
}

function inTemplate(template: string, renaming: Renaming): string {
  return template.replace(/\$\{([^}]*)\}/g, (_, code: string) => `\${${renameInText(code, renaming)}}`);
}
