/** ISO 14977, as far as grammar/lam.ebnf uses it. */
export type Ebnf =
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "rule"; readonly name: string }
  | { readonly kind: "special"; readonly text: string }
  | { readonly kind: "sequence"; readonly parts: readonly Ebnf[] }
  | { readonly kind: "choice"; readonly parts: readonly Ebnf[] }
  | { readonly kind: "option"; readonly part: Ebnf }
  | { readonly kind: "repeat"; readonly part: Ebnf };

/** The rules by name, in the order of the file. */
export function readEbnf(text: string): ReadonlyMap<string, Ebnf> {
  const tokens = text.replace(/\(\*[^]*?\*\)/g, "").match(/"[^"]*"|\?[^?]*\?|\w+|[^\s\w]/g) ?? [];
  let at = 0;
  const expect = (token: string): void => {
    if (tokens[at] !== token) throw new Error(`expected ${token}, found ${tokens.slice(at, at + 5).join(" ")}`);
    at += 1;
  };
  const choice = (): Ebnf => {
    const parts = [sequence()];
    for (; tokens[at] === "|"; parts.push(sequence())) at += 1;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "choice", parts };
  };
  const sequence = (): Ebnf => {
    const parts = [primary()];
    for (; tokens[at] === ","; parts.push(primary())) at += 1;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : { kind: "sequence", parts };
  };
  const enclosed = (close: string): Ebnf => {
    const part = choice();
    expect(close);
    return part;
  };
  const primary = (): Ebnf => {
    const token = tokens[at] ?? "";
    at += 1;
    if (token.startsWith('"')) return { kind: "text", text: token.slice(1, -1) };
    if (token.startsWith("?")) return { kind: "special", text: token.slice(1, -1).trim() };
    if (token === "(") return enclosed(")");
    if (token === "[") return { kind: "option", part: enclosed("]") };
    if (token === "{") return { kind: "repeat", part: enclosed("}") };
    if (/^\w+$/.test(token)) return { kind: "rule", name: token };
    throw new Error(`unexpected ${token}`);
  };
  const rules = new Map<string, Ebnf>();
  while (at < tokens.length) {
    const name = tokens[at] ?? "";
    at += 1;
    expect("=");
    rules.set(name, choice());
    expect(";");
  }
  return rules;
}

export function printEbnf(ebnf: Ebnf): string {
  switch (ebnf.kind) {
    case "text":
      return `"${ebnf.text}"`;
    case "rule":
      return ebnf.name;
    case "special":
      return `? ${ebnf.text} ?`;
    case "sequence":
      return ebnf.parts
        .map((part) => (part.kind === "choice" ? `( ${printEbnf(part)} )` : printEbnf(part)))
        .join(" , ");
    case "choice":
      return ebnf.parts.map(printEbnf).join(" | ");
    case "option":
      return `[ ${printEbnf(ebnf.part)} ]`;
    case "repeat":
      return `{ ${printEbnf(ebnf.part)} }`;
  }
}
