/** The list of changed files that await a review. */

import * as vscode from "vscode";
import { visibleLine } from "../../../../../src/base/visible-text.ts";
import { sinceWords } from "../../../../../src/view/review.ts";
import type { FileInReview } from "../../common/review/changed-files.ts";
import { fileUri } from "../window-folders.ts";
import type { ReviewService } from "./review-service.ts";

export class ChangesTree implements vscode.TreeDataProvider<FileInReview>, vscode.Disposable {
  readonly view: vscode.TreeView<FileInReview>;
  readonly #service: ReviewService;
  readonly #listening: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<undefined>();

  constructor(service: ReviewService) {
    this.#service = service;
    this.view = vscode.window.createTreeView("toolwright.changes", { treeDataProvider: this });
    this.#listening = service.onDidChange(() => this.#show());
    this.#show();
  }

  get onDidChangeTreeData(): vscode.Event<undefined> {
    return this.#changed.event;
  }

  getChildren(parent?: FileInReview): FileInReview[] {
    return parent ? [] : [...(this.#service.state?.files ?? [])];
  }

  /** Needed to select an item from outside. */
  getParent(): undefined {
    return undefined;
  }

  getTreeItem(file: FileInReview): vscode.TreeItem {
    const { path } = file;
    const item = new vscode.TreeItem(fileUri(this.#service.state?.workspace ?? "", path));
    item.id = path;
    item.label = path.slice(path.lastIndexOf("/") + 1);
    item.description = descriptionOf(file);
    item.tooltip = tooltipOf(file);
    item.contextValue = this.#service.state?.isWorking ? "working" : file.action;
    item.command = {
      title: vscode.l10n.t("Open Changes"),
      command: "toolwright.changes.openDiff",
      arguments: [file],
    };
    return item;
  }

  dispose(): void {
    this.#listening.dispose();
    this.view.dispose();
    this.#changed.dispose();
  }

  #show(): void {
    this.#changed.fire(undefined);
    this.view.message = messageOf(this.#service);
  }
}

function messageOf({ state }: ReviewService): string | undefined {
  if (!state) return undefined;
  if (state.problem !== undefined) return state.problem;
  if (state.files.length === 0) return vscode.l10n.t("Nothing awaits a review.");
  const added = state.files.reduce((sum, file) => sum + file.added, 0);
  const removed = state.files.reduce((sum, file) => sum + file.removed, 0);
  const sum =
    state.files.length === 1
      ? vscode.l10n.t("1 file +{0} −{1}", added, removed)
      : vscode.l10n.t("{0} files +{1} −{2}", state.files.length, added, removed);
  return state.isWorking ? vscode.l10n.t("{0}, Toolwright is working", sum) : sum;
}

function descriptionOf({ path, action, added, removed }: FileInReview): string {
  const directory = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  const words = { created: vscode.l10n.t("new"), deleted: vscode.l10n.t("deleted"), modified: "" };
  return [`+${added} −${removed}`, words[action], directory].filter((word) => word !== "").join(" · ");
}

function tooltipOf({ path, parts }: FileInReview): string {
  const lines = parts.map(({ turn, conflict, problem, keptHunks }) =>
    [
      vscode.l10n.t("Request {0}", turn),
      ...(keptHunks.length > 0 ? [vscode.l10n.t("{0} hunks kept", keptHunks.length)] : []),
      ...(problem === undefined ? [] : [visibleLine(problem)]),
      ...(conflict ? [visibleLine(sinceWords(conflict))] : []),
    ].join(" · "),
  );
  return [path, ...lines].join("\n");
}
