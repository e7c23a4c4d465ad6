/** The review of one session: what awaits a decision, loaded again whenever a fact says that it changed. */

import { errorMessage, type Expected } from "../../../../../src/base/expected.ts";
import type { Client, CommandOutcome, ReviewValue, SessionState } from "../../../../../src/client.ts";
import { reviewKey, withChanges } from "../../../../../src/page/panels/change-actions.ts";
import { type Checkpoint, checkpointsOf } from "../../../../../src/protocol/fold-changes.ts";
import { type Leave, Listeners } from "../sessions/listeners.ts";
import type { SessionStates } from "../sessions/session-states.ts";
import { t } from "../translate.ts";
import { carryOut, type ChangeSender, type ChangesOutcome, type ConflictQuestion } from "./carry-out.ts";
import { type DecisionCommand, undoHunk } from "./change-commands.ts";
import { type FileInReview, changedFiles, keptParts } from "./changed-files.ts";
import { type KeptHunksStore, withKept, withoutKept } from "./kept-hunks.ts";
import { type TimelineRequest, timelineRequests, type WayBackTo, wayBackTo } from "./timeline.ts";

/** `problem`: why the changes could not be loaded. `isWorking`: a request runs; decisions wait for its end. */
export type ReviewState = {
  session: string;
  workspace: string;
  files: readonly FileInReview[];
  requests: readonly TimelineRequest[];
  isWorking: boolean;
  canRedo: boolean;
  problem?: string;
};

export type SessionReviewContext = {
  session: string;
  client: Pick<Client, "review" | "command">;
  states: SessionStates;
  kept: KeptHunksStore;
  choose: ChangeSender["choose"];
  failed: (error: unknown) => void;
};

/** Requests beyond these, older ones, are reviewed after those are decided. */
const mostReviewed = 20;

export class SessionReview {
  readonly #context: SessionReviewContext;
  readonly #listeners: Listeners<ReviewState>;
  readonly #leave: Leave;
  #state: SessionState | undefined;
  #checkpoints: readonly Checkpoint[] = [];
  #key = "";
  #loading: Promise<void> = Promise.resolve();
  #reviews: readonly ReviewValue[] = [];
  #loads = 0;
  #problem: string | undefined;
  #shown: ReviewState | undefined;
  #told = "";
  #isOver = false;

  constructor(context: SessionReviewContext) {
    this.#context = context;
    this.#listeners = new Listeners(context.failed);
    this.#leave = context.states.follow(context.session, (state) => this.#look(state));
  }

  get session(): string {
    return this.#context.session;
  }

  /** `undefined` until the session is known. */
  get state(): ReviewState | undefined {
    return this.#shown;
  }

  /** Told whenever something has changed. */
  listen(listener: (state: ReviewState) => void): Leave {
    return this.#listeners.add(listener);
  }

  /** Loads the changes again: the files may have changed behind the session's back. */
  async reload(): Promise<void> {
    const state = this.#state;
    if (!state) return;
    this.#loading = this.#loading.then(() => this.#load(state));
    await this.#loading;
  }

  carryOut(commands: readonly DecisionCommand[]): Promise<ChangesOutcome> {
    return carryOut(commands, { send: (command) => this.#send(command), choose: this.#choose });
  }

  /** Keeps one hunk. Once all hunks of a request's file are kept, the session is told so. */
  async keepHunk(key: string): Promise<ChangesOutcome> {
    this.#remember(withKept(this.#kept, [key]));
    const over = keptParts(this.#reviews, this.#kept);
    this.#tell();
    return this.carryOut(over.map(({ turn, path }) => ({ type: "keep", turn, paths: [path] })));
  }

  /** Takes back that hunks of a file were kept, as long as others of it wait. */
  forgetKept(file: FileInReview): void {
    const keys = file.parts.flatMap(({ keptHunks }) => keptHunks.map(({ key }) => key));
    this.#remember(withoutKept(this.#kept, keys));
    this.#tell();
  }

  /** Another surface may have undone a hunk meanwhile, so its number is looked up first. */
  async undoHunk(key: string): Promise<ChangesOutcome> {
    await this.reload();
    for (const file of this.state?.files ?? [])
      for (const { hunks } of file.parts) {
        const hunk = hunks.find((each) => each.key === key);
        if (hunk) return this.carryOut(undoHunk(hunk, file));
      }
    return { type: "refused", problem: t("This change was kept, undone or changed meanwhile.") };
  }

  /** What a request did, whatever has become of it since. */
  async changesOf(turn: number): Promise<Expected<ReviewValue>> {
    const { client, session } = this.#context;
    try {
      return { ok: true, value: await client.review(session, { turn }) };
    } catch (error) {
      return { ok: false, problem: errorMessage(error) };
    }
  }

  wayBackTo(turn: number): WayBackTo | undefined {
    return this.#state && wayBackTo(this.#state, turn);
  }

  close(): void {
    this.#isOver = true;
    this.#leave();
  }

  readonly #choose = (question: ConflictQuestion): ReturnType<ChangeSender["choose"]> =>
    this.#context.choose(question);

  async #send(command: DecisionCommand): Promise<CommandOutcome> {
    const { client, session } = this.#context;
    try {
      return await client.command(session, command);
    } catch (error) {
      return { ok: false, problem: errorMessage(error) };
    }
  }

  get #kept(): ReadonlySet<string> {
    return new Set(this.#context.kept.read(this.session));
  }

  #remember(keys: readonly string[]): void {
    this.#context.kept.write(this.session, keys);
  }

  #look(state: SessionState): void {
    this.#state = state;
    this.#checkpoints = checkpointsOf(state);
    const key = reviewKey(withChanges(this.#checkpoints));
    if (key === this.#key) return this.#tell();
    this.#key = key;
    void this.reload();
  }

  async #load(state: SessionState): Promise<void> {
    const { client, session } = this.#context;
    const turns = checkpointsOf(state).filter(awaitsDecision).slice(-mostReviewed);
    try {
      this.#reviews = await Promise.all(turns.map(({ turn }) => client.review(session, { turn })));
      this.#loads += 1;
      this.#problem = undefined;
    } catch (error) {
      this.#problem = errorMessage(error);
      this.#key = "";
    }
    this.#tell();
  }

  /** A session that works says much that changes nothing here. */
  #tell(): void {
    if (!this.#state || this.#isOver) return;
    const shown = this.#summary(this.#state);
    const { files: _, ...rest } = shown;
    const told = JSON.stringify([rest, this.#loads, [...this.#kept]]);
    if (told === this.#told) return;
    this.#told = told;
    this.#shown = shown;
    this.#listeners.tell(shown);
  }

  #summary(state: SessionState): ReviewState {
    return {
      session: this.session,
      workspace: state.workspace,
      files: changedFiles(this.#reviews, this.#kept),
      requests: timelineRequests(state, this.#checkpoints),
      isWorking: state.status === "running",
      canRedo: this.#checkpoints.some(canRedo),
      ...(this.#problem === undefined ? {} : { problem: this.#problem }),
    };
  }
}

const awaitsDecision = ({ files }: Checkpoint): boolean =>
  files.some(({ status }) => status === "pending" || status === "partial");

const canRedo = ({ files, directories }: Checkpoint): boolean =>
  [...files, ...directories].some(({ status }) => status === "undone" || status === "partial");
