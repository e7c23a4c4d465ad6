/** How much a record of the workspace looks at, reads and keeps. */

export type Caps = {
  /** Files that are looked at, and directories. */
  entries: number;
  /** The largest file that is read. */
  fileBytes: number;
  /** What the command names is read up to this. */
  namedBytes: number;
  namedFiles: number;
  /** What it does not name, and git does not have, up to this. */
  otherBytes: number;
  otherFiles: number;
  /** What it changed, up to this. */
  changedBytes: number;
  changedFiles: number;
  /** Contents that are kept in memory for whoever asks; the others are read again. */
  keptBytes: number;
};

const mib = 1024 * 1024;

export const defaultCaps: Caps = {
  entries: 50_000,
  fileBytes: 64 * mib,
  namedBytes: 256 * mib,
  namedFiles: 5_000,
  otherBytes: 16 * mib,
  otherFiles: 5_000,
  changedBytes: 512 * mib,
  changedFiles: 20_000,
  keptBytes: 64 * mib,
};
