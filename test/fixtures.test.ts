// Every fixture through every stage, but for those that take long: fixtures-large.test.ts.

import { testFixtures } from "./support/fixture-suite.js";

testFixtures("paper", "authors", "gradients", "models", "parallel", "table1", "constructs", "primitives", "names", "errors-runtime", "imports", "memory", "derivatives", "std"); // prettier-ignore
