/** Both sides of a change as texts that exist only in the editor: before the requests, and now. */

import * as vscode from "vscode";
import { isObject, parseJson } from "../../../../../src/base/json.ts";
import type { FileInReview } from "../../common/review/changed-files.ts";
import { writtenText } from "../../common/review/present-text.ts";
import { type ReviewFiles, type PresentFile, textAt } from "./review-files.ts";

const scheme = "toolwright-review";

const sides = ["before", "now"] as const;
type TextSide = (typeof sides)[number];

export class ReviewTexts implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #files: ReviewFiles;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registered: vscode.Disposable;

  constructor(files: ReviewFiles) {
    this.#files = files;
    this.#registered = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      files.onDidChange(() => this.#tell()),
    );
  }

  get onDidChange(): vscode.Event<vscode.Uri> {
    return this.#changed.event;
  }

  /** What is not under review any more is the same on both sides. */
  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const read = readUri(uri);
    if (!read) return "";
    const file = this.#files.at(read.file);
    if (!file) return (await textAt(read.file)) ?? "";
    return read.side === "now" ? (file.text ?? "") : writtenText(file.peeled.before);
  }

  dispose(): void {
    this.#registered.dispose();
    this.#changed.dispose();
  }

  #tell(): void {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) this.#changed.fire(uri);
  }
}

/** Opened only when a person asks for it. */
export async function openDiff({ file, uri }: PresentFile): Promise<void> {
  const why = incomparable(file);
  if (why !== undefined) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t("{0} cannot be compared: {1}. It can be kept or undone as a whole.", file.path, why),
    );
    return;
  }
  const title = vscode.l10n.t("{0} (before Toolwright ↔ now)", file.path);
  await vscode.commands.executeCommand("vscode.diff", uriOf(uri, "before"), uriOf(uri, "now"), title);
}

/** All of them in one editor. */
export async function openAllDiffs(files: readonly PresentFile[]): Promise<void> {
  const all = files
    .filter(({ file }) => incomparable(file) === undefined)
    .map(({ uri }) => [uri, uriOf(uri, "before"), uriOf(uri, "now")]);
  await vscode.commands.executeCommand("vscode.changes", vscode.l10n.t("Changes by Toolwright"), all);
}

/** Why there is nothing to show side by side. */
const incomparable = ({ parts }: FileInReview): string | undefined =>
  parts.every(({ hunks }) => hunks.length === 0)
    ? (parts.find(({ problem }) => problem !== undefined)?.problem ?? vscode.l10n.t("its lines are the same"))
    : undefined;

/** The file under review that a side shows. */
export const reviewedUri = (uri: vscode.Uri): vscode.Uri | undefined => readUri(uri)?.file;

const uriOf = (file: vscode.Uri, side: TextSide): vscode.Uri =>
  vscode.Uri.from({ scheme, path: file.path, query: JSON.stringify({ side, file: file.toString() }) });

function readUri(uri: vscode.Uri): { side: TextSide; file: vscode.Uri } | undefined {
  if (uri.scheme !== scheme) return undefined;
  const query = parseJson(uri.query);
  if (!query.ok || !isObject(query.value)) return undefined;
  const { side: told, file } = query.value;
  const side = sides.find((each) => each === told);
  return side && typeof file === "string" ? { side, file: vscode.Uri.parse(file) } : undefined;
}
