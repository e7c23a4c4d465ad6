/** One session as one editor has it open: followed, asked about, and prompted. */

import { RequestError, type SessionUpdate, type StopReason } from "@agentclientprotocol/sdk";
import { randomHex } from "../base/crypto.ts";
import { errorMessage } from "../base/expected.ts";
import { visibleLine } from "../base/visible-text.ts";
import type { SessionSettings } from "../hosting/session-host.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry } from "../protocol/facts.ts";
import { type ContentPart, typedIn } from "../protocol/messages.ts";
import type { ModelsToChoose } from "../runtime/models/models.ts";
import { askedId, notePending, type Pending, type PersonQuestion } from "../view/person-questions.ts";
import { refusalOf } from "../view/question-forms.ts";
import type { AcpContext } from "./acp-context.ts";
import { askPerson } from "./asking.ts";
import { changeDiffs } from "./change-diffs.ts";
import { clientBuffers } from "./client-buffers.ts";
import type { AcpClient } from "./client.ts";
import { configOptions, settingsIn } from "./config-options.ts";
import { accept } from "./request-errors.ts";
import { SessionUpdates } from "./session-updates.ts";
import { TurnWaits } from "./turn-waits.ts";

/** Output that grows is told at most this often, because all of it is sent each time. */
const outputMs = 100;

type AttachedSetup = { id: string; workspace: string; context: AcpContext; client: AcpClient };

export class AttachedSession {
  readonly id: string;
  readonly workspace: string;
  readonly #context: AcpContext;
  readonly #client: AcpClient;
  readonly #updates: SessionUpdates;
  readonly #waits = new TurnWaits();
  readonly #leaving = new AbortController();
  readonly #pending: Pending = new Map();
  /** The questions that the client is being asked, by `askedId`. */
  readonly #asking = new Map<string, AbortController>();
  /** A question that the next prompt answers. */
  #answerable: Extract<PersonQuestion, { type: "question-asked" }> | undefined;
  #choices: SessionSettings = { mode: "ask", model: "", reasoning: "default" };
  #models: ModelsToChoose = { providers: [] };
  #following: Promise<void> = Promise.resolve();
  #printing: NodeJS.Timeout | undefined;
  #cancels = 0;
  #closeBuffers: (() => void) | undefined;

