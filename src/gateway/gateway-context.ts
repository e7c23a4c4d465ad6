/** Dependencies and state shared by the parts of a gateway. */

import { mayAtAll } from "../hosting/people/may.ts";
import type { People } from "../hosting/people/people.ts";
import { NotAllowed, personalHost, SignedOut } from "../hosting/people/personal-host.ts";
import type { Readiness } from "../hosting/readiness.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { Right } from "../protocol/rights.ts";
import type { ModelsToChoose } from "../runtime/models/models.ts";
import type { Clockwork } from "./clockwork.ts";
import type { Connections } from "./connections.ts";
import type { GatewayCounts } from "./counts.ts";
import type { Bearer, Devices } from "./devices.ts";
import type { GatewayKeys } from "./keys.ts";
import type { LoginSetup } from "./login.ts";

export type GatewayContext = {
  host: SessionHost;
  keys: GatewayKeys;
  devices: Devices;
  team: GatewayTeam | undefined;
  counts: GatewayCounts;
  clock: Clockwork;
  connections: Connections;
  readiness: Readiness;
  version: string;
  /** Measured by `clock`. */
  startedAt: number;
  /** The address by which browsers reach it: the first name with TLS, otherwise its own. */
  origin: () => string;
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

/** `people`: of the host's store. `lookMs`: as for their hosts. `login`: with which provider they log in. */
export type GatewayTeam = { people: People; lookMs?: number; login?: LoginSetup | undefined };

/** The gateway as whoever shows the token has it: a person's host is their own. */
export function gatewayFor(gateway: GatewayContext, bearer: Bearer | undefined): GatewayContext {
  const { host, team } = gateway;
  return bearer?.type === "person" && team
    ? { ...gateway, host: personalHost({ host, ...team, ...bearer }) }
    : gateway;
}

/** Whether this may be asked for at all: everything by whoever has the gateway's own token or a key of it. */
export const isAllowed = (bearer: Bearer | undefined, right: Right): boolean =>
  bearer?.type !== "person" || mayAtAll(bearer.person, right);

/** Logs an internal error; what a person may not do is none. */
export function logFailure({ log }: Pick<GatewayContext, "log">, where: string, error: unknown): void {
  if (error instanceof NotAllowed || error instanceof SignedOut) return;
  const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
  log(`${where}: ${words}`);
}
