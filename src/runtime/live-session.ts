/** An open session: accepts commands, emits facts and signals, and runs the engine in between. */

import type { NamedSymbol } from "../addons/part.ts";
import { judgeEdited } from "../agent/call/edited-command.ts";
import type { ContextReport } from "../agent/context/report.ts";
import { type Expected, refuse } from "../base/expected.ts";
import type { LongWork } from "../base/long-work.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import { byPerson } from "../protocol/fact-words.ts";
import type { Entry, Mode, Signal } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import { isSameGrant } from "../protocol/same-grant.ts";
import { type SessionState, settingsTold } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import { grantInWords } from "../safety/grants.ts";
import type { SessionLog } from "../session/log.ts";
import { nameFrom } from "../session/store-rules.ts";
import type { Terminals } from "../tools/terminal/terminals.ts";
import type { AgentSession } from "./agent-session.ts";
import { Engine } from "./engine.ts";
import { factsOfMode, modeProblem, noOtherModel } from "./kept-settings.ts";
import { type AnswerCommand, answerFacts } from "./messages/answering.ts";
import { Inbox } from "./messages/inbox.ts";
import { unseen } from "./messages/sent-images.ts";
import type { MessageReader } from "./messages/take-message.ts";
import { grantsNow } from "./policy.ts";
import { reasoningProblem, unthinking } from "./reasoning.ts";
import { SessionCore, undoing } from "./session-core.ts";
import type { SessionSetup } from "./session-setup.ts";
import type { ChangesCommand, Review } from "./undoing.ts";

export type { SessionSetup } from "./session-setup.ts";

const done: CommandOutcome = { ok: true };

const closed = refuse("The session is closed. Resume it to go on.");

const asides = () => import("./asides.ts");
/** Loaded on demand: most runs never compact their context. */
const shortening = () => import("./shortening.ts");

/** An open session: accepts commands, emits facts and signals, and runs the engine in between. */
export class LiveSession implements AgentSession {
  readonly #core: SessionCore;
  readonly #engine: Engine;
  readonly #inbox: Inbox;
  #isClosed = false;
  /** Ends the side questions that are being answered. */
  #asides = new AbortController();
  #lastAside: Promise<unknown> = Promise.resolve();
  /** How many callers have opened this session and not yet closed it. */
  #users = 1;
  /** The tail of the command queue: the command in progress and those waiting behind it. */
  #commands: Promise<unknown> = Promise.resolve();

  /** Takes ownership of `files`: closing the session closes it. */
  constructor(log: SessionLog, setup: SessionSetup, files: Tree) {
    this.#core = new SessionCore(log, setup, files);
    this.#engine = new Engine(this.#core);
    this.#inbox = new Inbox(this.#core, this.#engine);
  }

  get log(): SessionLog {
    return this.#core.log;
  }

  get files(): Tree {
    return this.#core.files;
  }

  get terminals(): Terminals {
    return this.#core.terminals;
  }

  get id(): string {
    return this.log.state.session;
  }

  get state(): SessionState {
    return this.log.state;
  }

  get facts(): readonly Entry[] {
    return this.log.entries;
  }

  get model(): Model {
    return this.#core.model;
  }

  get mode(): Mode {
    return this.#core.mode;
  }

  get reasoning(): Reasoning {
    return this.#core.reasoning;
  }

  get isWorking(): boolean {
    return this.#engine.isRunning;
  }

  follow(after: number, signal: AbortSignal): AsyncIterable<Entry | Signal> {
    return this.log.follow(after, signal);
  }

  idle(): Promise<void> {
    return this.#engine.idle();
  }

  /**
   * Runs commands one at a time, in order, so that none sees another's half-written log. `reading` is the expanded form
   * of a message being sent; by default its literal text.
   */
  async command(command: Command, reading?: MessageReader): Promise<CommandOutcome> {
    if (command.type === "interrupt") this.#interruptBeside();
    return this.#inOrder(async () => {
      if (this.#isClosed) return closed;
      if (this.#engine.hasFailed && !this.#engine.isRunning) await this.recover();
      return this.#carryOut(command, reading);
    });
  }

