/** Undoes one hunk: by the session, or in the text where later work touches it. */

import * as vscode from "vscode";
import type { PresentPlace } from "../../common/review/hunk-places.ts";
import type { ReviewHunk } from "../../common/review/hunk.ts";
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
  edit.set(reviewed.uri, editsFor(found.hunk, found.place, document));
  return (await vscode.workspace.applyEdit(edit)) && (await document.save());
}

function editsFor(
  { replacements }: ReviewHunk,
  { spans }: Extract<PresentPlace, { type: "exact" }>,
  document: vscode.TextDocument,
): vscode.TextEdit[] {
  const { lines } = presentText(document.getText());
  const lineEnd = document.eol === vscode.EndOfLine.CRLF ? "\r\n" : "\n";
  return replacements.flatMap(({ removed }, at) => {
    const { start, end } = spans[at] ?? { start: 0, end: 0 };
    const isAtEnd = end >= lines.length && start > 0;
    // At the end of the text the line end before the lines goes with them.
    const range = isAtEnd
      ? new vscode.Range(document.lineAt(start - 1).range.end, document.lineAt(lines.length - 1).range.end)
      : new vscode.Range(start, 0, end, 0);
    const text = removed.map((line) => (isAtEnd ? lineEnd + line : line + lineEnd)).join("");
    return spans[at] ? [vscode.TextEdit.replace(range, text)] : [];
  });
}
