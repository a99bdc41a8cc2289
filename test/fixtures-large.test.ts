// Fixtures that take long, beside the others: recursion that is deeper than any JavaScript stack, and what has most numbers.

import { testFixtures } from "./support/fixture-suite.js";

testFixtures("gradbench", "deep");
