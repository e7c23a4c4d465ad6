/** Limits on how much a record of the workspace scans, reads and holds. */

import { mib } from "../../base/bound.ts";
import { fileBounds } from "../../base/bounds.ts";
import { undoBounds } from "../bounds.ts";

/** Recorded contents held in memory between commands without an overlay, in bytes. */
const mostRecordMemory = 64 * mib;

export type RecordCaps = {
  /** Files to scan; directories have the same limit of their own. */
  entries: number;
  /** The largest file to read. */
  fileBytes: number;
  /** Total size of files to read that the command names. */
  namedBytes: number;
  namedFiles: number;
  /** Total size of files to read that it does not name and git does not have. */
  otherBytes: number;
  otherFiles: number;
  /** Total size of changed files. */
  changedBytes: number;
  changedFiles: number;
  /** Contents held in memory; others are read again on demand. */
  keptBytes: number;
};

export const defaultCaps: RecordCaps = {
  entries: undoBounds.recordEntries.most,
  fileBytes: fileBounds.undoFileBytes.most,
  namedBytes: fileBounds.undoBytes.most,
  namedFiles: 5_000,
  otherBytes: undoBounds.recordOtherBytes.most,
  otherFiles: 5_000,
  changedBytes: undoBounds.recordChangedBytes.most,
  changedFiles: 20_000,
  keptBytes: mostRecordMemory,
};
