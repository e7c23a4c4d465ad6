/** How large the tests of a team's server are: for every change, or with TOOLWRIGHT_SCALE=full as large as promised. */

const isFull = process.env["TOOLWRIGHT_SCALE"] === "full";

export const sized = (usual: number, full: number): number => (isFull ? full : usual);

/** Times may take this many times their goal: others use the cores as well. Counts are hard. */
export const slack = 3;
