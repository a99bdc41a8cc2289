/** A shape of values, shown as the pattern that matches them. */
export type Witness =
  | { readonly kind: "any" }
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "tuple"; readonly items: readonly Witness[] }
  | {
      readonly kind: "constructor";
      readonly name: string;
      readonly fieldNames: readonly string[] | null;
      readonly args: readonly Witness[];
    };

/** As the source writes it; with `infix`, `x :: xs` for `Cons x xs`. */
export function printWitness(witness: Witness, infix: boolean): string {
  switch (witness.kind) {
    case "any":
      return "_";
    case "literal":
      return witness.text;
    case "tuple":
      return `(${witness.items.map((item) => printWitness(item, infix)).join(", ")})`;
    case "constructor": {
      const { name, args } = witness;
      const [head, tail] = args;
      if (infix && name === "Cons" && args.length === 2 && head !== undefined && tail !== undefined) {
        const left = isInfix(head) ? `(${printWitness(head, infix)})` : printWitness(head, infix);
        return `${left} :: ${printWitness(tail, infix)}`;
      }
      const named = args.flatMap((arg, i) => {
        const field = arg.kind === "any" ? undefined : witness.fieldNames?.[i];
        return field === undefined ? [] : [`${field} = ${printWitness(arg, infix)}`];
      });
      if (named.length > 0) return `${name} { ${named.join(", ")} }`;
      return [name, ...args.map((arg) => printArgument(arg, infix))].join(" ");
    }
  }
}

function isInfix(witness: Witness): boolean {
  return witness.kind === "constructor" && witness.name === "Cons" && witness.args.length === 2;
}

function printArgument(witness: Witness, infix: boolean): string {
  const text = printWitness(witness, infix);
  const isApplied = witness.kind === "constructor" && witness.args.length > 0;
  return isApplied || text.startsWith("-") ? `(${text})` : text;
}
