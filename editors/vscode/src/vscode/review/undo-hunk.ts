/** Undoes one hunk: by the session, or in the text where later work touches it. */

import * as vscode from "vscode";
import { type LineEdit, removalOf } from "../../common/review/hunk-removal.ts";
import { presentText } from "../../common/review/present-text.ts";
import type { HunkChoice } from "./hunk-lenses.ts";
import { peelOff } from "./review-files.ts";
import type { ReviewService } from "./review-service.ts";

export async function undoOneHunk({ path, key }: HunkChoice, service: ReviewService): Promise<void> {
  const outcome = await service.decide([path], (review) => review.undoHunk(key));
  if (outcome.type !== "touched") return;
  if (await takeOut({ path, key }, service)) {
    await service.decide([], (review) => review.keepHunk(key));
    return;
  }
  const problem = vscode.l10n.t(
    "This change was edited since. Change it by hand, or undo all changes of the file.",
  );
  void vscode.window.showWarningMessage(problem);
}

/** As a person would, and saved: what is left of the hunk is then theirs to keep. Opens no editor. */
async function takeOut({ path, key }: HunkChoice, { files }: ReviewService): Promise<boolean> {
  const reviewed = files.ofPath(path);
  if (!reviewed || reviewed.file.action !== "modified") return false;
  const document = await vscode.workspace.openTextDocument(reviewed.uri);
  const { placed } = peelOff(reviewed.file, document.getText());
  const found = placed.find(({ hunk }) => hunk.key === key);
  if (found?.place.type !== "exact") return false;
  const edit = new vscode.WorkspaceEdit();
  const removal = removalOf({ hunk: found.hunk, place: found.place }, presentText(document.getText()));
  edit.set(reviewed.uri, removal.map(textEdit));
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}

const textEdit = ({ start, end, text }: LineEdit): vscode.TextEdit =>
  vscode.TextEdit.replace(new vscode.Range(start.line, start.character, end.line, end.character), text);
