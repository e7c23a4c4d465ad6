/**
 * The accounts of stored sessions: kept beside their facts, so that a list reads only what has come since the last one.
 */

import * as z from "zod/mini";
import { parseJson } from "../../base/json.ts";
import { usage } from "../../protocol/fact-parts.ts";
import { pagesOf } from "../../session/pages.ts";
import type { KeptFigures, SessionSummary, Store } from "../../session/store.ts";
import { account, type Account, emptyAccount } from "./session-account.ts";

/** How an account is written. Another number, and every one is worked out anew. */
const format = 1;

const written = z.object({
  format: z.literal(format),
  turns: z.number(),
  answers: z.number(),
  usage,
  cost: z.object({ dollars: z.number(), unknown: z.number() }),
  isRunning: z.boolean(),
  asking: z.array(z.string()),
  from: z.optional(z.object({ session: z.string(), seq: z.number() })),
});

type Standing = { seq: number; sum: Account };

/** In the order of the sessions. Only facts that no kept account has are read. Throws StoreError. */
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
  // Who may not write, or not now, works them out again the next time.
  if (news.size > 0) await store.keepFigures(news).catch(() => undefined);
  return accounts;
}

/** Adds to the account in place. */
async function goOn(store: Store, session: string, { seq, sum }: Standing): Promise<Standing> {
  let last = seq;
  for await (const page of pagesOf(store, session, seq))
    for (const entry of page) {
      account(sum, entry);
      last = entry.seq;
    }
  return { seq: last, sum };
}

/** So many facts are read again in no time; a session that is worked on would be written down at every look. */
const fewFacts = 32;

const isWorthKeeping = ({ seq, sum }: Standing, before: number): boolean =>
  seq > before && (!sum.isRunning || seq - before >= fewFacts);

const textOf = ({ asking, ...sum }: Account): string =>
  JSON.stringify({ format, ...sum, asking: [...asking] });

/** What cannot be read is worked out anew. */
function readKept(kept: KeptFigures | undefined): Standing {
  const json = parseJson(kept?.text ?? "");
  const read = json.ok ? z.safeParse(written, json.value) : undefined;
  if (!kept || !read?.success) return { seq: 0, sum: emptyAccount() };
  const { format: _, asking, from, ...sum } = read.data;
  return { seq: kept.seq, sum: { ...sum, asking: new Set(asking), ...(from ? { from } : {}) } };
}
