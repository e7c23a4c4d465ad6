/** A session that is open here: commands go in, facts and signals come out, the engine runs between them. */
import { homedir } from "node:os";
import { finishInterrupted } from "../agent/finish.ts";
import { defaultLimits, type Limits, type TurnRoom } from "../agent/room.ts";
import { systemPrompt } from "../agent/prompt.ts";
import { sleep } from "../base/async.ts";
import { childEnvironment } from "../base/process.ts";
import type { Command, CommandOutcome } from "../protocol/commands.ts";
import type { Entry, FactOf, Mode, Scope, Signal } from "../protocol/facts.ts";
import { pendingApprovals, type SessionState } from "../protocol/fold.ts";
import type { Part } from "../protocol/messages.ts";
import type { Model } from "../providers/provider.ts";
import { decide, type Decision, type Subject } from "../safety/decide.ts";
import type { Sandbox } from "../safety/sandbox/sandbox.ts";
import { deniedOutright } from "../safety/rules.ts";
import { undoTurn } from "../session/checkpoints.ts";
import type { SessionLog } from "../session/log.ts";
import { mend } from "../session/mend.ts";
import type { Store } from "../session/store.ts";
import type { Tool } from "../tools/tool.ts";
import { containIn, sandboxState } from "./containing.ts";
import { drive } from "./engine.ts";
import { grantsNow, policyFor, type PolicySetup } from "./policy.ts";
import type { ProjectGrants } from "./project-grants.ts";
import { workspaceFiles } from "./workspace-files.ts";

/** What a session runs with, put together by `runtime.ts`. */
export type SessionSetup = Omit<PolicySetup, "sandbox"> & {
  store: Store;
  model: Model;
  tools: readonly Tool[];
  mode: Mode;
  /** What was allowed in this workspace until it is taken back; kept nowhere unless told. */
  projectGrants?: ProjectGrants;
  limits?: Partial<Limits>;
  /** The sandbox that commands run in; none unless told, and then they ask. Found when the first one is decided about. */
  sandbox?: () => Promise<Sandbox>;
  /** Where Toolwright keeps its own state: hidden from commands. */
  stateDir?: string;
  /** Hosts that installs may reach besides the public registries. */
  registries?: readonly string[];
  /** The environment of programs that tools start; this process's own without keys unless told. */
  environment?: Readonly<Record<string, string>>;
  /** Waits between broken answers; replaced in tests. */
  sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
};

const done: CommandOutcome = { ok: true };
const refused = (problem: string): CommandOutcome => ({ ok: false, problem });

export class LiveSession {
  readonly log: SessionLog;
  readonly model: Model;
  #setup: SessionSetup;
  #mode: Mode;
  #controller = new AbortController();
  #driving: Promise<void> | undefined;
  /** Why the engine stopped; the log is mended before anything else is done. */
  #failure: { error: unknown } | undefined;
  #isClosed = false;
  /** The command being carried out, and those that wait behind it. */
  #commands: Promise<unknown> = Promise.resolve();

  constructor(log: SessionLog, setup: SessionSetup) {
    this.log = log;
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

  /** Stops what runs, keeping the log whole. Followers end with their own signals; the store stays open. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#inOrder(async () => {
      if (this.#driving) await this.#interrupt();
    });
  }

  /** Closes what a crash or a failure of the store left half done in the log. To be called before anything else. */
  async mend(): Promise<void> {
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
        return this.#undo(command.turn);
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

  async #undo(turn: number | undefined): Promise<CommandOutcome> {
    if (this.#driving)
      return refused("Wait until the request is done, or interrupt it, before taking changes back.");
    const { store, workspace } = this.#setup;
    const undone = await undoTurn({
      state: this.state,
      ...(turn === undefined ? {} : { turn }),
      getBlob: (hash) => store.getBlob(hash),
      files: workspaceFiles(workspace),
    });
    if (!undone.ok) return refused(undone.problem);
    await this.log.append({ type: "changes-undone", ...undone.value });
    return done;
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
    const { model, tools, workspace, home, limits, store } = this.#setup;
    return {
      log: this.log,
      model,
      tools,
      workspace,
      system: systemPrompt(workspace, process.platform),
      limits: { ...defaultLimits, ...limits },
      signal: this.#controller.signal,
      environment: this.#setup.environment ?? childEnvironment(process.env),
      deniedOutright: (tool) => deniedOutright(this.#setup.rules, tool),
      home: home ?? homedir(),
      decide: (subject, mode) => this.#decide(subject, mode),
      contain: (sandbox, shown) => containIn(this.#setup, sandbox, shown),
      putBlob: (bytes) => store.putBlob(bytes),
      sleep: this.#setup.sleep ?? sleep,
    };
  }

  async #decide(subject: Subject, mode: Mode): Promise<Decision> {
    const kept = this.#setup.projectGrants?.list() ?? [];
    const sandbox = await sandboxState(this.#setup);
    return decide(subject, policyFor({ ...this.#setup, sandbox }, mode, [...kept, ...grantsNow(this.state)]));
  }
}
