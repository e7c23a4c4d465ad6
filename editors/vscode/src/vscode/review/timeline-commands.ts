/** The way back to before a request, and the choice of the session whose changes are shown. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import { visibleLine } from "../../../../../src/base/visible-text.ts";
import type { WayBackTo } from "../../common/review/timeline.ts";
import { askIfSure } from "./change-commands.ts";
import type { ReviewService } from "./review-service.ts";

export function registerTimelineCommands(service: ReviewService): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.commands.registerCommand("toolwright.requests.goBack", (chosen: unknown) =>
      goBack(chosen, service),
    ),
    vscode.commands.registerCommand("toolwright.changes.chooseSession", () => chooseSession(service)),
    vscode.commands.registerCommand("toolwright.changes.showSession", (session: unknown) =>
      service.choose(typeof session === "string" ? session : undefined),
    ),
  );
}

async function goBack(chosen: unknown, service: ReviewService): Promise<void> {
  const turn = turnIn(chosen) ?? (await chooseTurn(service));
  if (turn === undefined) return;
  await service.open(); // what a request has changed may be told later than the request
  const way = service.review?.wayBackTo(turn);
  if (!way || way.commands.length === 0)
    return void vscode.window.showInformationMessage(
      vscode.l10n.t("Nothing that request {0} or a later one changed can be undone.", turn),
    );
  const isSure = await askIfSure({
    question: vscode.l10n.t("Go back to before request {0}?", way.turn),
    detail: detailOf(way),
    yes: vscode.l10n.t("Go Back"),
  });
  if (isSure) await service.decide(way.paths, (review) => review.carryOut(way.commands));
}

function detailOf({ turns, paths, kept }: WayBackTo): string {
  const undone =
    turns.length === 1
      ? vscode.l10n.t("The changes of request {0} are undone:", turns.join())
      : vscode.l10n.t("The changes of requests {0} are undone:", turns.toReversed().join(", "));
  const staying =
    kept.length === 0 ? [] : ["", vscode.l10n.t("These were kept for good and stay:"), ...firstPaths(kept)];
  return [undone, ...firstPaths(paths), ...staying].join("\n");
}

/** A dialog does not scroll. */
const mostShown = 15;

function firstPaths(paths: readonly string[]): string[] {
  const shown = paths.slice(0, mostShown).map(visibleLine);
  const rest = paths.length - shown.length;
  return rest === 0 ? shown : [...shown, vscode.l10n.t("and {0} more", rest)];
}

const turnIn = (chosen: unknown): number | undefined =>
  isObject(chosen) && typeof chosen["turn"] === "number" ? chosen["turn"] : undefined;

async function chooseTurn({ state }: ReviewService): Promise<number | undefined> {
  const items = (state?.requests ?? [])
    .filter(({ canGoBack }) => canGoBack)
    .map(({ turn, words, added, removed }) => ({ turn, label: words, description: `+${added} −${removed}` }));
  const title = vscode.l10n.t("Go back to before which request?");
  return (await vscode.window.showQuickPick(items, { title }))?.turn;
}

async function chooseSession(service: ReviewService): Promise<void> {
  await service.open();
  const items = service.sessions.map(({ id, title, updatedAt }) => ({
    id,
    label: visibleLine(title),
    description: new Date(updatedAt).toLocaleString(),
  }));
  const latest = { id: undefined, label: vscode.l10n.t("The session that worked last"), description: "" };
  const title = vscode.l10n.t("Show the changes of which session?");
  const chosen = await vscode.window.showQuickPick([latest, ...items], { title });
  if (chosen) service.choose(chosen.id);
}
