/** What waits for a person in the sessions of this window: approvals, questions of the model, limits. */

import { errorMessage } from "../../../../../src/base/expected.ts";
import type {
  Client,
  CommandOutcome,
  FactOf,
  LiveConnection,
  SessionState,
  SessionValue,
} from "../../../../../src/client.ts";
import type { AnswerQuestion, Command } from "../../../../../src/protocol/commands.ts";
import { pendingApprovals, pendingQuestions } from "../../../../../src/protocol/session-state.ts";
import { type Leave, Listeners } from "../sessions/listeners.ts";
import type { SessionStates } from "../sessions/session-states.ts";
import { type IsHere, sessionsHere } from "../sessions/sessions-here.ts";

/** `key`: the same for as long as it waits. */
export type PendingQuestion = { key: string; session: string } & (
  | { type: "approval"; asked: FactOf<"approval-asked"> }
  | { type: "question"; asked: FactOf<"question-asked"> }
  | { type: "limit"; asked: FactOf<"limit-asked"> }
);

export type ApprovalReply = Extract<Command, { type: "answer-approval" }>;
type WaitingAnswer = ApprovalReply | AnswerQuestion;

type WaitingContext = {
  client: Pick<Client, "command">;
  live: LiveConnection;
  states: SessionStates;
  isHere: IsHere;
  failed: (error: unknown) => void;
};

type FollowedQuestions = { leave: Leave; waiting: readonly PendingQuestion[] };

export class WaitingQuestions {
  readonly #context: WaitingContext;
  readonly #listeners: Listeners<readonly PendingQuestion[]>;
  readonly #followed = new Map<string, FollowedQuestions>();
  readonly #stop = new AbortController();

  constructor(context: WaitingContext) {
    this.#context = context;
    this.#listeners = new Listeners(context.failed);
    void this.#watch();
  }

  get list(): readonly PendingQuestion[] {
    return [...this.#followed.values()].flatMap(({ waiting }) => waiting);
  }

  /** Told whenever something begins or ceases to wait. */
  listen(listener: (waiting: readonly PendingQuestion[]) => void): Leave {
    return this.#listeners.add(listener);
  }

  /** Never rejects. */
  async answer(session: string, answer: WaitingAnswer): Promise<CommandOutcome> {
    try {
      return await this.#context.client.command(session, answer);
    } catch (error) {
      return { ok: false, problem: errorMessage(error) };
    }
  }

  close(): void {
    this.#stop.abort();
    for (const { leave } of this.#followed.values()) leave();
    this.#followed.clear();
  }

  async #watch(): Promise<void> {
    const { live, isHere, failed } = this.#context;
    try {
      for await (const sessions of sessionsHere(live, isHere, this.#stop.signal)) this.#listed(sessions);
    } catch (error) {
      failed(error);
    }
    this.#listed([]); // the core is gone
  }

  /** A session that works is followed before it asks: so somebody is there to be asked. */
  #listed(sessions: readonly SessionValue[]): void {
    const busy = new Set(sessions.filter(isBusy).map(({ id }) => id));
    for (const id of busy) if (!this.#followed.has(id)) this.#follow(id);
    for (const [id, { leave, waiting }] of this.#followed) {
      if (busy.has(id)) continue;
      leave();
      this.#followed.delete(id);
      if (waiting.length > 0) this.#tell();
    }
  }

  #follow(session: string): void {
    const followed: FollowedQuestions = { leave: () => undefined, waiting: [] };
    this.#followed.set(session, followed);
    followed.leave = this.#context.states.follow(session, (state) => {
      const waiting = waitingIn(state);
      if (keysOf(waiting) === keysOf(followed.waiting)) return;
      followed.waiting = waiting;
      this.#tell();
    });
  }

  #tell(): void {
    if (!this.#stop.signal.aborted) this.#listeners.tell(this.list);
  }
}

const isBusy = ({ standing }: SessionValue): boolean => standing === "running" || standing === "waiting";

const keysOf = (waiting: readonly PendingQuestion[]): string => JSON.stringify(waiting.map(({ key }) => key));

function waitingIn(state: SessionState): PendingQuestion[] {
  if (state.status !== "running") return [];
  const { session, limitAsked, turn } = state;
  const keyFor = (what: string): string => JSON.stringify([session, turn, what]);
  return [
    ...pendingApprovals(state).map((asked) => ({
      type: "approval" as const,
      key: keyFor(`approval ${asked.callId} ${asked.held ? "held" : ""}`),
      session,
      asked,
    })),
    ...pendingQuestions(state).map((asked) => ({
      type: "question" as const,
      key: keyFor(`question ${asked.callId}`),
      session,
      asked,
    })),
    ...(limitAsked
      ? [
          {
            type: "limit" as const,
            key: keyFor(`limit ${limitAsked.limit} ${limitAsked.most}`),
            session,
            asked: limitAsked,
          },
        ]
      : []),
  ];
}
