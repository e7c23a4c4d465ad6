/** How many times as long as usual the tests run that repeat something: TOOLWRIGHT_RUNS, one unless it is set. */

export const scale = Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);
