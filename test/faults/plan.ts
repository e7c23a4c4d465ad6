/** What a session of the fault tests is told to do, and what it tells. */

import { createHash } from "node:crypto";
import type { Entry } from "../../src/protocol/facts.ts";
import type { FaultName } from "./kinds.ts";
import type { StationName } from "./stations.ts";

export type Plan = { database: string; root: string; station: StationName; fault: FaultName };

/** What was told to be stored, that the fault has happened, what went wrong, and that it ended by itself. */
export type Line =
  | { told: { seq: number; hash: string } }
  | { struck: true }
  | { failed: string }
  | { over: true };

export const hashOf = (entry: Entry): string =>
  createHash("sha256").update(JSON.stringify(entry)).digest("hex");
