/** What a tenant's sessions have used today, from their accounts; what is deleted is noted beside them. */

import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import { addCost, noCost } from "../protocol/cost.ts";
import type { SessionSummary, Store } from "../session/store.ts";
import { accountsOf, writtenUse } from "./kept-accounts.ts";
import { type DayUse, dayOf, startOf } from "./session-account.ts";

const noUse = (day: number): DayUse => ({ day, rounds: 0, cost: noCost() });

/** Adds in place what belongs to the same day. */
function addUse(sum: DayUse, use: DayUse | undefined): DayUse {
  if (use?.day !== sum.day) return sum;
  sum.rounds += use.rounds;
  addCost(sum.cost, use.cost);
  return sum;
}

/** Sessions read at once. */
const pageSize = 200;

export async function useToday(store: Store, tenant: string, now: number): Promise<DayUse> {
  const sum = addUse(noUse(dayOf(now)), await useOfDeleted(store, tenant));
  let before: string | undefined;
  for (;;) {
    const page = await store.list({ limit: pageSize, before, seenBy: { tenant } });
    const recent = page.filter(({ updatedAt }) => updatedAt >= startOf(sum.day));
    for (const { day } of await accountsOf(store, recent)) addUse(sum, day);
    before = page.at(-1)?.id;
    if (recent.length < pageSize) return sum;
  }
}

/** Looks what a session that is to be deleted has used today; call what is returned once it is gone. */
export async function lastUse(store: Store, session: SessionSummary): Promise<() => Promise<void>> {
  const tenant = (await store.team.belonging(session.id))?.tenant;
  if (tenant === undefined) return async () => undefined;
  const [account] = await accountsOf(store, [session]);
  const use = account?.day;
  return async () => (use ? noteDeleted(store, tenant, use) : undefined);
}

/** Milliseconds until what was used is that of yesterday. */
export const untilTomorrow = (now: number): number => startOf(dayOf(now) + 1) - now;

const deletedKind = "deleted-use";

async function useOfDeleted(store: Store, tenant: string): Promise<DayUse | undefined> {
  return read(await store.team.record(deletedKind, tenant));
}

async function noteDeleted({ team }: Store, tenant: string, use: DayUse): Promise<void> {
  for (;;) {
    const was = await team.record(deletedKind, tenant);
    const known = read(was);
    if (known && known.day > use.day) return;
    const is = JSON.stringify(addUse(addUse(noUse(use.day), known), use));
    if (await team.replace(deletedKind, tenant, { was, is })) return;
  }
}

function read(text: string | undefined): DayUse | undefined {
  const json = parseJson(text ?? "");
  const parsed = json.ok ? z.safeParse(writtenUse, json.value) : undefined;
  return parsed?.success === true ? parsed.data : undefined;
}
