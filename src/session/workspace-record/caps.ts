/** How much a record of the workspace looks at, reads and keeps. */

import { bounds } from "../../base/bounds.ts";

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

export const defaultCaps: Caps = {
  entries: bounds.undo.recordEntries.most,
  fileBytes: bounds.undo.fileBytes.most,
  namedBytes: bounds.undo.recordNamedBytes.most,
  namedFiles: 5_000,
  otherBytes: bounds.undo.recordOtherBytes.most,
  otherFiles: 5_000,
  changedBytes: bounds.undo.recordChangedBytes.most,
  changedFiles: 20_000,
  keptBytes: bounds.undo.recordMemory.most,
};
