/** Opens the engine that a server's settings name. */

import { hostname } from "node:os";
import { type Expected, refuse } from "../../base/expected.ts";
import type { Values } from "../../configuration/options/options.ts";
import type { HostSetup } from "../../hosting/host-parts.ts";
import type { TurnEngine } from "../../hosting/turn-engine.ts";
import { type CliContext, complain } from "../cli-context.ts";

/** The engine whose turns workers run. */
export async function openWorkersEngine(
  { settings, terminal }: CliContext,
  { store }: HostSetup,
  { tenant, tenantSessions, ...flags }: Values,
): Promise<Expected<TurnEngine>> {
  const { database: address } = settings;
  if (address === undefined) return refuse(needsDatabase);
  const { openDbosEngine } = await import("../../hosting/dbos/dbos-engine.ts");
  return openDbosEngine({
    address,
    store,
    place: {
      host: hostname(),
      tenant: typeof tenant === "string" ? tenant : "",
      most: typeof tenantSessions === "number" ? tenantSessions : undefined,
    },
    most: sessionsOf(flags),
    log: (line) => complain(terminal, line),
  });
}

/** How many sessions a worker runs at once. */
export const sessionsOf = ({ workerSessions }: Values): number =>
  typeof workerSessions === "number" ? workerSessions : usualSessions;

const usualSessions = 8;

export const needsDatabase =
  'Workers and their gateways meet in a PostgreSQL database: name it with --database, TOOLWRIGHT_DATABASE or "database" in your configuration.';
