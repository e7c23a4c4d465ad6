/** How large the tests of a team's server are: for every change, or with TOOLWRIGHT_SCALE=full as large as promised. */

import { availableParallelism, loadavg } from "node:os";

const isFull = process.env["TOOLWRIGHT_SCALE"] === "full";

export const sized = (usual: number, full: number): number => (isFull ? full : usual);

/**
 * Times may take this many times their goal: three on an idle machine, and as much more as others have to do on it when
 * the tests begin. Counts are hard.
 */
export const slack = 3 * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
