/** Hands over what is asked of sessions to the workers of a database, and waits for the outcome. */

import { randomUUID } from "node:crypto";
import type { Notices } from "../../session/postgres/notices.ts";
import { type ServerLink, transaction } from "../../session/postgres/server-link.ts";
import type { Store } from "../../session/store.ts";
import { hostBounds } from "../bounds.ts";
import { People } from "../people/people.ts";
import { NoSuchSession } from "../session-host.ts";
import type { AskName, AskOutcomes, SessionAsk } from "../turn-engine.ts";
import { putAsk, type StoredOutcome, takeOutcomes, withdrawAsk } from "./asks.ts";
import { type RunPlace, wakeRun } from "./runs.ts";

/** `run`: something was asked of it. `done`: an ask has its outcome. */
export type EngineNotice = { run: string } | { done: number };

type DeskParts = {
  link: ServerLink;
  notices: Notices<EngineNotice>;
  store: Pick<Store, "get" | "team">;
  place: RunPlace;
  /** How long a worker may take to begin, in milliseconds; replaced in tests. */
  beginMs?: number | undefined;
};

/** Outcomes whose notice was lost are looked for this often, in milliseconds. */
const lookMs = 1_000;
/** A session, the one whose call started it, and so on: deeper ones do not exist. */
const mostParents = 16;

export class AskDesk {
  readonly #parts: DeskParts;
  /** By the number of an ask: called with its outcome. */
  readonly #waiting = new Map<number, (outcome: string) => void>();
  readonly #unhear: () => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#unhear = parts.notices.hear((notice) => {
      if (notice && "done" in notice && this.#waiting.has(notice.done)) void this.#look([notice.done]);
    });
  }

  async submit<Name extends AskName>(session: string, ask: SessionAsk<Name>): Promise<AskOutcomes[Name]> {
    const run = ask.name === "create" ? session : await this.#runOf(session);
    const { link, notices } = this.#parts;
    const kept = withMessageId(ask);
    const place = await this.#placeOf(run, kept);
    const { number, host } = await link.once((sql) =>
      transaction(sql, async () => {
        const woken = await wakeRun(sql, run, place);
        return { ...woken, number: await putAsk(sql, { session, run }, kept) };
      }),
    );
    notices.tell({ run });
    const outcome = await this.#outcome(number, host);
    const stored: StoredOutcome<Name> = JSON.parse(outcome);
    if ("value" in stored) return stored.value;
    throw stored.isMissing ? new NoSuchSession(stored.thrown) : new Error(stored.thrown);
  }

  /** A session of somebody is of their tenant, and has its limit. */
  async #placeOf(run: string, ask: SessionAsk): Promise<RunPlace> {
    const { store, place } = this.#parts;
    const owner = ask.name === "create" ? ask.which.owner : await store.team.belonging(run);
    if (!owner) return place;
    const { tenant } = owner;
    const { sessions } = await new People(store.team).limitsOf(tenant);
    return { ...place, tenant, most: sessions ?? (tenant === place.tenant ? place.most : undefined) };
  }

  /** What was handed over is done all the same. */
  close(): void {
    this.#unhear();
    clearInterval(this.#timer);
  }

  /** A subagent's session is open where that of its call is. */
  async #runOf(session: string): Promise<string> {
    let run = session;
    for (let at = 0; at < mostParents; at += 1) {
      const parent = (await this.#parts.store.get(run))?.parent;
      if (parent === undefined) return run;
      run = parent;
    }
    return run;
  }

  async #outcome(ask: number, host: string): Promise<string> {
    const { beginMs = hostBounds.unbegunAsk.most } = this.#parts;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.#waiting.set(ask, resolve);
    this.#timer ??= setInterval(() => void this.#look([...this.#waiting.keys()]), lookMs).unref();
    const tooLate = setTimeout(() => void this.#withdraw(ask, host), beginMs).unref();
    try {
      return await promise;
    } finally {
      clearTimeout(tooLate);
      this.#waiting.delete(ask);
      if (this.#waiting.size === 0) {
        clearInterval(this.#timer);
        this.#timer = undefined;
      }
    }
  }

  async #look(asks: readonly number[]): Promise<void> {
    const found = await this.#parts.link
      .once((sql) => takeOutcomes(sql, asks))
      .catch(() => new Map<number, string>()); // the next look may succeed
    for (const [ask, outcome] of found) this.#waiting.get(ask)?.(outcome);
  }

  async #withdraw(ask: number, host: string): Promise<void> {
    const isGone = await this.#parts.link.once((sql) => withdrawAsk(sql, ask)).catch(() => false);
    if (!isGone) return;
    const problem = `No worker on ${host} has taken this in time, and it was taken back: start \`toolwright worker\` there, or try again when fewer sessions run.`;
    const outcome: StoredOutcome = { value: { ok: false, problem } };
    this.#waiting.get(ask)?.(JSON.stringify(outcome));
  }
}

/** As it is stored. A message that is sent twice is known by its id. */
function withMessageId<Name extends AskName>(given: SessionAsk<Name>): SessionAsk {
  const ask: SessionAsk = JSON.parse(JSON.stringify(given));
  if (ask.name !== "command" || ask.command.type !== "send") return ask;
  return { ...ask, command: { id: randomUUID(), ...ask.command } };
}
