/** A session that is open here: commands go in, facts and signals come out, the engine runs between them. */
import { finishInterrupted } from "../agent/finish.ts";
import type { TurnRoom } from "../agent/room.ts";
import type { Parsed } from "../base/json.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Fact, Mode, Signal } from "../protocol/facts.ts";
import { awaitsPerson, currentTurn, type SessionState } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import type { SessionLog } from "../session/log.ts";
import { mend } from "../session/mend.ts";
import type { Captured } from "../session/workspace-record/capture.ts";
import { Terminals } from "../tools/terminals.ts";
import { type Answering, answerFacts } from "./answering.ts";
import { drive } from "./engine.ts";
import { queued, takeQueue } from "./queue.ts";
import type { SessionSetup } from "./session-setup.ts";
import { turnRoom } from "./turn-room.ts";
import type { ChangesRoom, Review } from "./undoing.ts";

export type { SessionSetup } from "./session-setup.ts";

const done: CommandOutcome = { ok: true };
const refused = (problem: string): CommandOutcome => ({ ok: false, problem });

/** Characters of a session's name. */
const longestTitle = 200;

/** Comparing files takes 5 ms to load, which most runs never need. */
const undoing = () => import("./undoing.ts");

export class LiveSession {
  readonly log: SessionLog;
  readonly files: Tree;
  readonly terminals = new Terminals();
  #setup: SessionSetup;
  #model: Model;
  #mode: Mode;
  #controller = new AbortController();
  #driving: Promise<void> | undefined;
  /** Why the engine stopped; the log is mended before anything else is done. */
  #failure: { error: unknown } | undefined;
  /** What was read for undo before commands that ran without a layer. */
  #remembered: Captured = new Map();
  #isClosed = false;
  /** The command being carried out, and those that wait behind it. */
  #commands: Promise<unknown> = Promise.resolve();

  /** `files` is closed with the session. */
  constructor(log: SessionLog, setup: SessionSetup, files: Tree) {
    this.log = log;
    this.files = files;
    this.#model = setup.model;
    this.#setup = setup;
    this.#mode = setup.mode;
  }

  get id(): string {
    return this.log.state.session;
  }

  get state(): SessionState {
    return this.log.state;
  }

  /** The model that the next turn is asked of. */
  get model(): Model {
    return this.#model;
  }

  /** The mode that the next turn starts in. */
  get mode(): Mode {
    return this.#mode;
  }

  /** Facts after `after`, then what is open, then live. */
  follow(after: number, signal: AbortSignal): AsyncIterable<Entry | Signal> {
    return this.log.follow(after, signal);
  }

  /** Resolves when nothing runs: the turn is over, or it waits for a person. Rejects when the log failed. */
  async idle(): Promise<void> {
    while (this.#driving) await this.#driving;
    if (this.#failure) throw this.#failure.error;
  }

  /** One at a time, in their order: none sees the log in the middle of another. */
  async command(command: Command): Promise<CommandOutcome> {
    return this.#inOrder(async () => {
      if (this.#isClosed) return refused("The session is closed. Resume it to go on.");
      if (this.#failure && !this.#driving) await this.mend();
      return this.#carryOut(command);
    });
  }

  /** A turn's changes to look at, of the newest that has some unless told; changes nothing. */
  review(turn?: number): Promise<Parsed<Review>> {
    return this.#inOrder(async () => (await undoing()).reviewOf(turn, this.#changesRoom()));
  }

  /** Stops what runs, keeping the log whole. Followers end with their own signals; the store stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inOrder(async () => {
      if (this.#driving) await this.#interrupt();
      await this.terminals.close();
      this.files.close();
    });
  }

  /** Closes what a crash or a failure of the store left half done in the log. To be called before anything else. */
  async mend(): Promise<void> {
    if (this.state.open.size > 0) await (await undoing()).settleChanges(this.#changesRoom());
    await this.log.append(...mend(this.log.entries, await this.#setup.store.openBlock(this.id)));
    this.#failure = undefined;
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#commands.then(work);
    this.#commands = result.catch(() => undefined); // whoever asked for it is told
    return result;
  }

  #carryOut(command: Command): Promise<CommandOutcome> {
    switch (command.type) {
      case "send":
        return this.#send(command);
      case "withdraw":
        return this.#withdraw(command.id);
      case "answer-approval":
      case "answer-question":
      case "answer-limit":
        return this.#answer(command);
      case "go-on":
        return this.#goOn();
      case "interrupt":
        return this.#interrupt();
      case "set-mode":
        return this.#setMode(command.mode);
      case "set-model":
        return this.#setModel(command.model);
      case "rename":
        return this.#rename(command.title);
      case "undo":
      case "redo":
      case "keep":
        return this.#changes(command);
      default:
        return command satisfies never;
    }
  }

  async #send({ content, when = "steer" }: Command & { type: "send" }): Promise<CommandOutcome> {
    if (content.every((part) => part.type === "text" && part.text.trim() === ""))
      return refused("The request is empty. Say what to do.");
    if (this.#driving || awaitsPerson(this.state)) {
      await this.log.append(queued(content, when));
      return done;
    }
    if (this.state.status === "running") await finishInterrupted(this.#room());
    await this.#begin({ type: "user-message", content: [...takeQueue(this.state), ...content] });
    return done;
  }

  /** What waited is told first, and waits no more. */
  async #begin(request: Fact & { type: "user-message" }): Promise<void> {
    const withdrawn = this.state.queue.map(({ id }): Fact => ({ type: "message-withdrawn", id }));
    await this.log.append(...withdrawn, request, {
      type: "turn-start",
      model: this.#model.name,
      mode: this.#mode,
    });
    this.#drive();
  }

  async #withdraw(id: string): Promise<CommandOutcome> {
    if (!this.state.queue.some((message) => message.id === id))
      return refused("That message does not wait any more: it was taken.");
    await this.log.append({ type: "message-withdrawn", id });
    return done;
  }

  async #answer(answer: Answering): Promise<CommandOutcome> {
    const facts = await answerFacts(answer, this.state, this.#setup.projectGrants);
    if (!facts.ok) return facts;
    await this.log.append(...facts.value);
    this.#drive();
    return done;
  }

  async #setMode(mode: Mode): Promise<CommandOutcome> {
    this.#mode = mode;
    if (this.state.status === "running" && this.state.mode !== mode)
      await this.log.append({ type: "mode-set", mode, by: "user" });
    return done;
  }

  async #setModel(name: string): Promise<CommandOutcome> {
    const opened = await this.#setup.openModel?.(name);
    if (!opened) return refused("No other model can be chosen here.");
    if (!opened.ok) return opened;
    this.#model = opened.value;
    return done;
  }

