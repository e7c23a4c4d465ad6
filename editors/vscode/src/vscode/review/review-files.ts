/** The files under review with their present texts: worked out again when a file or the review changes. */

import * as vscode from "vscode";
import type { FileInReview } from "../../common/review/changed-files.ts";
import { peel, type PeeledText } from "../../common/review/peeled-text.ts";
import { presentText } from "../../common/review/present-text.ts";
import type { ReviewState } from "../../common/review/session-review.ts";
import { fileUri } from "../window-folders.ts";

/** `text`: unsaved edits included; `undefined` if there is no such file, or none that can be read as text. */
export type PresentFile = {
  file: FileInReview;
  uri: vscode.Uri;
  text: string | undefined;
  peeled: PeeledText;
};

/** Typing is not followed key by key. */
const restMs = 150;

export class ReviewFiles implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #edits: vscode.Disposable;
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #files = new Map<string, PresentFile>();
  #round = 0;

  #watcher: vscode.Disposable | undefined;

  constructor() {
    this.#edits = vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      if (contentChanges.length > 0) this.#touched(document.uri);
    });
  }

  /** Told when any of them has changed. */
  get onDidChange(): vscode.Event<void> {
    return this.#changed.event;
  }

  /** In the order of the review. */
  get all(): readonly PresentFile[] {
    return [...this.#files.values()];
  }

  at(uri: vscode.Uri): PresentFile | undefined {
    return this.#files.get(uri.toString());
  }

  ofPath(path: string): PresentFile | undefined {
    return this.all.find(({ file }) => file.path === path);
  }

  async show(state: ReviewState | undefined): Promise<void> {
    this.#round += 1;
    const round = this.#round;
    const { files = [], workspace = "" } = state ?? {};
    const read = await Promise.all(files.map((file) => reviewedFile(file, fileUri(workspace, file.path))));
    if (round !== this.#round) return;
    this.#files = new Map(read.map((file) => [file.uri.toString(), file]));
    this.#watch();
    this.#changed.fire();
  }

  dispose(): void {
    this.#round += 1;
    this.#edits.dispose();
    this.#watcher?.dispose();
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#changed.dispose();
  }

  /** Only while there is something to watch. */
  #watch(): void {
    if (this.#files.size > 0 === (this.#watcher !== undefined)) return;
    this.#watcher?.dispose();
    this.#watcher = this.#files.size > 0 ? this.#watched() : undefined;
  }

  #watched(): vscode.Disposable {
    const watcher = vscode.workspace.createFileSystemWatcher("**/*");
    const touched = (uri: vscode.Uri): void => this.#touched(uri);
    const { onDidChange, onDidCreate, onDidDelete } = watcher;
    return vscode.Disposable.from(watcher, onDidChange(touched), onDidCreate(touched), onDidDelete(touched));
  }

  #touched(uri: vscode.Uri): void {
    const key = uri.toString();
    if (!this.#files.has(key)) return;
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => void this.#readAgain(key), restMs),
    );
  }

  async #readAgain(key: string): Promise<void> {
    this.#timers.delete(key);
    const known = this.#files.get(key);
    if (!known) return;
    const file = await reviewedFile(known.file, known.uri);
    // The review may have changed meanwhile, and read the file itself.
    if (this.#files.get(key) !== known) return;
    this.#files.set(key, file);
    this.#changed.fire();
  }
}

async function reviewedFile(file: FileInReview, uri: vscode.Uri): Promise<PresentFile> {
  const text = await textAt(uri);
  return { file, uri, text, peeled: peelOff(file, text) };
}

export const peelOff = ({ parts }: FileInReview, text: string | undefined): PeeledText =>
  peel(
    presentText(text),
    parts.map(({ hunks }) => hunks),
  );

/** Opens nothing. */
export async function textAt(uri: vscode.Uri): Promise<string | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  if (open && !open.isClosed) return open.getText();
  try {
    return await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
  } catch {
    return undefined;
  }
}
