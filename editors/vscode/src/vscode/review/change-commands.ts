/** The commands that keep, undo and show what awaits a review. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import { keepAll, keepFile, undoAll, undoFile } from "../../common/review/change-commands.ts";
import type { ChangePosition } from "./change-position.ts";
import type { HunkChoice } from "./hunk-lenses.ts";
import type { PresentFile } from "./review-files.ts";
import type { ReviewService } from "./review-service.ts";
import { openAllDiffs, openDiff, reviewedUri } from "./review-texts.ts";
import { undoOneHunk } from "./undo-hunk.ts";

type CommandsContext = { service: ReviewService; position: ChangePosition };

export function registerChangeCommands(context: CommandsContext): vscode.Disposable {
  const { service, position } = context;
  const onFile = (name: string, run: (file: PresentFile) => unknown): vscode.Disposable =>
    on(name, (chosen) => {
      const file = fileIn(chosen, service);
      return file ? run(file) : nothingHere();
    });
  const onHunk = (name: string, run: (hunk: HunkChoice) => unknown): vscode.Disposable =>
    on(name, (chosen) => {
      const hunk = hunkIn(chosen, context);
      return hunk ? run(hunk) : nothingHere();
    });
  return vscode.Disposable.from(
    on("refresh", () => service.open()),
    on("next", () => position.next()),
    on("previous", () => position.previous()),
    onFile("openDiff", openDiff),
    onFile("openFile", ({ uri }) => vscode.window.showTextDocument(uri)),
    on("openAll", () => openAllDiffs(service.files.all)),
    onFile("keepFile", ({ file }) => service.decide([], (review) => review.carryOut(keepFile(file)))),
    onFile("undoFile", ({ file }) =>
      service.decide([file.path], (review) => review.carryOut(undoFile(file))),
    ),
    onFile("forgetKept", ({ file }) => service.review?.forgetKept(file)),
    onHunk("keepHunk", ({ key }) => service.decide([], (review) => review.keepHunk(key))),
    onHunk("undoHunk", (hunk) => undoOneHunk(hunk, service)),
    onHunk("diffHunk", ({ path }) => {
      const file = service.files.ofPath(path);
      return file && openDiff(file);
    }),
    on("keepAll", () => keepEverything(service)),
    on("undoAll", () => undoEverything(service)),
    on("redo", () => service.decide([], (review) => review.carryOut([{ type: "redo" }]))),
  );
}

const on = (name: string, run: (chosen: unknown) => unknown): vscode.Disposable =>
  vscode.commands.registerCommand(`toolwright.changes.${name}`, run);

async function keepEverything(service: ReviewService): Promise<void> {
  const { files = [] } = service.state ?? {};
  if (files.length === 0) return nothingHere();
  const isSure = await askIfSure({
    question: vscode.l10n.t("Keep all changes in {0} files?", files.length),
    detail: vscode.l10n.t("They are there to stay: what is kept cannot be undone any more."),
    yes: vscode.l10n.t("Keep All"),
  });
  if (isSure) await service.decide([], (review) => review.carryOut(keepAll(files)));
}

async function undoEverything(service: ReviewService): Promise<void> {
  const { files = [] } = service.state ?? {};
  if (files.length === 0) return nothingHere();
  const isSure = await askIfSure({
    question: vscode.l10n.t("Undo all changes in {0} files?", files.length),
    detail: files.map(({ path }) => path).join("\n"),
    yes: vscode.l10n.t("Undo All"),
  });
  if (!isSure) return;
  const paths = files.map(({ path }) => path);
  await service.decide(paths, (review) => review.carryOut(undoAll(files)));
}

export async function askIfSure(asked: { question: string; detail: string; yes: string }): Promise<boolean> {
  const { question, detail, yes } = asked;
  const chosen = await vscode.window.showWarningMessage(question, { modal: true, detail }, yes);
  return chosen === yes;
}

function nothingHere(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t("Nothing here awaits a review."));
}

/** An item of the list, a file of a menu, or the file in the editor. */
function fileIn(chosen: unknown, { files }: ReviewService): PresentFile | undefined {
  if (isObject(chosen) && typeof chosen["path"] === "string" && !(chosen instanceof vscode.Uri))
    return files.ofPath(chosen["path"]);
  const uri = chosen instanceof vscode.Uri ? chosen : vscode.window.activeTextEditor?.document.uri;
  return uri && files.at(reviewedUri(uri) ?? uri);
}

/** What a lens names, or the change at the cursor. */
function hunkIn(chosen: unknown, { position }: CommandsContext): HunkChoice | undefined {
  if (isObject(chosen) && typeof chosen["path"] === "string" && typeof chosen["key"] === "string")
    return { path: chosen["path"], key: chosen["key"] };
  const { path, key } = position.current ?? {};
  return path === undefined || key === undefined ? undefined : { path, key };
}
