/** The instructions for a session of the fault tests, and its output. */

import { createHash } from "node:crypto";
import type { Entry } from "../../src/protocol/facts.ts";
import type { FaultName } from "./kinds.ts";
import type { StationName } from "./stations.ts";

export type Plan = { database: string; root: string; station: StationName; fault: FaultName };

/** A line of output: a stored fact, that the fault has struck, an error, or that the session ended by itself. */
export type Line =
  | { told: { seq: number; hash: string } }
  | { struck: true }
  | { failed: string }
  | { over: true };

export const hashOf = (entry: Entry): string =>
  createHash("sha256").update(JSON.stringify(entry)).digest("hex");
