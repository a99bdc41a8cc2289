// Printed terms in the spellings of the paper: lambda, arrows, number types, partial derivatives.

const subscripts = "₀₁₂₃₄₅₆₇₈₉";

const spellings: readonly (readonly [pattern: RegExp, spelling: string | ((text: string) => string)])[] = [
  [/\\_\(/g, "λ̲("],
  [/\\(?=[(\w])/g, "λ"],
  [/->/g, "→"],
  [/-o(?= )/g, "⊸"],
  [/\bd(\d)_(?=\()/g, (text) => `∂${subscripts.charAt(Number(text.charAt(1)))}`],
  [/(?<![\w'])_R(?![\w'])/g, "ℝ̲"],
  [/(?<![\w'_])R(?![\w'])/g, "ℝ"],
  [/(?<![\w'_])Z(?![\w'])/g, "ℤ"],
];

/** A term that has been printed in ASCII. */
export function inUnicode(term: string): string {
  return spellings.reduce((text, [pattern, spelling]) => text.replace(pattern, (match) => typeof spelling === "string" ? spelling : spelling(match)), term); // prettier-ignore
}

/** Whether the text of a model uses such spellings itself. */
export function usesUnicode(text: string): boolean {
  return /[λ→ℝℤ×]/u.test(text);
}
