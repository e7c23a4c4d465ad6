/** The review: what the agent changed, to keep, to undo and to go back from. Opens nothing that nobody asked for. */

import * as vscode from "vscode";
import type { FeatureContext } from "../feature-context.ts";
import { registerChangeCommands } from "./change-commands.ts";
import { ChangePosition } from "./change-position.ts";
import { ChangesTree } from "./changes-tree.ts";
import { HunkLenses } from "./hunk-lenses.ts";
import { HunkMarks } from "./hunk-marks.ts";
import { RequestTexts } from "./request-texts.ts";
import { RequestsTree } from "./requests-tree.ts";
import { ReviewService } from "./review-service.ts";
import { ReviewTexts } from "./review-texts.ts";
import { registerTimelineCommands } from "./timeline-commands.ts";

export function registerReview(context: FeatureContext): vscode.Disposable {
  const service = new ReviewService(context);
  const position = new ChangePosition(service.files);
  const tree = new ChangesTree(service);
  const told = new Map<string, string>();
  return vscode.Disposable.from(
    service,
    position,
    tree,
    new RequestsTree(service),
    new ReviewTexts(service.files),
    new RequestTexts(service),
    new HunkLenses(service),
    new HunkMarks(service.files),
    position.onDidShow((words) => {
      tree.view.description = words;
    }),
    service.onDidChange(() => tellMenus(service, told)),
    service.files.onDidChange(() => tellMenus(service, told)),
    registerChangeCommands({ service, position }),
    registerTimelineCommands(service),
  );
}

/** What the conditions of menus and keys ask for; `told`: what they know already. */
function tellMenus({ state, files }: ReviewService, told: Map<string, string>): void {
  const { files: changed = [], isWorking = false, canRedo = false } = state ?? {};
  const now: Readonly<Record<string, unknown>> = {
    hasChanges: changed.length > 0,
    canDecide: changed.length > 0 && !isWorking,
    canRedo: canRedo && !isWorking,
    hasReview: state !== undefined,
    changedFiles: files.all.map(({ uri }) => uri.fsPath),
  };
  for (const [name, value] of Object.entries(now)) {
    if (told.get(name) === JSON.stringify(value)) continue;
    told.set(name, JSON.stringify(value));
    void vscode.commands.executeCommand("setContext", `toolwright.${name}`, value);
  }
}
