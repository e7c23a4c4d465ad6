/** What an open session is made of: its engine, its inbox and its commands share this, and need nothing of each other. */

import type { TurnContext } from "../agent/turn-context.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Entry, Fact, Mode } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import { awaitsPerson, currentTurn, type SessionState } from "../protocol/session-state.ts";
import type { Model } from "../providers/provider.ts";
import type { SessionLog } from "../session/log.ts";
import { recoverLog } from "../session/recover-log.ts";
import type { CapturedImages } from "../session/workspace-record/capture.ts";
import { Terminals } from "../tools/terminal/terminals.ts";
import { openAddonsOf } from "./addons/opened-addons.ts";
import type { SessionAddons } from "./addons/session-addons.ts";
import { substitutesOf } from "./models/substitutes.ts";
import type { SessionSetup } from "./session-setup.ts";
import { turnContext } from "./turn-context.ts";
import type { ChangesContext } from "./undoing.ts";

/** Idle time, in milliseconds, below which resuming a turn is not recorded. */
const briefly = 1_000;

/** Loaded on demand: comparing files takes 5 ms to load, and most runs never need it. */
export const undoing = () => import("./undoing.ts");

export class SessionCore {
  readonly log: SessionLog;
  readonly setup: SessionSetup;
  readonly files: Tree;
  readonly terminals = new Terminals();
  readonly addons: SessionAddons;
  /** Of the next turn. */
  #model: Model;
  #substitutes: ReturnType<typeof substitutesOf>;
  mode: Mode;
  reasoning: Reasoning;
  /** Queued messages being withdrawn: the engine must not start on them. */
  readonly withdrawing = new Set<string>();
  /** File contents read for undo before earlier commands that ran without an overlay. */
  readonly #remembered: CapturedImages = new Map();
  /** What commands left to be done after their results. */
  readonly #afterwards = new Set<() => Promise<void>>();

  constructor(log: SessionLog, setup: SessionSetup, files: Tree) {
    this.log = log;
    this.setup = setup;
    this.files = files;
    this.#model = setup.model;
    this.#substitutes = substitutesOf(setup);
    this.mode = setup.mode;
    this.reasoning = setup.reasoning ?? "default";
    this.addons = openAddonsOf(setup, log, () => this.model);
  }

  get state(): SessionState {
    return this.log.state;
  }

  get model(): Model {
    return this.#model;
  }

  /** A person's choice: if it fails, all substitutes are there for it again. */
  choose(model: Model): void {
    this.#model = model;
    this.#substitutes = substitutesOf(this.setup);
  }

  /** Another model goes on if this one fails for good. */
  get hasSubstitute(): boolean {
    return this.#substitutes?.isLeft() === true;
  }

  async #substitute(because: string): Promise<Fact[]> {
    const next = await this.#substitutes?.next(this.#model, because);
    if (!next) return [];
    this.#model = next.model;
    return next.facts;
  }

  /** The list of a request that is done is over with it; that of another goes on. */
  turnStart(): Fact[] {
    const { model, mode, reasoning } = this;
    const { todos } = this.log.state;
    const isOver = todos.length > 0 && currentTurn(this.log.state)?.stopped === "done";
    return [
      { type: "turn-start", model: model.name, mode, reasoning },
      ...(isOver ? [{ type: "todos-set" as const, items: [] }] : []),
    ];
  }

  /** What one step of a turn may reach; the signal interrupts it. */
  turnContext(signal: AbortSignal): TurnContext {
    const { log, files, terminals, addons, withdrawing, model } = this;
    const remembered = this.#remembered;
    const afterwards = this.#afterwards;
    const substitute = (because: string): Promise<Fact[]> => this.#substitute(because);
    return turnContext(
      { ...this.setup, model },
      { log, files, terminals, remembered, afterwards, addons, withdrawing, signal, substitute },
    );
  }

  /** Does what commands left to be done. */
  async settle(): Promise<void> {
    await Promise.all([...this.#afterwards].map((settle) => settle()));
  }

  /** Between two steps, when nothing changes files. */
  async keepWork(): Promise<void> {
    const { checkout } = this.state;
    if (checkout && checkout.changedAt > checkout.triedAt) await this.setup.keepWork?.(this.log);
  }

  changes(): ChangesContext {
    const { store, environment } = this.setup;
    return { log: this.log, files: this.files, store, environment };
  }

  /** Completes what a crash or a store failure left half-done in the log. */
  async recover(): Promise<void> {
    if (this.state.open.size > 0) await (await undoing()).settleChanges(this.changes());
    const shown = await this.setup.store.openBlock(this.state.session);
    const isOpen = shown !== undefined && shown.block > this.state.blocks; // otherwise its fact is already stored
    const turn = await this.log.openTurn();
    await this.log.append(...this.#resumed(turn.at(-1)), ...recoverLog(turn, isOpen ? shown : undefined));
  }

  /** Records how long no program worked on the open turn, so that the gap does not count as the turn's time. */
  #resumed(last: Entry | undefined): Fact[] {
    if (!last || this.state.status === "idle" || awaitsPerson(this.state)) return [];
    const idleMs = (this.setup.now ?? Date.now)() - last.at;
    return idleMs < briefly ? [] : [{ type: "turn-resumed", idleMs }];
  }
}
