/** What one request of the timeline did, whatever has become of it since: excerpts that exist only in the editor. */

import * as vscode from "vscode";
import type { Expected } from "../../../../../src/base/expected.ts";
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
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  /** By request, then by text. */
  readonly #held = new Map<string, ReadonlyMap<string, string>>();

  constructor(service: ReviewService) {
    this.#service = service;
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.commands.registerCommand("toolwright.requests.openChanges", (chosen: unknown) =>
        this.#open(chosen),
      ),
      service.onDidChange(() => this.#fill()),
    );
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** Empty until the session is known: editors are restored before a core runs. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const turn = this.#turnOf(uri);
    if (!this.#held.has(uri.fragment) && turn !== undefined) await this.#load(turn);
    return this.#held.get(uri.fragment)?.get(uri.toString()) ?? "";
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  async #open(chosen: unknown): Promise<void> {
    const { state } = this.#service;
    const turn = isObject(chosen) ? chosen["turn"] : undefined;
    if (!state || typeof turn !== "number") return;
    const found = await this.#load(turn);
    if (!found.ok) return void vscode.window.showWarningMessage(found.problem);
    const sides = found.value.files.map(({ path }) => [
      fileUri(state.workspace, path),
      sideUri(state.session, { turn, path, side: "before" }),
      sideUri(state.session, { turn, path, side: "after" }),
    ]);
    const title = vscode.l10n.t("Changes of Request {0}", turn);
    await vscode.commands.executeCommand("vscode.changes", title, sides);
  }

  async #load(turn: number): Promise<Expected<ReviewValue>> {
    const { review } = this.#service;
    if (!review) return { ok: false, problem: vscode.l10n.t("The session is not known any more.") };
    const found = await review.changesOf(turn);
    if (found.ok) this.#hold(review.session, found.value);
    return found;
  }

  #hold(session: string, { turn, files }: ReviewValue): void {
    const texts = files.flatMap((file): [string, string][] => {
      const { before, after } = excerptIn(turn, file);
      const uri = (side: "before" | "after"): string =>
        sideUri(session, { turn, path: file.path, side }).toString();
      return [
        [uri("before"), before],
        [uri("after"), after],
      ];
    });
    const request = fragmentOf(session, turn);
    this.#held.delete(request);
    this.#held.set(request, new Map(texts));
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
  }

  /** Of editors that were there before the session was known. */
  #fill(): void {
    for (const { uri } of vscode.workspace.textDocuments)
      if (this.#turnOf(uri) !== undefined && !this.#held.has(uri.fragment)) this.#changed.fire(uri);
  }

  /** If it is a text of the session that is shown. */
  #turnOf({ scheme: other, fragment }: vscode.Uri): number | undefined {
    const [session, turn] = fragment.split(" ");
    const isShown = other === scheme && session === this.#service.review?.session;
    return isShown ? Number(turn) : undefined;
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
