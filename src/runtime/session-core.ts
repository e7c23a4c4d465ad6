/** What an open session is made of: its engine, its inbox and its commands share this, and need nothing of each other. */

import { estimateText } from "../agent/context/estimate.ts";
import type { TurnContext } from "../agent/turn-context.ts";
import { errorMessage, orThrow } from "../base/expected.ts";
import type { Tree } from "../base/safe-fs/tree.ts";
import type { Entry, Fact, Mode } from "../protocol/facts.ts";
import type { Reasoning } from "../protocol/messages.ts";
import { awaitsPerson, currentTurn, type SessionState } from "../protocol/session-state.ts";
import { openNextOf } from "../providers/next-model.ts";
import type { Model } from "../providers/provider.ts";
import type { SessionLog } from "../session/log.ts";
import { recoverLog } from "../session/recover-log.ts";
import type { CapturedImages } from "../session/workspace-record/capture.ts";
import { Terminals } from "../tools/terminal/terminals.ts";
import { type SessionAddons, noAddons } from "./addons/session-addons.ts";
import { containLasting } from "./containing.ts";
import { noteStarted } from "./noted-processes.ts";
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
    const costOf = (model: string): number | undefined =>
      this.setup.pricing?.(model, { by: "", usage: undefined, at: this.#now() });
    const mended = recoverLog(turn, isOpen ? shown : undefined, costOf);
    await this.log.append(...this.#resumed(turn.at(-1)), ...mended);
  }

  #now(): number {
    return (this.setup.now ?? Date.now)();
  }

  /** Records how long no program worked on the open turn, so that the gap does not count as the turn's time. */
  #resumed(last: Entry | undefined): Fact[] {
    if (!last || this.state.status === "idle" || awaitsPerson(this.state)) return [];
    const idleMs = this.#now() - last.at;
    return idleMs < briefly ? [] : [{ type: "turn-resumed", idleMs }];
  }
}

/** `model` returns the session's current model. */
function openAddonsOf(setup: SessionSetup, log: SessionLog, model: () => Model): SessionAddons {
  if (!setup.addons) return noAddons;
  const { session, parent, seq, warned } = log.state;
  const told = new Set<string>();
  let written: Promise<unknown> = Promise.resolve();
  const opened = setup.addons({
    session,
    isResumed: seq > 1,
    parent: parent?.session,
    started: (program) => noteStarted({ store: setup.store, session }, program),
    window: () => {
      const { contextTokens } = model();
      return contextTokens === undefined ? undefined : { tokens: contextTokens, sizeOf: estimateText };
    },
    contain: (profile, request) => containLasting(setup, profile, request),
    warn: (code, text) => {
      const once = `${code} ${text}`;
      if (told.has(once) || (warned.has(code) && seq > 1)) return;
      told.add(once);
      written = log.append({ type: "warning", code, text }).catch(() => undefined); // a broken log reports itself
    },
  });
  let isOpening = true;
  const ready = async (): Promise<void> => {
    await opened.ready();
    await written;
    if (!isOpening) return; // opened already
    isOpening = false;
    const notice = parent ? undefined : setup.untrusted?.();
    if (notice && !log.state.warned.has(notice.code)) await log.append({ type: "warning", ...notice });
  };
  return { ...opened, ready };
}

/** The model that goes on, and the facts that tell of it. */
type Substitution = { model: Model; facts: Fact[] };

/** Each of them is tried once. */
type Substitutes = {
  isLeft: () => boolean;
  /** Undefined: none can be opened any more. */
  next: (failed: Model, because: string) => Promise<Substitution | undefined>;
};

/** The models that go on, in their order, when a session's model fails for good. */
function substitutesOf({
  fallback = [],
  openModel,
}: Pick<SessionSetup, "fallback" | "openModel">): Substitutes | undefined {
  if (fallback.length === 0 || !openModel) return undefined;
  const left = [...fallback];
  const next: Substitutes["next"] = async (failed, because) => {
    const closed: string[] = [];
    const open = (): Promise<Model | undefined> =>
      openNextOf(
        left,
        async (name) => orThrow(await openModel(name)),
        (name, error) => closed.push(`${name} cannot be opened: ${errorMessage(error)}`),
      );
    let model = await open();
    while (model?.name === failed.name) model = await open();
    if (!model) return undefined;
    const text = [`${failed.name} failed: ${because}`, ...closed, `${model.name} goes on.`].join(" ");
    return {
      model,
      facts: [
        { type: "warning", code: "model-substituted", text },
        { type: "model-set", model: model.name, by: "toolwright", because },
      ],
    };
  };
  return { isLeft: () => left.length > 0, next };
}
