/** How long the editors' tests wait. */

/** Milliseconds, far more than anything takes even on a busy machine, so that only a hang fails. */
export const patience = 80_000;
