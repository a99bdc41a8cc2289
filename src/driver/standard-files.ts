import { standardTexts } from "../prelude/embedded.js";
import type { StandardFiles } from "../syntax/loaded-file.js";

/** The files that models import as `std/..`. */
export const standardFiles: StandardFiles = new Map(Object.entries(standardTexts));
