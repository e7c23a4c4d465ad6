/** Lets a tenant's work begin, or refuses it: the one place that keeps its limits of sessions, rounds and dollars. */

import { sessionsAtWork } from "../../archive/sessions.ts";
import { untilTomorrow, useToday } from "../../archive/tenant-use.ts";
import { countOf, durationInWords } from "../../base/amounts.ts";
import { Turnstile } from "../../base/turnstile.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Store } from "../../session/store.ts";
import { beginsWork } from "../turn-engine.ts";
import { People, type TenantLimits } from "./people.ts";

type TenantAdmissionSetup = {
  store: Store;
  /** Sessions beyond the limit are not refused: they wait for their turn in the workers' queue. */
  areQueued: boolean;
  now?: (() => number) | undefined;
};

type TenantWork = { tenant: string; session: string; limits: TenantLimits };

/** A command of somebody's session. What was begun goes on: neither answers nor stops are refused. */
type SessionWork = { session: string; command: Command; begin: () => Promise<CommandOutcome> };

export class TenantAdmission {
  readonly #setup: TenantAdmissionSetup;
  readonly #people: People;
  /** By tenant: what one has begun the next must see. */
  readonly #gates = new Map<string, Turnstile>();

  constructor(setup: TenantAdmissionSetup) {
    this.#setup = setup;
    this.#people = new People(setup.store.team);
  }

  async admit({ session, command, begin }: SessionWork): Promise<CommandOutcome> {
    if (!beginsWork.has(command.type)) return begin();
    const tenant = (await this.#setup.store.team.belonging(session))?.tenant;
    if (tenant === undefined) return begin();
    const limits = await this.#people.limitsOf(tenant);
    const problem = await this.#spentProblem(tenant, limits);
    if (problem !== undefined) return { ok: false, problem };
    if (limits.sessions === undefined || this.#setup.areQueued) return begin();
    return this.#gate(tenant).pass("exclusive", async () => {
      const crowded = await this.#crowdedProblem({ tenant, session, limits });
      return crowded === undefined ? begin() : { ok: false, problem: crowded };
    });
  }

  #gate(tenant: string): Turnstile {
    const gate = this.#gates.get(tenant) ?? new Turnstile();
    this.#gates.set(tenant, gate);
    return gate;
  }

  async #spentProblem(tenant: string, { rounds, dollars }: TenantLimits): Promise<string | undefined> {
    if (rounds === undefined && dollars === undefined) return undefined;
    const now = (this.#setup.now ?? Date.now)();
    const used = await useToday(this.#setup.store, tenant, now);
    const words =
      rounds !== undefined && used.rounds >= rounds
        ? `${used.rounds} of ${countOf(rounds, "round")}`
        : dollars !== undefined && used.cost.dollars >= dollars
          ? `$${used.cost.dollars.toFixed(2)} of $${dollars.toFixed(2)}`
          : undefined;
    if (words === undefined) return undefined;
    const left = durationInWords(untilTomorrow(now));
    return `Today's limit of the tenant ${tenant} is reached: ${words}. It begins anew at 00:00 UTC, in ${left}; an administrator can raise it.`;
  }

  async #crowdedProblem({ tenant, session, limits }: TenantWork): Promise<string | undefined> {
    const { sessions: most = Number.POSITIVE_INFINITY } = limits;
    const atWork = await sessionsAtWork(this.#setup.store, tenant);
    if (atWork.length < most || atWork.includes(session)) return undefined;
    return `${atWork.length} of ${countOf(most, "session")} of the tenant ${tenant} ${atWork.length === 1 ? "runs" : "run"}: send this again when one is done, or ask an administrator to raise the limit.`;
  }
}
