/** What administrators and logins do, as facts that are only added: records beside those of people, without secrets. */

import * as z from "zod/mini";
import { randomHex, sha256 } from "../../base/crypto.ts";
import { parseJson } from "../../base/json.ts";
import type { TeamRecord, TeamRecords } from "../../session/team.ts";

const deeds = [
  "tenant-put",
  "tenant-removed",
  "limit-set",
  "person-put",
  "person-removed",
  "token-made",
  "token-revoked",
  "login",
  "login-refused",
  "session-shared",
  "turn-ended",
] as const;

/** `at`: milliseconds since 1970; `by`: a person, or from where it was done; `about`: what it was done to, by name. */
const entry = z.object({
  at: z.number(),
  by: z.string(),
  did: z.enum(deeds),
  about: z.record(z.string(), z.union([z.string(), z.number()])),
});
export type AuditEntry = z.infer<typeof entry>;

const kind = "audit";
/** Ids are in the order of time, and what one program does within a millisecond in the order in which it did it. */
const idAt = (at: number, rest: string): string => `${new Date(at).toISOString()} ${rest}`;
let made = 0;

/** To be put together with what it tells of. */
export function auditRecord(told: AuditEntry): TeamRecord & { kind: string } {
  made += 1;
  const order = made.toString(16).padStart(8, "0");
  return { kind, id: idAt(told.at, `${order}${randomHex(8)}`), text: JSON.stringify(told) };
}

const minuteMs = 60_000;

/** Anybody can fail, as often as they like: the same name is told of once a minute. */
export async function noteRefusal(records: TeamRecords, told: AuditEntry): Promise<void> {
  const minute = Math.floor(told.at / minuteMs) * minuteMs;
  const name = sha256(new TextEncoder().encode(told.by)).slice(0, 16);
  await records.replace(kind, idAt(minute, name), { was: undefined, is: JSON.stringify(told) });
}

/** Oldest first, from this time on. One that cannot be read is passed over. */
export async function auditSince(records: TeamRecords, since: number): Promise<AuditEntry[]> {
  // A refusal stands at the beginning of its minute.
  const found = await records.records(kind, new Date(Math.max(0, since - minuteMs)).toISOString());
  const entries = found.flatMap(({ text }) => {
    const json = parseJson(text);
    const read = json.ok ? z.safeParse(entry, json.value) : undefined;
    return read?.success === true && read.data.at >= since ? [read.data] : [];
  });
  return entries.toSorted((one, other) => one.at - other.at);
}
