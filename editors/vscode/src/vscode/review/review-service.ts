/** What the parts of the review share: the review of the window's session, its files, and how decisions are made. */

import * as vscode from "vscode";
import type { SessionValue } from "../../../../../src/client.ts";
import type { ChangesOutcome } from "../../common/review/carry-out.ts";
import type { SessionReview, ReviewState } from "../../common/review/session-review.ts";
import { WindowReview } from "../../common/review/window-review.ts";
import { statesOf } from "../core-states.ts";
import type { FeatureContext } from "../feature-context.ts";
import { fileUri, isSessionHere } from "../window-folders.ts";
import { WithCore } from "../with-core.ts";
import { chooseWay } from "./conflict-choice.ts";
import { keptHunksIn } from "./kept-hunks-memento.ts";
import { ReviewFiles } from "./review-files.ts";

export class ReviewService implements vscode.Disposable {
  readonly files = new ReviewFiles();
  readonly #context: FeatureContext;
  readonly #window: WithCore<WindowReview>;
  readonly #changed = new vscode.EventEmitter<void>();
  #leave: () => void = () => undefined;
  #chosen: string | undefined;

  constructor(context: FeatureContext) {
    this.#context = context;
    this.#window = new WithCore(context, (core) => {
      return new WindowReview({
        ...core,
        states: statesOf(core, context),
        isHere: isSessionHere,
        kept: keptHunksIn(context.extension.workspaceState),
        choose: chooseWay,
        failed: (error) => context.log.error(String(error)),
      });
    });
    this.#window.onDidBegin(() => this.#begin());
    this.#begin();
  }

  /** Told when the review has changed; `files` tells of its files. */
  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** Those of this window, the one that worked last first. */
  get sessions(): readonly SessionValue[] {
    return this.#window.value?.sessions ?? [];
  }

  /** `undefined`: the session that worked last, whichever it is. */
  choose(session: string | undefined): void {
    this.#chosen = session;
    this.#window.value?.choose(session);
  }

  get review(): SessionReview | undefined {
    return this.#window.value?.review;
  }

  get state(): ReviewState | undefined {
    return this.review?.state;
  }

  /** On request of a person: starts the core, where none runs. */
  async open(): Promise<void> {
    await this.#context.core();
    await this.review?.reload();
  }

  /** Unsaved edits would be lost, or come back over what was undone: they are saved first. Says what goes wrong. */
  async decide(
    paths: readonly string[],
    decision: (review: SessionReview) => Promise<ChangesOutcome>,
  ): Promise<ChangesOutcome> {
    const { review, state } = this;
    if (!review || !state) return { type: "left" };
    if (!(await saveAll(paths.map((path) => fileUri(state.workspace, path))))) return { type: "left" };
    const outcome = await decision(review);
    if (outcome.type === "refused") void vscode.window.showWarningMessage(outcome.problem);
    return outcome;
  }

  dispose(): void {
    this.#leave();
    this.#window.dispose();
    this.files.dispose();
    this.#changed.dispose();
  }

  #begin(): void {
    this.#leave();
    const window = this.#window.value;
    this.#leave = window?.listen(() => this.#tell()) ?? (() => undefined);
    if (this.#chosen !== undefined) window?.choose(this.#chosen);
    this.#tell();
  }

  #tell(): void {
    void this.files.show(this.state);
    this.#changed.fire();
  }
}

async function saveAll(uris: readonly vscode.Uri[]): Promise<boolean> {
  const wanted = new Set(uris.map(String));
  const dirty = vscode.workspace.textDocuments.filter(
    (each) => each.isDirty && wanted.has(each.uri.toString()),
  );
  for (const document of dirty)
    if (!(await document.save())) {
      const name = vscode.workspace.asRelativePath(document.uri);
      void vscode.window.showWarningMessage(
        vscode.l10n.t("{0} could not be saved, so nothing was changed.", name),
      );
      return false;
    }
  return true;
}
