/** A session's incoming messages: accepted, queued while a turn runs, withdrawn, and passed to the next turn. */

import { randomUUID } from "node:crypto";
import { whyTooLong } from "../../agent/context/whole-message.ts";
import { finishInterrupted } from "../../agent/finish.ts";
import { refuse } from "../../base/expected.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Fact, Delivery, FactOf } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { awaitsPerson, saidTo, type SessionState, takenMessage } from "../../protocol/session-state.ts";
import type { Engine } from "../engine.ts";
import type { SessionCore } from "../session-core.ts";
import { messageBounds } from "./bounds.ts";
import { unseen } from "./sent-images.ts";
import { isNoContext, type MessageReader, type TakenMessage, takeMessage } from "./take-message.ts";

const done: CommandOutcome = { ok: true };
const tooLate: CommandOutcome = refuse("That message is no longer queued: the model already has it.");

const mostWaiting = messageBounds.waitingMessages.most;
const full: CommandOutcome = refuse(
  `The queue is full (${mostWaiting} messages). Wait for the request, or interrupt it.`,
);

/** What is sent; `id` and `by` as in its command. */
type SentMessage = { content: ContentPart[]; id?: string | undefined; by?: string | undefined };

const leftOpen = "the program that worked on it ended";

export class Inbox {
  readonly #core: SessionCore;
  readonly #engine: Engine;
  /** Aborts a send in progress, while its meaning is resolved and hooks inspect it. */
  #taking: AbortController | undefined;

  constructor(core: SessionCore, engine: Engine) {
    this.#core = core;
    this.#engine = engine;
  }

  /** Cancels the message being sent, unless it is already in the log. */
  interrupt(): void {
    this.#taking?.abort();
  }

  /** Opens a turn; while one runs or waits for a person, the message is queued. */
  async send(
    { content: written, when = "steer", id, by }: Command & { type: "send" },
    reading?: MessageReader,
  ): Promise<CommandOutcome> {
    const { log } = this.#core;
    const engine = this.#engine;
    if (id !== undefined && log.state.sent.includes(id)) return done; // already received
    const message = await this.#take(written, reading);
    if (!message.ok) {
      if (message.told.length > 0) await log.append(...message.told);
      return refuse(message.problem);
    }
    const { content, facts } = message;
    const warnings = unseen(content, this.#core.model);
    if (engine.isRunning || awaitsPerson(log.state)) {
      if (log.state.queue.length >= mostWaiting) return full;
      await log.append(
        ...warnings,
        queuedMessage({ content, when, id, by }, facts),
        ...facts.filter(isNoContext),
      );
      if (log.state.status === "idle") engine.call(); // the turn ended meanwhile
      return done;
    }
    if (log.state.status === "running") await finishInterrupted(engine.turnContext(), { because: leftOpen });
    if (warnings.length > 0) await log.append(...warnings);
    await this.begin({ content, id, by }, facts);
    return done;
  }

  /** Starts one turn with the queued messages, each as a message of its own, then the new one. */
  async begin(sent?: SentMessage, said: readonly Fact[] = []): Promise<void> {
    const { log } = this.#core;
    const [first, ...others] = takeQueue(log.state, sent);
    if (!first) return;
    const then = others.flatMap(({ message, said: to }): Fact[] => [{ type: "steer", ...message }, ...to]);
    await log.append(
      { type: "user-message", ...first.message },
      ...this.#core.turnStart(),
      ...first.said,
      ...then,
      ...said,
    );
    this.#engine.run();
  }

  /** Withdraws a queued message, unless the model has received it by then. */
  async withdraw({ id, by }: Command & { type: "withdraw" }): Promise<CommandOutcome> {
    const { log, withdrawing } = this.#core;
    if (!log.state.queue.some((message) => message.id === id)) return tooLate;
    let isTaken = false;
    const leave = log.listen((event) => (isTaken ||= "queued" in event && event.queued === id));
    withdrawing.add(id);
    try {
      await log.append({ type: "message-withdrawn", id, by });
      return isTaken ? tooLate : done;
    } finally {
      leave();
      withdrawing.delete(id);
    }
  }

  /** What a session holds is asked about with everything that follows: it must fit, unless another model may take it. */
  #fitting(taken: TakenMessage): TakenMessage {
    if (!taken.ok || this.#core.hasSubstitute) return taken;
    const problem = whyTooLong(taken.content, this.#engine.turnContext());
    return problem === undefined ? taken : { ok: false, problem, told: taken.facts.filter(isNoContext) };
  }

  async #take(written: ContentPart[], reading: MessageReader | undefined): Promise<TakenMessage> {
    const stop = new AbortController();
    this.#taking = stop;
    try {
      return this.#fitting(
        await takeMessage(written, { reading, addons: this.#core.addons, signal: stop.signal }),
      );
    } finally {
      this.#taking = undefined;
    }
  }
}

/** `facts`: what hooks added to the message, queued along with it. */
function queuedMessage(
  { content, when, id, by }: SentMessage & { when: Delivery },
  facts: readonly Fact[] = [],
): FactOf<"message-queued"> {
  const said = facts.flatMap((fact) => {
    if (fact.type !== "context-added") return [];
    const { type: _, ...words } = fact;
    return [words];
  });
  const message = { type: "message-queued" as const, id: id ?? randomUUID(), content, when, by };
  return said.length === 0 ? message : { ...message, said };
}

/** A message ready for the log, from the queue or just sent. */
type ReadyMessage = Omit<FactOf<"user-message">, "type">;

/** All queued messages in order, then the new one, each with the facts that belong to it. */
const takeQueue = (
  { queue }: SessionState,
  sent: SentMessage | undefined,
): { message: ReadyMessage; said: Fact[] }[] => [
  ...queue.map((one) => ({ message: takenMessage(one), said: saidTo(one) })),
  ...(sent ? [{ message: sent, said: [] }] : []),
];
