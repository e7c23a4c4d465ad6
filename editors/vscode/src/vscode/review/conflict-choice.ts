/** Asks how to go on where later work is in the way of an undo. */

import * as vscode from "vscode";
import { visibleLine } from "../../../../../src/base/visible-text.ts";
import type { OnConflict } from "../../../../../src/protocol/commands.ts";
import { sinceWords, wayWords } from "../../../../../src/view/review.ts";
import type { ConflictQuestion } from "../../common/review/carry-out.ts";

type WayItem = vscode.QuickPickItem & { way: OnConflict };

export async function chooseWay({ conflicts, choices }: ConflictQuestion): Promise<OnConflict | undefined> {
  const labels: Readonly<Record<OnConflict, string>> = {
    merge: vscode.l10n.t("Merge"),
    restore: vscode.l10n.t("Restore"),
    skip: vscode.l10n.t("Skip"),
  };
  const ways: WayItem[] = choices
    .toSorted((one, other) => order.indexOf(one) - order.indexOf(other))
    .map((way) => ({ way, label: labels[way], description: wayWords[way] }));
  const chosen = await vscode.window.showQuickPick(ways, {
    title: vscode.l10n.t("Nothing has been undone yet: there are later changes"),
    placeHolder: conflicts
      .map((conflict) => `${conflict.path}: ${visibleLine(sinceWords(conflict))}`)
      .join("; "),
    ignoreFocusOut: true,
  });
  return chosen?.way;
}

/** What loses least comes first. */
const order: readonly OnConflict[] = ["merge", "skip", "restore"];
