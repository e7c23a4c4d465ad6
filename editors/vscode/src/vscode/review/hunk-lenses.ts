/** Keep and Undo above each hunk, in the editor of the file itself. */

import * as vscode from "vscode";
import { lineOf } from "../../common/review/change-tour.ts";
import type { PresentPlace } from "../../common/review/hunk-places.ts";
import { addedIn, type ReviewHunk, removedIn } from "../../common/review/hunk.ts";
import { peelOff } from "./review-files.ts";
import type { ReviewService } from "./review-service.ts";

/** What the commands of a hunk are given. */
export type HunkChoice = { path: string; key: string };

export class HunkLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #service: ReviewService;
  readonly #registered: vscode.Disposable;

  constructor(service: ReviewService) {
    this.#service = service;
    this.#registered = vscode.languages.registerCodeLensProvider({ scheme: "file" }, this);
  }

  get onDidChangeCodeLenses(): vscode.Event<void> {
    return this.#service.files.onDidChange;
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const reviewed = this.#service.files.at(document.uri);
    if (!reviewed) return [];
    const { file } = reviewed;
    const isWorking = this.#service.state?.isWorking ?? false;
    return peelOff(file, document.getText()).placed.flatMap(({ hunk, place }) => {
      const line = lineOf(place);
      if (line === undefined) return [];
      const range = lineRange(document, line);
      return isWorking ? [lens(range, workingTitle(hunk))] : hunkLenses(range, hunk, place);
    });
  }

  dispose(): void {
    this.#registered.dispose();
  }
}

function hunkLenses(range: vscode.Range, hunk: ReviewHunk, place: PresentPlace): vscode.CodeLens[] {
  const choice: HunkChoice = { path: hunk.path, key: hunk.key };
  return [
    lens(range, `$(check) ${vscode.l10n.t("Keep")}`, "toolwright.changes.keepHunk", choice),
    lens(range, `$(discard) ${vscode.l10n.t("Undo")}`, "toolwright.changes.undoHunk", choice),
    lens(range, aboutTitle(hunk, place), "toolwright.changes.diffHunk", choice),
  ];
}

const badge = (hunk: ReviewHunk): string => `+${addedIn(hunk)} −${removedIn(hunk)}`;

const aboutTitle = (hunk: ReviewHunk, { type }: PresentPlace): string =>
  type === "edited"
    ? vscode.l10n.t("{0}, request {1}, edited since", badge(hunk), hunk.turn)
    : vscode.l10n.t("{0}, request {1}", badge(hunk), hunk.turn);

const workingTitle = (hunk: ReviewHunk): string => vscode.l10n.t("{0}, Toolwright is working", badge(hunk));

function lens(range: vscode.Range, title: string, command = "", choice?: HunkChoice): vscode.CodeLens {
  return new vscode.CodeLens(range, { title, command, ...(choice ? { arguments: [choice] } : {}) });
}

function lineRange(document: vscode.TextDocument, line: number): vscode.Range {
  const shown = Math.min(line, document.lineCount - 1);
  return new vscode.Range(shown, 0, shown, 0);
}