  async context(): Promise<ContextReport> {
    return (await shortening()).contextOf(this.#engine.turnContext());
  }

  /** Answers a side question from the conversation, beside what runs, as a fact that the model never sees. */
  async aside(question: string): Promise<CommandOutcome> {
    if (this.#isClosed) return closed;
    const { signal } = this.#asides;
    const answering = asides().then(({ askAside }) => askAside(question, this.#core, signal));
    this.#lastAside = Promise.allSettled([this.#lastAside, answering]);
    return answering;
  }

  review(turn?: number): Promise<Expected<Review>> {
    return this.#inOrder(async () => (await undoing()).reviewOf(turn, this.#core.changes()));
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Registers another user of the session, who must also call `close`. */
  share(): void {
    this.#users += 1;
  }

  /**
   * The last user's close stops running work and keeps the log whole. Followers end by their own signals; the store
   * stays open.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return this.#inOrder(async () => undefined);
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#isClosed = true;
    this.#interruptBeside();
    await this.#lastAside;
    await this.#inOrder(async () => {
      if (this.#engine.isRunning)
        await this.#engine.interrupt({ because: "the program that worked on it was closed" });
      await this.#core.addons.close();
      await this.terminals.close();
      await this.#core.settle();
      await this.#core.keepWork().catch(() => undefined); // the store may be away: what is not stored stays in the tree
      this.log.close();
      this.files.close();
      await this.#core.setup.closed?.();
    });
  }

  /** Resolves once the log records which parts of the workspace await a person's approval. */
  ready(): Promise<void> {
    return this.#core.addons.ready();
  }

  /** The symbols of the workspace whose name is like this, as far as running programs know them. */
  symbols(query: string, signal: AbortSignal): Promise<readonly NamedSymbol[]> {
    return this.#core.addons.symbols(query, signal);
  }

  /** What goes on beside the request that may take a while. */
  works(): readonly LongWork[] {
    return this.#core.addons.works();
  }

  /** Removes temporary files that a crash left next to the files being changed. */
  async sweep(): Promise<void> {
    if (this.state.changes.trails.size > 0) await (await undoing()).sweep(this.#core.changes());
  }

  /** Completes what a crash or a store failure left half-done in the log. Call before anything else. */
  recover(): Promise<void> {
    return this.#engine.recover();
  }

  /** Gives up what is not done in order: a message being taken, and side questions. */
  #interruptBeside(): void {
    this.#inbox.interrupt();
    this.#asides.abort();
    this.#asides = new AbortController();
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#commands.then(work);
    this.#commands = result.catch(() => undefined); // the original caller gets the error
    return result;
  }

  #carryOut(command: Command, reading?: MessageReader): Promise<CommandOutcome> {
    switch (command.type) {
      case "send":
        return this.#inbox.send(command, reading);
      case "withdraw":
        return this.#inbox.withdraw(command);
      case "answer-approval":
      case "answer-question":
      case "answer-limit":
        return this.#answer(command);
      case "go-on":
        return this.#goOn();
      case "interrupt":
        return this.#interrupt(command);
      case "set-mode":
        return this.#setMode(command);
      case "set-model":
        return this.#setModel(command);
      case "set-reasoning":
        return this.#setReasoning(command);
      case "set-goal":
        return this.#setGoal(command);
      case "revoke-grant":
        return this.#revoke(command);
      case "rename":
        return this.#rename(command);
      case "compact":
        return this.#compact(command.by);
      case "undo":
      case "redo":
      case "keep":
        return this.#changes(command);
      default: {
        const { type }: { type: unknown } = command satisfies never; // a program without types may send anything
        return Promise.resolve(refuse(`There is no command ${JSON.stringify(type) ?? "without a type"}.`));
      }
    }
  }

  async #answer(answer: AnswerCommand): Promise<CommandOutcome> {
    const facts = await answerFacts(answer, {
      state: this.state,
      projectGrants: this.#core.setup.projectGrants,
      judge: (callId, command) => judgeEdited(callId, command, this.#engine.turnContext()),
    });
    if (!facts.ok) return facts;
    // Approving a plan leaves plan mode for later turns too.
    const next = facts.value.find((fact) => fact.type === "mode-set");
    const forbidden = modeProblem(next?.mode, this.#core.setup);
    if (forbidden !== undefined) return refuse(forbidden);
    await this.log.append(...facts.value, ...(next ? factsOfMode(next.mode, this.#core.setup) : []));
    if (next) this.#core.mode = next.mode;
    this.#engine.run();
    return done;
  }

  /** Appends no fact if both this session and its log already have that mode. */
  async #setMode({ mode, by = "user" }: Command & { type: "set-mode" }): Promise<CommandOutcome> {
    const forbidden = modeProblem(mode, this.#core.setup);
    if (forbidden !== undefined) return refuse(forbidden);
    const isSet = this.#core.mode === mode && (settingsTold(this.state).mode ?? mode) === mode;
    this.#core.mode = mode;
    if (!isSet) await this.log.append({ type: "mode-set", mode, by }, ...factsOfMode(mode, this.#core.setup));
    return done;
  }

  async #setModel({ model, by = "user" }: Command & { type: "set-model" }): Promise<CommandOutcome> {
    const opened = await this.#core.setup.openModel?.(model);
    if (!opened) return noOtherModel;
    if (!opened.ok) return opened;
    const { name } = opened.value;
    const isSet = this.#core.model.name === name && (settingsTold(this.state).model ?? name) === name;
    this.#core.choose(opened.value);
    const said = this.state.messages.flatMap((message) => (message.role === "user" ? message.content : []));
    const told = [...unseen(said, opened.value), ...unthinking(this.reasoning, opened.value)];
    if (!isSet) await this.log.append({ type: "model-set", model: name, by }, ...told);
    return done;
  }

  /** Appends no fact if both this session and its log have it already. */
  async #setReasoning({
    reasoning,
    by = "user",
  }: Command & { type: "set-reasoning" }): Promise<CommandOutcome> {
    const problem = reasoningProblem(reasoning, this.model);
    if (problem !== undefined) return refuse(problem);
    const isSet =
      this.reasoning === reasoning && (settingsTold(this.state).reasoning ?? reasoning) === reasoning;
    this.#core.reasoning = reasoning;
    if (!isSet) await this.log.append({ type: "reasoning-set", reasoning, by });
    return done;
  }

  async #setGoal({ condition, by = "user" }: Command & { type: "set-goal" }): Promise<CommandOutcome> {
    const goal = condition?.trim();
    if (goal === "") return refuse("A goal needs a condition: say what has to be true.");
    if (goal !== this.state.goal)
      await this.log.append({ type: "goal-set", by, ...(goal === undefined ? {} : { condition: goal }) });
    return done;
  }

  async #revoke({ covers, by = "user" }: Command & { type: "revoke-grant" }): Promise<CommandOutcome> {
    const held = grantsNow(this.state).find((grant) => isSameGrant(grant, covers));
    if (!held) return refuse("That is not allowed for this request or this session (any more).");
    await this.log.append({ type: "grant-revoked", covers: held, grant: grantInWords(held), by });
    return done;
  }

  async #rename({ title, by }: Command & { type: "rename" }): Promise<CommandOutcome> {
    const name = nameFrom(title);
    if (name === "") return refuse("A session needs a name. Give one.");
    await this.log.append({ type: "session-renamed", title: name, by });
    return done;
  }

  /** Allowed only between turns or while a turn waits for a person. */
  async #compact(by: string | undefined): Promise<CommandOutcome> {
    if (this.isWorking)
      return refuse(
        "Wait until the request is done, or interrupt it. While it runs, the conversation is shortened by itself when that is necessary.",
      );
    this.#engine.run(async () => (await shortening()).compactFor(this.#engine.turnContext(), by));
    return done;
  }

  async #goOn(): Promise<CommandOutcome> {
    if (this.isWorking) return done; // already running
    if (this.state.status === "idle") {
      if (this.state.queue.length === 0) return refuse("Nothing to continue: the last request has finished.");
      await this.#inbox.begin();
    }
    this.#engine.run();
    return done;
  }

  async #interrupt(command: Extract<Command, { type: "interrupt" }>): Promise<CommandOutcome> {
    if (this.state.status === "idle" && !this.isWorking) return refuse("Nothing is running.");
    const { type: _, because, ...who } = command;
    await this.#engine.interrupt(
      because === undefined ? { because: byPerson, by: "a program", ...who } : { because, ...who },
    );
    return done;
  }

  async #changes(command: ChangesCommand): Promise<CommandOutcome> {
    if (this.isWorking)
      return refuse("Wait until the request is done, or interrupt it, before taking changes back.");
    return (await undoing()).reviseChanges(command, this.#core.changes());
  }
}
