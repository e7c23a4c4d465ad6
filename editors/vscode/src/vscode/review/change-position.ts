/** "Change X of Y": where the cursor is among all changes that await a review, and the way to the next ones. */

import * as vscode from "vscode";
import {
  nextStop,
  previousStop,
  stopAt,
  type TourPlace,
  type TourStop,
  tourOf,
} from "../../common/review/change-tour.ts";
import type { ReviewFiles } from "./review-files.ts";
import { openDiff, reviewedUri } from "./review-texts.ts";

export class ChangePosition implements vscode.Disposable {
  readonly #files: ReviewFiles;
  readonly #item: vscode.StatusBarItem;
  readonly #listening: vscode.Disposable;
  readonly #shown = new vscode.EventEmitter<string | undefined>();
  #stops: readonly TourStop[] = [];
  #said: string | undefined;

  constructor(files: ReviewFiles) {
    this.#files = files;
    this.#item = vscode.window.createStatusBarItem("toolwright.change", vscode.StatusBarAlignment.Left, 0);
    this.#item.name = vscode.l10n.t("Toolwright: Changes");
    this.#item.command = "toolwright.changes.next";
    this.#listening = vscode.Disposable.from(
      files.onDidChange(() => this.#count()),
      vscode.window.onDidChangeActiveTextEditor(() => this.#show()),
      vscode.window.onDidChangeTextEditorSelection(() => this.#show()),
    );
  }

  /** Told "Change 2 of 5", or `undefined` where there are none. */
  get onDidShow(): vscode.Event<string | undefined> {
    return this.#shown.event;
  }

  /** The change at the cursor. */
  get current(): TourStop | undefined {
    const at = stopAt(this.#stops, this.#place());
    return at === undefined ? undefined : this.#stops[at];
  }

  next(): Promise<void> {
    return this.#goTo(nextStop(this.#stops, this.#place()));
  }

  previous(): Promise<void> {
    return this.#goTo(previousStop(this.#stops, this.#place()));
  }

  dispose(): void {
    this.#listening.dispose();
    this.#item.dispose();
    this.#shown.dispose();
  }

  #count(): void {
    const { all } = this.#files;
    const peeled = new Map(all.map((reviewed) => [reviewed.file, reviewed.peeled]));
    this.#stops = tourOf([...peeled.keys()], (file) => peeled.get(file) ?? { placed: [], before: noText });
    this.#show();
  }

  #place(): TourPlace | undefined {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return undefined;
    const { uri } = editor.document;
    const reviewed = this.#files.at(reviewedUri(uri) ?? uri);
    return reviewed && { path: reviewed.file.path, line: editor.selection.active.line };
  }

  #show(): void {
    const words = this.#words();
    if (words === this.#said) return;
    this.#said = words;
    this.#shown.fire(words);
    if (words === undefined) return this.#item.hide();
    this.#item.text = `$(diff) ${words}`;
    this.#item.tooltip = vscode.l10n.t("Go to the next change by Toolwright");
    this.#item.show();
  }

  #words(): string | undefined {
    const all = this.#stops.length;
    if (all === 0) return undefined;
    const at = stopAt(this.#stops, this.#place());
    if (at !== undefined) return vscode.l10n.t("Change {0} of {1}", at + 1, all);
    return all === 1 ? vscode.l10n.t("1 change") : vscode.l10n.t("{0} changes", all);
  }

  /** Asked for by a command, so it may open and focus an editor. */
  async #goTo(at: number | undefined): Promise<void> {
    const stop = at === undefined ? undefined : this.#stops[at];
    const reviewed = stop && this.#files.ofPath(stop.path);
    if (!reviewed) return;
    if (stop.line === undefined || reviewed.text === undefined) return openDiff(reviewed);
    const place = new vscode.Position(stop.line, 0);
    await vscode.window.showTextDocument(reviewed.uri, { selection: new vscode.Range(place, place) });
  }
}

const noText = { lines: [], lineEnd: "\n", isOpen: false };
