/** A session that is open here: commands go in, facts and signals come out, the engine runs between them. */

import type { ContextReport } from "../agent/context/report.ts";
import { judgeEdited } from "../agent/edited.ts";
import type { TurnRoom } from "../agent/room.ts";
import type { Expected } from "../base/expected.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, Fact, FactOf, Mode, Signal } from "../protocol/facts.ts";
import { awaitsPerson, type SessionState, settingsTold } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import type { SessionLog } from "../session/log.ts";
import { recoverLog } from "../session/recover-log.ts";
import { nameFrom } from "../session/stored.ts";
import type { Captured } from "../session/workspace-record/capture.ts";
import { Terminals } from "../tools/terminals.ts";
import { openAddonsOf } from "./addons/opened-addons.ts";
import type { SessionAddons } from "./addons/session-addons.ts";
import { noOtherModel } from "./config/kept-settings.ts";
import { Engine } from "./engine.ts";
import { type Answering, answerFacts } from "./messages/answering.ts";
import { Inbox } from "./messages/inbox.ts";
import { unseen } from "./messages/sent-images.ts";
import type { Reading } from "./messages/taken.ts";
import type { SessionSetup } from "./session-setup.ts";
import { turnRoom } from "./turn-room.ts";
import type { ChangesRoom, Review } from "./undoing.ts";

export type { SessionSetup } from "./session-setup.ts";

const done: CommandOutcome = { ok: true };
const refused = (problem: string): CommandOutcome => ({ ok: false, problem });

/** Milliseconds for which a turn may rest untold. */
const briefly = 1_000;

/** Comparing files takes 5 ms to load, which most runs never need. */
const undoing = () => import("./undoing.ts");
/** Nor do they shorten what the model is told. */
const shortening = () => import("./shortening.ts");

/** A session that is open here: commands go in, facts and signals come out. */
export class LiveSession {
  readonly log: SessionLog;
  readonly files: Tree;
  readonly terminals = new Terminals();
  #setup: SessionSetup;
  #model: Model;
  #mode: Mode;
  readonly #engine: Engine;
  readonly #inbox: Inbox;
  /** What was read for undo before commands that ran without a layer. */
  #remembered: Captured = new Map();
  readonly #addons: SessionAddons;
  #isClosed = false;
  /** How many have opened it here and not closed it. */
  #users = 1;
  /** Messages that are being taken back: the engine must not take them meanwhile. */
  readonly #withdrawing = new Set<string>();
  /** The command being carried out, and those that wait behind it. */
  #commands: Promise<unknown> = Promise.resolve();

