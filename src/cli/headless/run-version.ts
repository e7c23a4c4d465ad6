/** The version of what a headless run reads and prints, apart from its schemas, which take a while to load. */

/** Of everything but facts, which have a version of their own. Fields are only added while it stays. */
export const runVersion = 1;
