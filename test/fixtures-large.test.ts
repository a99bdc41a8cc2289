// Fixtures that take long, beside the others: recursion a million deep, and a hundred thousand terms in the stages of the figures.

import { testFixtures } from "./support/fixture-suite.js";

testFixtures("gradbench", "deep");
