/** The files that a command line names, if it can see and change no others: whether two lines may meet there. */

import { isWithin } from "../base/paths.ts";

export type FilesOfLine = {
  /** Where it runs, relative to the workspace; empty for its root. */
  directory: string;
  /** What it may look at or change, with everything below; relative to the workspace, and more than it really uses. */
  paths: readonly string[];
};

/** Whether a line of these names may have seen that the path has changed. */
export const mayHaveSeen = ({ directory, paths }: FilesOfLine, changed: string): boolean =>
  isWithin(`/${changed}`, `/${directory}`) ||
  paths.some((path) => isWithin(`/${path}`, `/${changed}`) || isWithin(`/${changed}`, `/${path}`));

/** Whether two lines may see what the other one changes. */
export const mayMeet = (one: FilesOfLine, other: FilesOfLine): boolean =>
  other.paths.some((path) => mayHaveSeen(one, path)) || one.paths.some((path) => mayHaveSeen(other, path));
