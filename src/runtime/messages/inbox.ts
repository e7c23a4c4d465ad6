/** A session's incoming messages: accepted, queued while a turn runs, withdrawn, and passed to the next turn. */

import { finishInterrupted } from "../../agent/finish.ts";
import type { Command, CommandOutcome } from "../../protocol/commands.ts";
import type { Fact, FactOf } from "../../protocol/facts.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { awaitsPerson } from "../../protocol/session-state.ts";
import type { Model } from "../../providers/provider.ts";
import type { SessionLog } from "../../session/log.ts";
import type { SessionAddons } from "../addons/session-addons.ts";
import type { Engine } from "../engine.ts";
import { messageBounds } from "./bounds.ts";
import { queuedMessage, takeQueue } from "./queue.ts";
import { unseen } from "./sent-images.ts";
import { isNoContext, type MessageReader, type TakenMessage, takeMessage } from "./taken.ts";

type InboxContext = {
  log: SessionLog;
  engine: Engine;
  addons: Pick<SessionAddons, "prompt">;
  /** The model for the next turn. */
  model: () => Model;
  start: () => FactOf<"turn-start">;
  /** Queued messages being withdrawn: the engine must not start on them. */
  withdrawing: Set<string>;
};

const done: CommandOutcome = { ok: true };
const tooLate: CommandOutcome = {
  ok: false,
  problem: "That message is no longer queued: the model already has it.",
};

const mostWaiting = messageBounds.waitingMessages.most;
const full: CommandOutcome = {
  ok: false,
  problem: `The queue is full (${mostWaiting} messages). Wait for the request, or interrupt it.`,
};

const leftOpen = "the program that worked on it ended";

export class Inbox {
  readonly #context: InboxContext;
  /** Aborts a send in progress, while its meaning is resolved and hooks inspect it. */
  #taking: AbortController | undefined;

  constructor(context: InboxContext) {
    this.#context = context;
  }

  /** Cancels the message being sent, unless it is already in the log. */
  interrupt(): void {
    this.#taking?.abort();
  }

  /** Opens a turn; while one runs or waits for a person, the message is queued. */
  async send(
    { content: written, when = "steer", id }: Command & { type: "send" },
    reading?: MessageReader,
  ): Promise<CommandOutcome> {
    const { log, engine, model } = this.#context;
    if (id !== undefined && log.state.sent.includes(id)) return done; // already received
    const message = await this.#take(written, reading);
    if (!message.ok) {
      if (message.told.length > 0) await log.append(...message.told);
      return { ok: false, problem: message.problem };
    }
    const { content, facts } = message;
    const warnings = unseen(content, model());
    if (engine.isRunning || awaitsPerson(log.state)) {
      if (log.state.queue.length >= mostWaiting) return full;
      await log.append(
        ...warnings,
        queuedMessage({ content, when, id }, facts),
        ...facts.filter(isNoContext),
      );
      if (log.state.status === "idle") engine.call(); // the turn ended meanwhile
      return done;
    }
    if (log.state.status === "running") await finishInterrupted(engine.turnContext(), { because: leftOpen });
    if (warnings.length > 0) await log.append(...warnings);
    await this.begin(content, id, facts);
    return done;
  }

  /** Starts one turn with the queued messages, each as a message of its own, then the new content. */
  async begin(content: ContentPart[] = [], id?: string, said: readonly Fact[] = []): Promise<void> {
    const { log, engine, start } = this.#context;
    const [first, ...others] = takeQueue(log.state, content, id);
    if (!first) return;
    const then = others.flatMap(({ message, said: to }): Fact[] => [{ type: "steer", ...message }, ...to]);
    await log.append({ type: "user-message", ...first.message }, start(), ...first.said, ...then, ...said);
    engine.run();
  }

  /** Withdraws a queued message, unless the model has received it by then. */
  async withdraw(id: string): Promise<CommandOutcome> {
    const { log, withdrawing } = this.#context;
    if (!log.state.queue.some((message) => message.id === id)) return tooLate;
    let isTaken = false;
    const leave = log.listen((event) => (isTaken ||= "queued" in event && event.queued === id));
    withdrawing.add(id);
    try {
      await log.append({ type: "message-withdrawn", id });
      return isTaken ? tooLate : done;
    } finally {
      leave();
      withdrawing.delete(id);
    }
  }

  async #take(written: ContentPart[], reading: MessageReader | undefined): Promise<TakenMessage> {
    const stop = new AbortController();
    this.#taking = stop;
    try {
      return await takeMessage(written, { reading, addons: this.#context.addons, signal: stop.signal });
    } finally {
      this.#taking = undefined;
    }
  }
}
