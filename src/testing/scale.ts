/** How many runs the random tests make, and their seed. */

/** Multiplies the number of runs: TOOLWRIGHT_RUNS, 1 by default. */
export const scale = Number(process.env["TOOLWRIGHT_RUNS"] ?? 1);

/**
 * Fixed, so that a test turns red because of a change and not by chance. `TOOLWRIGHT_SEED=$RANDOM` searches elsewhere.
 */
export const seed = Number(process.env["TOOLWRIGHT_SEED"] ?? 36_311_783);