  /** `files` is closed with the session. */
  constructor(log: SessionLog, setup: SessionSetup, files: Tree) {
    this.log = log;
    this.files = files;
    this.#model = setup.model;
    this.#setup = setup;
    this.#mode = setup.mode;
    this.#addons = openAddonsOf(setup, log, () => this.#model);
    this.#engine = new Engine({
      log,
      turn: (signal) => this.#room(signal),
      start: () => this.#start(),
      withdrawing: this.#withdrawing,
      recover: () => this.recover(),
    });
    this.#inbox = new Inbox({
      log,
      engine: this.#engine,
      addons: this.#addons,
      model: () => this.#model,
      start: () => this.#start(),
      withdrawing: this.#withdrawing,
    });
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

  /** Whether the engine runs: nobody has to do anything for the session to go on. */
  get isWorking(): boolean {
    return this.#engine.isRunning;
  }

  /** Facts after `after`, then what is open, then live. */
  follow(after: number, signal: AbortSignal): AsyncIterable<Entry | Signal> {
    return this.log.follow(after, signal);
  }

  /** Resolves when nothing runs: the turn is over, or it waits for a person. Rejects when the log failed. */
  idle(): Promise<void> {
    return this.#engine.idle();
  }

  /**
   * One at a time, in their order: none sees the log in the middle of another. `reading`: what a message stands for
   * that is sent; just what it says by default.
   */
  async command(command: Command, reading?: Reading): Promise<CommandOutcome> {
    if (command.type === "interrupt") this.#inbox.interrupt();
    return this.#inOrder(async () => {
      if (this.#isClosed) return refused("The session is closed. Resume it to go on.");
      if (this.#engine.hasFailed && !this.#engine.isRunning) await this.recover();
      return this.#carryOut(command, reading);
    });
  }

  /** What fills the context: what the model is told next, without what is sent next. */
  async context(): Promise<ContextReport> {
    return (await shortening()).contextOf(this.#engine.turnRoom());
  }

  /** A turn's changes to look at, of the newest that has some by default; changes nothing. */
  review(turn?: number): Promise<Expected<Review>> {
    return this.#inOrder(async () => (await undoing()).reviewOf(turn, this.#changesRoom()));
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Somebody else uses it too: it takes one more `close` to close it. */
  share(): void {
    this.#users += 1;
  }

  /**
   * The last one who has it open stops what runs, keeping the log whole. Followers end with their own signals; the
   * store stays open.
   */
  async close(): Promise<void> {
    if (this.#isClosed) return this.#inOrder(async () => undefined);
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#isClosed = true;
    this.#inbox.interrupt();
    await this.#inOrder(async () => {
      if (this.#engine.isRunning) await this.#engine.interrupt();
      await this.#addons.close();
      await this.terminals.close();
      this.log.close();
      this.files.close();
      await this.#setup.closed?.();
    });
  }

  /** Resolves once it is known what of the workspace waits for a person to agree, and that is told. */
  ready(): Promise<void> {
    return this.#addons.ready();
  }

  /** Removes what a crash left beside the files that it was changing. */
  async sweep(): Promise<void> {
    if (this.state.changes.trails.size > 0) await (await undoing()).sweep(this.#changesRoom());
  }

  /** Closes what a crash or a failure of the store left half done in the log. To be called before anything else. */
  async recover(): Promise<void> {
    if (this.state.open.size > 0) await (await undoing()).settleChanges(this.#changesRoom());
    const shown = await this.#setup.store.openBlock(this.id);
    const isOpen = shown !== undefined && shown.block > this.state.blocks; // else it has its fact
    const turn = await this.log.openTurn();
    await this.log.append(...this.#resumed(turn.at(-1)), ...recoverLog(turn, isOpen ? shown : undefined));
    this.#engine.recovered();
  }

  /** The time in which no program worked on the open turn is none of its own. */
  #resumed(last: Entry | undefined): Fact[] {
    if (!last || this.state.status === "idle" || awaitsPerson(this.state)) return [];
    const idleMs = (this.#setup.now ?? Date.now)() - last.at;
    return idleMs < briefly ? [] : [{ type: "turn-resumed", idleMs }];
  }

  #inOrder<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#commands.then(work);
    this.#commands = result.catch(() => undefined); // whoever asked for it is told
    return result;
  }

  #carryOut(command: Command, reading?: Reading): Promise<CommandOutcome> {
    switch (command.type) {
      case "send":
        return this.#inbox.send(command, reading);
      case "withdraw":
        return this.#inbox.withdraw(command.id);
      case "answer-approval":
      case "answer-question":
      case "answer-limit":
        return this.#answer(command);
      case "go-on":
        return this.#goOn();
      case "interrupt":
        return this.#interrupt();
      case "set-mode":
        return this.#setMode(command);
      case "set-model":
        return this.#setModel(command);
      case "rename":
        return this.#rename(command.title);
      case "compact":
        return this.#compact();
      case "undo":
      case "redo":
      case "keep":
        return this.#changes(command);
      default:
        return command satisfies never;
    }
  }

  async #answer(answer: Answering): Promise<CommandOutcome> {
    const facts = await answerFacts(answer, {
      state: this.state,
      projectGrants: this.#setup.projectGrants,
      judge: (callId, command) => judgeEdited(callId, command, this.#engine.turnRoom()),
    });
    if (!facts.ok) return facts;
    await this.log.append(...facts.value);
    // Who approves a plan has left plan mode for good.
    const next = facts.value.find((fact) => fact.type === "mode-set");
    if (next) this.#mode = next.mode;
    this.#engine.run();
    return done;
  }

  /** What is set already, here and in the log, is not told again. */
  async #setMode({ mode, by = "user" }: Command & { type: "set-mode" }): Promise<CommandOutcome> {
    const isSet = this.#mode === mode && (settingsTold(this.state).mode ?? mode) === mode;
    this.#mode = mode;
    if (!isSet) await this.log.append({ type: "mode-set", mode, by });
    return done;
  }

  async #setModel({ model, by = "user" }: Command & { type: "set-model" }): Promise<CommandOutcome> {
    const opened = await this.#setup.openModel?.(model);
    if (!opened) return noOtherModel;
    if (!opened.ok) return opened;
    const { name } = opened.value;
    const isSet = this.#model.name === name && (settingsTold(this.state).model ?? name) === name;
    this.#model = opened.value;
    const said = this.state.messages.flatMap((message) => (message.role === "user" ? message.content : []));
    const told = unseen(said, opened.value);
    if (!isSet) await this.log.append({ type: "model-set", model: name, by }, ...told);
    return done;
  }

  async #rename(title: string): Promise<CommandOutcome> {
    const name = nameFrom(title);
    if (name === "") return refused("A session needs a name. Give one.");
    await this.log.append({ type: "session-renamed", title: name });
    return done;
  }

  /** Between turns, or while one waits for a person. */
  async #compact(): Promise<CommandOutcome> {
    if (this.isWorking)
      return refused(
        "Wait until the request is done, or interrupt it. While it runs, the conversation is shortened by itself when that is necessary.",
      );
    this.#engine.run(async () => (await shortening()).compactFor(this.#engine.turnRoom()));
    return done;
  }

  async #goOn(): Promise<CommandOutcome> {
    if (this.isWorking) return done; // it does already
    if (this.state.status === "idle") {
      if (this.state.queue.length === 0)
        return refused("Nothing to continue: the last request has finished.");
      await this.#inbox.begin();
    }
    this.#engine.run();
    return done;
  }

  async #interrupt(): Promise<CommandOutcome> {
    if (this.state.status === "idle" && !this.isWorking) return refused("Nothing is running.");
    await this.#engine.interrupt();
    return done;
  }

  async #changes(command: Extract<Command, { type: "undo" | "redo" | "keep" }>): Promise<CommandOutcome> {
    if (this.isWorking)
      return refused("Wait until the request is done, or interrupt it, before taking changes back.");
    return (await undoing()).carryOut(command, this.#changesRoom());
  }

  #changesRoom(): ChangesRoom {
    return { log: this.log, files: this.files, store: this.#setup.store };
  }

  #start(): FactOf<"turn-start"> {
    return { type: "turn-start", model: this.#model.name, mode: this.#mode };
  }

  #room(signal: AbortSignal): TurnRoom {
    const { log, files, terminals } = this;
    const remembered = this.#remembered;
    return turnRoom(
      { ...this.#setup, model: this.#model },
      { log, files, terminals, remembered, addons: this.#addons, withdrawing: this.#withdrawing, signal },
    );
  }
}