  constructor({ id, workspace, context, client }: AttachedSetup) {
    this.id = id;
    this.workspace = workspace;
    this.#context = context;
    this.#client = client;
    this.#updates = new SessionUpdates({
      workspace,
      shows: client.shows,
      isOwn: (messageId) => this.#waits.isOwn(messageId),
    });
  }

  /** Resolves once all that is stored was heard, and with `replay` told to the client. */
  async open({ replay }: { replay: boolean }): Promise<void> {
    const { host } = this.#context;
    const models = this.#context.models();
    const [row, known, settings] = await Promise.all([host.row(this.id), models, host.settings(this.id)]);
    if (!row) throw RequestError.sessionNotFound(this.id);
    this.#models = known;
    if (this.#client.hasBuffers)
      this.#closeBuffers = host.openBuffers(this.id, clientBuffers(this.#client.context, this.id));
    // A session whose model is gone can still be read, and be given another.
    this.#choices = settings.ok
      ? settings.value
      : { mode: host.mode, model: known.usual ?? "", reasoning: "default" };
    const caughtUp = Promise.withResolvers<void>();
    const followed = this.#follow(row.facts, replay, caughtUp.resolve);
    this.#following = followed.catch((error: unknown) => {
      caughtUp.reject(error);
      this.#waits.fail(errorMessage(error));
    });
    await caughtUp.promise;
    if (row.standing === "left-open")
      await this.say("\nThe last request was cut off. `/go-on` finishes it.\n");
  }

  get choices(): SessionSettings {
    return this.#choices;
  }

  get models(): ModelsToChoose {
    return this.#models;
  }

  /** Resolves at the end of the turn; rejects with a RequestError that tells people what is wrong. */
  async prompt(content: readonly ContentPart[], signal: AbortSignal): Promise<StopReason> {
    const id = `acp-${randomHex(16)}`;
    const asked = this.#answerable;
    this.#answerable = undefined;
    const ended = this.#waits.begin(id, asked?.turn);
    const cancelled = (): void => void this.cancel();
    signal.addEventListener("abort", cancelled, { once: true });
    const cancels = this.#cancels;
    try {
      const sent = await this.command(
        asked
          ? {
              type: "answer-question",
              callId: asked.callId,
              answer: "given",
              text: typedIn(content, "\n"),
              by: this.#client.by,
            }
          : { type: "send", content: [...content], id, when: "next" },
      );
      accept(sent);
      if (this.#cancels > cancels) await this.cancel();
      return await ended;
    } finally {
      ended.catch(() => undefined);
      this.#waits.end(id, "cancelled");
      signal.removeEventListener("abort", cancelled);
    }
  }

  /** Stops what runs, and withdraws what this client has sent and waits its turn. */
  async cancel(): Promise<void> {
    this.#cancels += 1;
    for (const id of this.#waits.waiting) await this.command({ type: "withdraw", id });
    await this.command({ type: "interrupt", by: this.#client.by });
  }

  command(command: Command): Promise<CommandOutcome> {
    return this.#context.host.command(this.id, command);
  }

  /** Tells the client something that is no part of the session. */
  say(text: string): Promise<void> {
    return this.send({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
  }

  async send(...updates: readonly SessionUpdate[]): Promise<void> {
    for (const update of updates)
      await this.#client.context.notify("session/update", { sessionId: this.id, update });
  }

  /** The session itself goes on. */
  async close(): Promise<void> {
    this.#leaving.abort();
    this.#closeBuffers?.();
    clearTimeout(this.#printing);
    for (const asking of this.#asking.values()) asking.abort();
    this.#waits.fail("The session was closed here. What runs in it goes on.");
    await this.#following;
  }

  async #follow(head: number, replay: boolean, caughtUp: () => void): Promise<void> {
    const { signal } = this.#leaving;
    for await (const event of this.#context.host.follow(this.id, 0, { signal, person: true })) {
      if (!("seq" in event)) {
        await this.send(...this.#updates.signal(event));
        if (event.type === "output-delta") this.#printSoon();
        continue;
      }
      const isPast = event.seq <= head;
      await this.#hear(event, !isPast || replay);
      if (!isPast) await this.#tellState(event);
      this.#waits.heard(event);
      if (event.seq === head) caughtUp();
      if (event.seq >= head) this.#askPending();
    }
    if (!signal.aborted) throw new Error("The session was deleted.");
  }

  async #hear(fact: Entry, isTold: boolean): Promise<void> {
    notePending(this.#pending, fact);
    const updates = this.#updates.fact(fact);
    if (!isTold) return;
    await this.send(...updates);
    if (fact.type !== "change-applied") return;
    const diffs = await changeDiffs(fact.changes, {
      host: this.#context.host,
      id: this.id,
      workspace: this.workspace,
    });
    await this.send(...this.#updates.changed(fact.callId, diffs));
  }

  /** What clients show beside the conversation. */
  async #tellState(fact: Entry): Promise<void> {
    const set = settingsIn(fact);
    if (set) {
      this.#choices = { ...this.#choices, ...set };
      await this.send({
        sessionUpdate: "config_option_update",
        configOptions: configOptions(this.choices, this.#models),
      });
    }
    const isEnd = fact.type === "turn-end";
    if (!isEnd && !(fact.type === "answer-end" && fact.reason === "tool-calls")) return;
    const { host } = this.#context;
    const [context, row] = await Promise.all([host.context(this.id), host.row(this.id)]);
    if (context.ok)
      await this.send({
        sessionUpdate: "usage_update",
        used: context.value.tokens,
        size: context.value.window,
        ...(row && row.cost.dollars > 0 ? { cost: { amount: row.cost.dollars, currency: "USD" } } : {}),
      });
    if (row && isEnd)
      await this.send({
        sessionUpdate: "session_info_update",
        title: row.title,
        updatedAt: new Date(row.updatedAt).toISOString(),
      });
  }

  #printSoon(): void {
    this.#printing ??= setTimeout(() => {
      this.#printing = undefined;
      this.send(...this.#updates.printed()).catch(() => undefined); // a lost connection ends the following
    }, outputMs);
  }

  /** Asks what is not asked yet, and takes back what somebody else has answered. */
  #askPending(): void {
    for (const [key, asking] of this.#asking) if (!this.#pending.has(key)) asking.abort();
    for (const [key, asked] of this.#pending)
      if (!this.#asking.has(key) && this.#answerable?.seq !== asked.seq) void this.#ask(asked);
  }

  async #ask(asked: PersonQuestion): Promise<void> {
    const key = askedId(asked);
    const asking = new AbortController();
    this.#asking.set(key, asking);
    const { context: client, showsForms, by } = this.#client;
    const place = { session: this.id, workspace: this.workspace, client, showsForms, by };
    try {
      const answer = await askPerson(asked, place, asking.signal);
      if (answer) await this.command(answer);
      else if (asked.type === "question-asked") await this.#waitForPrompt(asked);
    } catch (error) {
      if (asking.signal.aborted) return;
      this.#context.log(`A question could not be asked: ${errorMessage(error)}`);
      if (error instanceof RequestError && !this.#waits.isEmpty) await this.#refuse(asked, error.message);
    } finally {
      this.#asking.delete(key);
    }
  }

  /** The client is there and cannot ask: without an answer a prompt of its own would never end. */
  async #refuse(asked: PersonQuestion, because: string): Promise<void> {
    await this.say(`\nThe editor could not show a question, which counts as a no: ${visibleLine(because)}\n`);
    await this.command(refusalOf(asked, this.#client.by));
  }

  async #waitForPrompt(asked: Extract<PersonQuestion, { type: "question-asked" }>): Promise<void> {
    this.#answerable = asked;
    await this.say(`\n${asked.question}\n`);
    this.#waits.pause(asked.turn);
  }
}
