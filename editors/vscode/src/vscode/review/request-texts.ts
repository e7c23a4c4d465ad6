/** What one request of the timeline did, whatever has become of it since: excerpts that exist only in the editor. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import type { ReviewValue } from "../../../../../src/client.ts";
import { type Excerpt, excerptOf } from "../../common/review/excerpt.ts";
import { readHunks } from "../../common/review/hunk.ts";
import { fileUri } from "../window-folders.ts";
import type { ReviewService } from "./review-service.ts";

const scheme = "toolwright-request";

/** Requests whose texts are held for editors that show them. */
const mostHeld = 20;

export class RequestTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #service: ReviewService;
  readonly #registered: vscode.Disposable;
  /** By request, then by text. */
  readonly #held = new Map<string, ReadonlyMap<string, string>>();

  constructor(service: ReviewService) {
    this.#service = service;
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.commands.registerCommand("toolwright.requests.openChanges", (chosen: unknown) =>
        this.#open(chosen),
      ),
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#held.get(uri.fragment)?.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.#registered.dispose();
  }

  async #open(chosen: unknown): Promise<void> {
    const { review, state } = this.#service;
    const turn = isObject(chosen) ? chosen["turn"] : undefined;
    if (!review || !state || typeof turn !== "number") return;
    const found = await review.changesOf(turn);
    if (!found.ok) return void vscode.window.showWarningMessage(found.problem);
    const files = found.value.files.map((file) => ({
      file: fileUri(state.workspace, file.path),
      before: sideUri(state.session, { turn, path: file.path, side: "before" }),
      after: sideUri(state.session, { turn, path: file.path, side: "after" }),
      excerpt: excerptIn(turn, file),
    }));
    this.#hold(
      fragmentOf(state.session, turn),
      files.flatMap(({ before, after, excerpt }) => [
        [before.toString(), excerpt.before],
        [after.toString(), excerpt.after],
      ]),
    );
    const title = vscode.l10n.t("Changes of Request {0}", turn);
    const sides = files.map(({ file, before, after }) => [file, before, after]);
    await vscode.commands.executeCommand("vscode.changes", title, sides);
  }

  #hold(request: string, texts: [string, string][]): void {
    this.#held.delete(request);
    this.#held.set(request, new Map(texts));
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
  }
}

/** What has no hunks says why. */
function excerptIn(turn: number, { path, hunks, problem }: ReviewValue["files"][number]): Excerpt {
  return problem === undefined
    ? excerptOf(readHunks({ turn, path, hunks }))
    : { before: `${problem}\n`, after: `${problem}\n` };
}

const fragmentOf = (session: string, turn: number): string => `${session} ${turn}`;

type SideOfFile = { turn: number; path: string; side: "before" | "after" };

const sideUri = (session: string, { turn, path, side }: SideOfFile): vscode.Uri =>
  vscode.Uri.from({ scheme, path: `/${path}`, query: side, fragment: fragmentOf(session, turn) });
