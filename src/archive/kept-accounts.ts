/** Caches the accounts of stored sessions in the store, so that a list reads only facts added since. */

import * as z from "zod/mini";
import { parseJson } from "../base/json.ts";
import { withoutUndefined } from "../base/without-undefined.ts";
import { usage } from "../protocol/fact-parts.ts";
import { pagesOf } from "../session/pages.ts";
import type { KeptFigures, SessionSummary, Store } from "../session/store.ts";
import { account, type Account, emptyAccount } from "./session-account.ts";

/** The format version of stored accounts; a change recomputes them all. */
const format = 4;

const cost = z.object({ dollars: z.number(), unknown: z.number() });
export const writtenUse = z.object({ day: z.number(), rounds: z.number(), cost });

const written = z.object({
  format: z.literal(format),
  turns: z.number(),
  model: z.optional(z.string()),
  answers: z.number(),
  usage,
  cost,
  isRunning: z.boolean(),
  failed: z.optional(z.literal(true)),
  asking: z.array(z.string()),
  from: z.optional(z.object({ session: z.string(), seq: z.number() })),
  day: z.optional(writtenUse),
});

type AccountSnapshot = { seq: number; sum: Account };

/** In the order of the sessions. Reads only facts not yet covered by a stored account. Throws StoreError. */
export async function accountsOf(store: Store, sessions: readonly SessionSummary[]): Promise<Account[]> {
  const kept = await store.figures(sessions.map(({ id }) => id));
  const accounts: Account[] = [];
  const news = new Map<string, KeptFigures>();
  for (const session of sessions) {
    const before = readKept(kept.get(session.id));
    const from = before.seq;
    const now = before.seq < session.facts ? await goOn(store, session.id, before) : before;
    accounts.push(now.sum);
    if (isWorthKeeping(now, from)) news.set(session.id, { seq: now.seq, text: textOf(now.sum) });
  }
  // If writing fails, the accounts are simply recomputed next time.
  if (news.size > 0) await store.keepFigures(news).catch(() => undefined);
  return accounts;
}

/** Updates the account in place. */
async function goOn(store: Store, session: string, { seq, sum }: AccountSnapshot): Promise<AccountSnapshot> {
  let last = seq;
  for await (const page of pagesOf(store, session, seq))
    for (const entry of page) {
      account(sum, entry);
      last = entry.seq;
    }
  return { seq: last, sum };
}

/**
 * So few facts are quick to read again; storing more often would write an active session's account on every listing.
 */
const fewFacts = 32;

const isWorthKeeping = ({ seq, sum }: AccountSnapshot, before: number): boolean =>
  seq > before && (!sum.isRunning || seq - before >= fewFacts);

const textOf = ({ asking, ...sum }: Account): string =>
  JSON.stringify({ format, ...sum, asking: [...asking] });

/** An unreadable account is recomputed. */
function readKept(kept: KeptFigures | undefined): AccountSnapshot {
  const json = parseJson(kept?.text ?? "");
  const read = json.ok ? z.safeParse(written, json.value) : undefined;
  if (!kept || !read?.success) return { seq: 0, sum: emptyAccount() };
  const { format: _, asking, from, failed, model, day, ...sum } = read.data;
  return {
    seq: kept.seq,
    sum: { ...sum, asking: new Set(asking), ...withoutUndefined({ from, failed, model, day }) },
  };
}
