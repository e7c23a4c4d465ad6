/** How much the random tests try, and with which random values. */

/** How many times as long as usual they run: TOOLWRIGHT_RUNS, one unless it is set. */
export const scale = Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);

/** The same in every run, so that a change is what turns a test red. `TOOLWRIGHT_SEED=$RANDOM` looks elsewhere. */
export const seed = Number(process.env["TOOLWRIGHT_SEED"] ?? 36_311_783);
