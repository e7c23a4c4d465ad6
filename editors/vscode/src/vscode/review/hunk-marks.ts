/** Colours the lines that await a review, in every visible editor. */

import * as vscode from "vscode";
import type { PlacedHunk } from "../../common/review/hunk-places.ts";
import { peelOff, type ReviewFiles } from "./review-files.ts";

export class HunkMarks implements vscode.Disposable {
  readonly #files: ReviewFiles;
  readonly #added = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("diffEditor.insertedLineBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.addedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #removed = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    borderColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    borderStyle: "dashed",
    borderWidth: "1px 0 0 0",
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.deletedForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Left,
  });
  readonly #listening: vscode.Disposable;

  constructor(files: ReviewFiles) {
    this.#files = files;
    this.#listening = vscode.Disposable.from(
      files.onDidChange(() => this.#markAll()),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#markAll()),
    );
    this.#markAll();
  }

  dispose(): void {
    this.#listening.dispose();
    this.#added.dispose();
    this.#removed.dispose();
  }

  #markAll(): void {
    for (const editor of vscode.window.visibleTextEditors) this.#mark(editor);
  }

  #mark(editor: vscode.TextEditor): void {
    const { document } = editor;
    const reviewed = this.#files.at(document.uri);
    const placed = reviewed ? peelOff(reviewed.file, document.getText()).placed : [];
    const spans = placed.flatMap(spansOf);
    const last = document.lineCount - 1;
    const lines = (start: number, end: number): vscode.Range =>
      new vscode.Range(Math.min(start, last), 0, Math.min(end, last), 0);
    editor.setDecorations(
      this.#added,
      spans.flatMap(({ start, end }) => (end > start ? [lines(start, end - 1)] : [])),
    );
    editor.setDecorations(
      this.#removed,
      spans.flatMap(({ start, end }) => (end === start ? [lines(start, start)] : [])),
    );
  }
}

const spansOf = ({ place }: PlacedHunk) =>
  place.type === "exact" ? place.spans : place.type === "edited" ? [place.span] : [];
