// How types and terms are spelt: in ASCII, or as the papers print them.

export interface Spelling {
  readonly real: string;
  readonly int: string;
  readonly arrow: string;
  /** The arrow of linear functions. */
  readonly linearArrow: string;
  readonly lambda: string;
  /** The lambda of linear functions. */
  readonly linearLambda: string;
  /** The type of the cotangents of a type. */
  readonly cotangent: (type: string) => string;
  /** The partial derivative in the operand with this number, counted from 1. */
  readonly partial: (operand: number) => string;
}

export const ascii: Spelling = {
  real: "R",
  int: "Z",
  arrow: "->",
  linearArrow: "-o",
  lambda: "\\",
  linearLambda: "\\_",
  cotangent: (type) => `_${type}`,
  partial: (operand) => `d${operand}_`,
};

const subscripts = "₀₁₂₃₄₅₆₇₈₉";

export const unicode: Spelling = {
  real: "ℝ",
  int: "ℤ",
  arrow: "→",
  linearArrow: "⊸",
  lambda: "λ",
  linearLambda: "λ\u0332",
  cotangent: (type) => `${type}\u0332`,
  partial: (operand) => `∂${subscripts.charAt(operand)}`,
};

/** A text of ours, in which no names of a program are, in another spelling. */
export function respelt(text: string, to: Spelling): string {
  if (to === ascii) return text;
  return text
    .replaceAll("\\_", to.linearLambda)
    .replaceAll("\\", to.lambda)
    .replaceAll("->", to.arrow)
    .replaceAll("-o ", `${to.linearArrow} `)
    .replace(/\bd(\d)_(?=\()/g, (_, operand: string) => to.partial(Number(operand)))
    .replace(/\b_R\b/g, to.cotangent(to.real))
    .replace(/\bR\b/g, to.real)
    .replace(/\bZ\b/g, to.int);
}
