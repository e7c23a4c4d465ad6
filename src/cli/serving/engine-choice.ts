/** Opens the engine that a server's settings name. */

import { hostname } from "node:os";
import type { Expected } from "../../base/expected.ts";
import type { HostSetup } from "../../hosting/host-parts.ts";
import type { TurnEngine } from "../../hosting/turn-engine.ts";
import { visibleLine } from "../../view/visible.ts";
import type { CliContext } from "../cli-context.ts";

/** The engine whose turns workers run. */
export async function openWorkersEngine(
  { settings, terminal }: CliContext,
  { store }: HostSetup,
): Promise<Expected<TurnEngine>> {
  const { database: address, tenant, tenantSessions, workerSessions } = settings;
  if (address === undefined) return { ok: false, problem: needsDatabase };
  const { openDbosEngine } = await import("../../hosting/dbos/dbos-engine.ts");
  return openDbosEngine({
    address,
    store,
    place: { host: hostname(), tenant, most: tenantSessions },
    most: workerSessions,
    log: (line) => terminal.report(`toolwright: ${visibleLine(line)}\n`),
  });
}

export const needsDatabase =
  'Workers and their gateways meet in a PostgreSQL database: name it with --database, TOOLWRIGHT_DATABASE or "database" in your configuration.';
