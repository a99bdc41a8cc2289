// "Did you mean": names in scope that differ from a misspelt one by little.

/** The edit distance of two words (insert, delete, replace, swap neighbours), or `limit + 1` where it is more than `limit`. */
function editDistance(left: string, right: string, limit: number): number {
  if (Math.abs(left.length - right.length) > limit) return limit + 1;
  let beforeLast: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: right.length + 1 }, (_, j) => j);
  for (let i = 1; i <= left.length; i += 1) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= right.length; j += 1) {
      const at = (cells: readonly number[], index: number): number => cells[index] ?? limit + 1;
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(at(last, j) + 1, at(row, j - 1) + 1, at(last, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(beforeLast, j - 2) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return limit + 1;
    beforeLast = last;
    last = row;
  }
  return last[right.length] ?? limit + 1;
}

/** What other languages call things that this one has too. */
const familiar: ReadonlyMap<string, string> = new Map([
  ["Real", "R"], ["Float", "R"], ["Double", "R"], ["Number", "R"], ["float", "R"], ["double", "R"], ["number", "R"],
  ["Int", "Z"], ["Integer", "Z"], ["Nat", "Z"], ["int", "Z"], ["Boolean", "Bool"], ["boolean", "Bool"], ["bool", "Bool"],
  ["True", "true"], ["False", "false"], ["Left", "inl"], ["Right", "inr"], ["Inl", "inl"], ["Inr", "inr"],
  ["ln", "log"], ["fabs", "abs"], ["signum", "sign"], ["signof", "sign"], ["fromIntegral", "toReal"],
  ["toFloat", "toReal"], ["fromInteger", "toReal"], ["trunc", "truncate"], ["rem", "mod"], ["modulo", "mod"],
  ["arctan", "atan"], ["arcsin", "asin"], ["arccos", "acos"], ["fold", "foldl"], ["reduce", "foldl"],
  ["generate", "build"], ["unfold", "buildScan"], ["mapAccumL", "scan"], ["mapAccum", "scan"], ["tabulate", "build"], ["size", "length"], ["len", "length"],
  ["arcsinh", "asinh"], ["ceiling", "ceil"], ["clip", "clamp"], ["sortOn", "sortBy"], ["cumSum", "cumsum"], ["percentile", "quantile"], ["average", "mean"], ["avg", "mean"], ["flatten", "concat"], ["fill", "replicate"], ["every", "all"], ["some", "any"],
  ["logsumexp", "logSumExp"], ["inner", "dot"], ["argMax", "argmax"], ["matvec", "matVec"], ["matmul", "matMul"],
]); // prettier-ignore

/** What other languages call a type of this one; null for other names. */
export function familiarType(name: string): "R" | "Z" | "Bool" | null {
  const known = familiar.get(name);
  return known === "R" || known === "Z" || known === "Bool" ? known : null;
}

/** What this language calls a function of another one; null for other names. */
export function familiarName(name: string): string | null {
  return familiar.get(name) ?? null;
}

/** Fewer letters are the beginning of too much. */
const shortestBeginning = 3;
const mostSuggestions = 3;

/** The names that begin with `name`, the shortest first; none where there are too many. */
function beginningWith(name: string, candidates: Iterable<string>): readonly string[] {
  if (name.length < shortestBeginning) return [];
  const longer = [...candidates].filter((candidate) => candidate !== name && candidate.startsWith(name));
  longer.sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  return longer.length > mostSuggestions ? [] : longer;
}

/** At most three of `candidates` that `name` may mean: what it is called elsewhere, else the least misspelt, else what begins with it. */
export function suggest(name: string, candidates: Iterable<string>): readonly string[] {
  const known = familiar.get(name);
  // A third of its letters: more make another word of it
  const limit = Math.max(1, Math.floor(name.length / 3));
  const near: { readonly candidate: string; readonly distance: number }[] = [];
  const all = new Set(candidates);
  for (const candidate of all) {
    if (candidate === name) continue;
    if (candidate === known) return [known];
    const sameLetters = candidate.toLowerCase() === name.toLowerCase();
    const distance = sameLetters ? 0.5 : editDistance(name, candidate, limit);
    // A distance as long as the word says nothing
    if (distance <= limit && distance < Math.max(name.length, candidate.length) - 0.5)
      near.push({ candidate, distance });
  }
  if (near.length === 0) return beginningWith(name, all);
  near.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  const least = near[0]?.distance ?? 0;
  return near
    .filter(({ distance }) => distance === least)
    .slice(0, mostSuggestions)
    .map(({ candidate }) => candidate);
}