  async #rename(title: string): Promise<CommandOutcome> {
    const words = title.replaceAll(/\s+/gu, " ").trim();
    if (words === "") return refused("A session needs a name. Give one.");
    await this.log.append({ type: "session-renamed", title: words.slice(0, longestTitle) });
    return done;
  }

  async #goOn(): Promise<CommandOutcome> {
    if (this.state.status === "idle") {
      const content = takeQueue(this.state);
      if (content.length === 0) return refused("There is nothing to go on with: the last turn is over.");
      await this.#begin({ type: "user-message", content });
    }
    this.#drive();
    return done;
  }

  async #interrupt(): Promise<CommandOutcome> {
    if (this.state.status === "idle") return refused("Nothing is running.");
    this.#controller.abort(new Error("interrupted"));
    try {
      await this.#driving?.catch(() => this.mend());
      if (this.state.status === "running") await finishInterrupted(this.#room());
    } finally {
      this.#controller = new AbortController();
    }
    return done;
  }

  async #changes(command: Extract<Command, { type: "undo" | "redo" | "keep" }>): Promise<CommandOutcome> {
    if (this.#driving)
      return refused("Wait until the request is done, or interrupt it, before taking changes back.");
    return (await undoing()).carryOut(command, this.#changesRoom());
  }

  #changesRoom(): ChangesRoom {
    return { log: this.log, files: this.files, store: this.#setup.store };
  }

  /** Starts the engine unless it runs already. What makes it fail is told by `idle`. */
  #drive(): void {
    if (this.#driving) return;
    this.#driving = this.#run();
    this.#driving.catch(() => undefined);
  }

  async #run(): Promise<void> {
    try {
      do await drive(this.#room());
      while (this.#answeredMeanwhile() || (await this.#takeNext()));
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#driving = undefined;
    }
  }

  /** Something that was answered while the step which asked for it was ending. */
  #answeredMeanwhile(): boolean {
    const { open, calls, status, limitAsked } = this.state;
    if (status !== "running" || limitAsked) return false;
    const first = [...open].map((id) => calls.get(id)).find((known) => known?.asked ?? known?.question);
    if (!first) return open.size === 0;
    return (!first.asked || first.answered !== undefined) && (!first.question || first.reply !== undefined);
  }

  /** After a turn, the next message that waits opens one; after an interruption they wait on. */
  async #takeNext(): Promise<boolean> {
    const [next] = this.state.queue;
    const { status } = this.state;
    if (!next || status === "running" || currentTurn(this.state)?.stopped === "interrupted") return false;
    await this.log.append(
      { type: "user-message", content: next.content, queued: next.id },
      { type: "turn-start", model: this.#model.name, mode: this.#mode },
    );
    return true;
  }

  #room(): TurnRoom {
    const { log, files, terminals } = this;
    const remembered = this.#remembered;
    return turnRoom(
      { ...this.#setup, model: this.#model },
      { log, files, terminals, remembered, signal: this.#controller.signal },
    );
  }
}
