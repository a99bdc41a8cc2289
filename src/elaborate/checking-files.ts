// The files of `std/` in which some functions check what the others rely on.

import { standardName } from "../syntax/loaded-file.js";

/** By file of `std/` the functions that check what the rest of it, where nothing is checked, relies on. */
const checkingFiles: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    standardName("std/linalg.lam"),
    new Set([
      ...["identity", "trace", "cholesky", "solveLower", "solveUpper", "solvePositive", "solve", "inverse", "logDet"],
      ...["logDetPositive", "qr", "eigenvalues", "eigSymmetric", "singularValues", "svd", "expm", "leastSquares"],
      ...["checkSquare", "checkRectangular", "checkFinite"],
    ]),
  ],
]);

/** The functions of a file that check for the others; null where all do for themselves. */
export function checkingIn(file: string): ReadonlySet<string> | null {
  return checkingFiles.get(file) ?? null;
}
