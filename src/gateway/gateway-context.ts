/** Dependencies and state shared by the parts of a gateway. */

import type { Readiness } from "../hosting/readiness.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { ModelsToChoose } from "../runtime/models/models.ts";
import type { Clockwork } from "./clockwork.ts";
import type { Connections } from "./connections.ts";
import type { GatewayCounts } from "./counts.ts";
import type { Devices } from "./devices.ts";
import type { GatewayKeys } from "./keys.ts";

export type GatewayContext = {
  host: SessionHost;
  keys: GatewayKeys;
  devices: Devices;
  counts: GatewayCounts;
  clock: Clockwork;
  connections: Connections;
  readiness: Readiness;
  version: string;
  /** Measured by `clock`. */
  startedAt: number;
  openapi: () => Record<string, unknown>;
  models: () => Promise<ModelsToChoose>;
  /** Whether the gateway is about to stop; new work is then refused. */
  isStopping: () => boolean;
  /** Aborted when the gateway stops, which ends every stream. */
  closing: AbortSignal;
  /** The number of open sockets. */
  sockets: () => number;
  /** Logs one line for people, which never contains any part of a header, query or body. */
  log: (line: string) => void;
};

/** Logs an internal error. */
export function logFailure({ log }: Pick<GatewayContext, "log">, where: string, error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`${where}: ${words}`);
}
