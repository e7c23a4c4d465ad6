/** A session that is open here: commands go in, facts and signals come out, the engine runs between them. */
import { finishInterrupted } from "../agent/finish.ts";
import type { TurnRoom } from "../agent/room.ts";
import type { Parsed } from "../base/json.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, FactOf, Mode, Scope, Signal } from "../protocol/facts.ts";
import { pendingApprovals, type SessionState } from "../protocol/fold.ts";
import type { Part } from "../protocol/messages.ts";
import type { Model } from "../providers/provider.ts";
import type { SessionLog } from "../session/log.ts";
import { mend } from "../session/mend.ts";
import type { Captured } from "../session/workspace-record/capture.ts";
import { Terminals } from "../tools/terminals.ts";
import { drive } from "./engine.ts";
import type { SessionSetup } from "./session-setup.ts";
import { turnRoom } from "./turn-room.ts";
import type { ChangesRoom, Review } from "./undoing.ts";

export type { SessionSetup } from "./session-setup.ts";

const done: CommandOutcome = { ok: true };
const refused = (problem: string): CommandOutcome => ({ ok: false, problem });

/** Comparing files takes 5 ms to load, which most runs never need. */
const undoing = () => import("./undoing.ts");

export class LiveSession {
  readonly log: SessionLog;
  readonly model: Model;
  readonly files: Tree;
  readonly terminals = new Terminals();
  #setup: SessionSetup;
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
    this.model = setup.model;
    this.#setup = setup;
    this.#mode = setup.mode;
  }

  get id(): string {
    return this.log.state.session;
  }

  get state(): SessionState {
    return this.log.state;
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
    if (command.type === "set-mode") {
      this.#mode = command.mode;
      return done;
    }
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

  #carryOut(command: Exclude<Command, { type: "set-mode" }>): Promise<CommandOutcome> {
    switch (command.type) {
      case "send":
        return this.#send(command.content);
      case "answer-approval":
        return this.#answer(command);
      case "go-on":
        return this.#goOn();
      case "interrupt":
        return this.#interrupt();
      case "undo":
      case "redo":
      case "keep":
        return this.#changes(command);
      default:
        return command satisfies never;
    }
  }

  async #send(content: Part[]): Promise<CommandOutcome> {
    if (content.every((part) => part.type === "text" && part.text.trim() === ""))
      return refused("The request is empty. Say what to do.");
    if (this.#driving) return refused("The last request is still being worked on. Wait, or interrupt it.");
    if (pendingApprovals(this.state).length > 0)
      return refused("A question is open. Answer it first, or interrupt.");
    if (this.state.status === "running") await finishInterrupted(this.#room());
    await this.log.append(
      { type: "user-message", content },
      { type: "turn-start", model: this.model.name, mode: this.#mode },
    );
    this.#drive();
    return done;
  }

  async #answer(command: Extract<Command, { type: "answer-approval" }>): Promise<CommandOutcome> {
    const asked = pendingApprovals(this.state).find(({ callId }) => callId === command.callId);
    if (!asked) return refused("That question is not open any more.");
    if (command.answer === "allow") {
      const kept = await this.#keepGrant(asked, command.scope);
      if (!kept.ok) return kept;
    }
    const { type: _, ...answer } = command;
    await this.log.append({ type: "approval-answered", ...answer });
    this.#drive();
    return done;
  }

  /** A yes for the project is kept before it is told; one that was not offered is refused. */
  async #keepGrant(asked: FactOf<"approval-asked">, scope: Scope): Promise<CommandOutcome> {
    const { scopes = ["once", "turn", "session"], covers } = asked;
    if (!scopes.includes(scope))
      return refused(`This is not allowed for longer than it was offered: answer ${scopes.join(" or ")}.`);
    if (scope !== "project" || covers === undefined) return done;
    const { projectGrants } = this.#setup;
    return (
      projectGrants?.add(covers) ?? refused("Nothing is kept for this project here: answer for the session.")
    );
  }

  async #goOn(): Promise<CommandOutcome> {
    if (this.state.status === "idle")
      return refused("There is nothing to go on with: the last turn is over.");
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
      while (this.#answeredMeanwhile());
    } catch (error) {
      this.#failure = { error };
      throw error;
    } finally {
      this.#driving = undefined;
    }
  }

  /** An approval that was answered while the step which asked for it was ending. */
  #answeredMeanwhile(): boolean {
    const { open, calls, status } = this.state;
    const asked = [...open].map((id) => calls.get(id)).find((known) => known?.asked);
    return status === "running" && asked?.answered !== undefined;
  }

  #room(): TurnRoom {
    const { log, files, terminals } = this;
    const remembered = this.#remembered;
    return turnRoom(this.#setup, { log, files, terminals, remembered, signal: this.#controller.signal });
  }
}
