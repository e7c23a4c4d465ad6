/** What `doctor` tells of the database that keeps the sessions: a file, or a PostgreSQL server. */

import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { StorePlace } from "../runtime.ts";

/** `bytes`: 0 for a file that is not there yet. `server`: its version and the database's name, without a password. */
export type SessionDatabase = { bytes: number; server?: { version: string; name: string } };

/** Throws StoreError if a server cannot be asked. */
export async function sessionDatabase({ stateDir, database }: StorePlace): Promise<SessionDatabase> {
  if (database === undefined)
    return { bytes: (await stat(fileIn(stateDir)).catch(() => undefined))?.size ?? 0 };
  const { serverOf } = await import("../../session/postgres/postgres.ts");
  const { version, bytes, name } = await serverOf(database);
  return { bytes, server: { version, name } };
}

const fileIn = (stateDir: string): string => join(stateDir, "sessions.db");
