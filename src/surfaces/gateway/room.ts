/** What the parts of a gateway share. */

import type { SessionHost } from "../../runtime/hosting/session-host.ts";
import type { Reach } from "../../runtime/models/models.ts";
import type { Clockwork } from "./clockwork.ts";
import type { Connections } from "./connections.ts";
import type { Counts } from "./counts.ts";
import type { Keys } from "./keys.ts";

export type GatewayRoom = {
  host: SessionHost;
  keys: Keys;
  counts: Counts;
  clock: Clockwork;
  connections: Connections;
  version: string;
  /** By its clock. */
  startedAt: number;
  openapi: () => Record<string, unknown>;
  models: () => Promise<Reach[]>;
  /** Whether it is about to stop: what would begin work is refused. */
  isStopping: () => boolean;
  /** Aborted when it stops: whatever streams ends. */
  closing: AbortSignal;
  /** Sockets that are open. */
  sockets: () => number;
  /** One line for people. Nothing of a header, a query or a body is ever in it. */
  log: (line: string) => void;
};

/** What went wrong in ourselves, for the log. */
export function logFailure({ log }: Pick<GatewayRoom, "log">, where: string, error: unknown): void {
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`${where}: ${words}`);
}
