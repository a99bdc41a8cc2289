// Every run checks the same random values, so that what guards a branch says the same of one commit every time. `DUALREV_SEED=2` is another search,
// `DUALREV_SEED=random` a new one each time.

import fc from "fast-check";

const given = process.env["DUALREV_SEED"] ?? "1";

if (given !== "random") fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(given) });
