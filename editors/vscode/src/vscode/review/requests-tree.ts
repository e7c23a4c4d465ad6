/** The timeline: the requests of the session, newest first, with what each of them changed. */

import * as vscode from "vscode";
import type { TimelineRequest } from "../../common/review/timeline.ts";
import type { ReviewService } from "./review-service.ts";

export class RequestsTree implements vscode.TreeDataProvider<TimelineRequest>, vscode.Disposable {
  readonly #service: ReviewService;
  readonly #registered: vscode.Disposable;
  readonly #changed = new vscode.EventEmitter<undefined>();

  constructor(service: ReviewService) {
    this.#service = service;
    this.#registered = vscode.Disposable.from(
      vscode.window.registerTreeDataProvider("toolwright.requests", this),
      service.onDidChange(() => this.#changed.fire(undefined)),
    );
  }

  get onDidChangeTreeData(): vscode.Event<undefined> {
    return this.#changed.event;
  }

  getChildren(parent?: TimelineRequest): TimelineRequest[] {
    return parent ? [] : [...(this.#service.state?.requests ?? [])];
  }

  getTreeItem(request: TimelineRequest): vscode.TreeItem {
    const { turn, words, canGoBack } = request;
    const item = new vscode.TreeItem(words === "" ? vscode.l10n.t("(an image)") : words);
    item.id = `${this.#service.state?.session ?? ""} ${turn}`;
    item.description = descriptionOf(request);
    item.tooltip = [words, ...request.paths].join("\n");
    item.iconPath = new vscode.ThemeIcon(canGoBack ? "git-commit" : "circle-outline");
    item.contextValue = canGoBack && !this.#service.state?.isWorking ? "canGoBack" : "over";
    if (request.paths.length > 0)
      item.command = {
        title: vscode.l10n.t("Open Changes of Request"),
        command: "toolwright.requests.openChanges",
        arguments: [request],
      };
    return item;
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }
}

function descriptionOf({ startedAt, added, removed, status }: TimelineRequest): string {
  const time = new Date(startedAt).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  const what = status === undefined ? vscode.l10n.t("no changes") : `+${added} −${removed} · ${status}`;
  return `${time} · ${what}`;
}
