/** The table of what is asked of sessions, in order, until whoever asked has the outcome. */

import type { Sql } from "../../session/postgres/server-link.ts";
import { number, string } from "../../session/rows.ts";
import type { AskName, AskOutcomes, SessionAsk } from "../turn-engine.ts";

/** `run`: the session whose worker has this one open: itself, or that whose call started it. */
type AskPlace = { session: string; run: string };
export type StoredAsk = { number: number; session: string; ask: SessionAsk };

/** `thrown`: the words of an exception; `isMissing`: because there is no such session. */
export type StoredOutcome<Name extends AskName = AskName> =
  | { value: AskOutcomes[Name] }
  | { thrown: string; isMissing: boolean };

/** Call within the transaction that has changed the run. */
export async function putAsk(sql: Sql, { session, run }: AskPlace, ask: SessionAsk): Promise<number> {
  const [row = {}] = await sql("INSERT INTO asks (run, session, ask) VALUES ($1, $2, $3) RETURNING number", [
    run,
    session,
    JSON.stringify(ask),
  ]);
  return number(row, "number");
}

/** Those that no worker has begun, noted as begun by this one: the intent is stored before the effect. */
export async function beginAsks(sql: Sql, run: string, worker: string): Promise<StoredAsk[]> {
  const rows = await sql(
    "UPDATE asks SET worker = $2 WHERE run = $1 AND worker IS NULL AND outcome IS NULL RETURNING number, session, ask",
    [run, worker],
  );
  const asks = rows.map((row) => {
    const ask: SessionAsk = JSON.parse(string(row, "ask"));
    return { number: number(row, "number"), session: string(row, "session"), ask };
  });
  return asks.toSorted((one, other) => one.number - other.number);
}

export async function finishAsk(sql: Sql, ask: number, outcome: StoredOutcome): Promise<void> {
  await sql("UPDATE asks SET outcome = $2 WHERE number = $1", [ask, JSON.stringify(outcome)]);
}

/**
 * Of a worker that ended in the middle: what can be asked twice is asked again; of the rest it is said that nobody
 * knows.
 */
export async function settleAsks(sql: Sql, run: string, worker: string): Promise<number[]> {
  const rows = await sql(
    "SELECT number, ask FROM asks WHERE run = $1 AND worker = $2 AND outcome IS NULL ORDER BY number",
    [run, worker],
  );
  const unknown: number[] = [];
  for (const row of rows) {
    const ask: SessionAsk = JSON.parse(string(row, "ask"));
    const at = number(row, "number");
    if (isRepeatable(ask)) await sql("UPDATE asks SET worker = NULL WHERE number = $1", [at]);
    else {
      await finishAsk(sql, at, { value: { ok: false, problem: nobodyKnows } });
      unknown.push(at);
    }
  }
  return unknown;
}

const nobodyKnows =
  "The worker that took this ended in the middle of it. Look at the session whether it took effect, then ask again.";

/** A message has an id by which the session knows it. */
const repeatable: ReadonlySet<string> = new Set([
  "send",
  "go-on",
  "set-mode",
  "set-model",
  "set-reasoning",
  "set-goal",
  "rename",
]);

const isRepeatable = (ask: SessionAsk): boolean => ask.name !== "command" || repeatable.has(ask.command.type);

/** What has an outcome is taken out. */
export async function takeOutcomes(sql: Sql, asks: readonly number[]): Promise<Map<number, string>> {
  const rows = await sql(
    "DELETE FROM asks WHERE number = ANY($1) AND outcome IS NOT NULL RETURNING number, outcome",
    [asks],
  );
  return new Map(rows.map((row) => [number(row, "number"), string(row, "outcome")]));
}

/** Whether it could be taken back: no worker has begun it. */
export async function withdrawAsk(sql: Sql, ask: number): Promise<boolean> {
  const gone = await sql(
    "DELETE FROM asks WHERE number = $1 AND worker IS NULL AND outcome IS NULL RETURNING number",
    [ask],
  );
  return gone.length > 0;
}

/** Outcomes that nobody takes: whoever asked has ended. */
export async function dropOldOutcomes(sql: Sql): Promise<void> {
  await sql(
    "DELETE FROM asks WHERE outcome IS NOT NULL AND made < clock_timestamp() - interval '10 minutes'",
  );
}
