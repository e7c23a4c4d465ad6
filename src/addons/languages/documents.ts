/** The files whose content a server is told, instead of reading it itself: each with its version. */

import { extname } from "node:path";
import { bounds } from "../../base/bounds.ts";
import type { Conversation } from "./conversation.ts";
import { uriOf } from "./uris.ts";

type Shown = {
  version: number;
  text: string;
  /** How many lists of problems had been sent when it was last told. */
  since: number;
  /** It is what stands on the disk, and not what stood there before a change. */
  isOnDisk: boolean;
};

export type WatchedChange = { path: string; type: "created" | "changed" | "deleted" };

const watchedTypes = { created: 1, changed: 2, deleted: 3 } as const;

type Setup = {
  workspace: string;
  languages: Readonly<Record<string, string>>;
  conversation: Pick<Conversation, "notify">;
  /** Counts the lists of problems that were sent. */
  order(): number;
};

export class Documents {
  readonly #setup: Setup;
  /** Used last at the end. */
  readonly #shown = new Map<string, Shown>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  get(path: string): Shown | undefined {
    return this.#shown.get(path);
  }

  paths(): string[] {
    return [...this.#shown.keys()];
  }

  /** Tells the content, if it is not what the server was told before. */
  show(path: string, text: string, { isOnDisk = true } = {}): void {
    const known = this.#shown.get(path);
    if (known?.text === text) return this.#use(path, { ...known, isOnDisk });
    const { conversation, workspace, languages } = this.#setup;
    const uri = uriOf(workspace, path);
    // Versions go on where a file was closed, so that what comes late is known as such.
    const version = (known?.version ?? this.#closed.get(path) ?? 0) + 1;
    const since = this.#setup.order();
    this.#use(path, { version, text, since, isOnDisk });
    if (known) {
      conversation.notify("textDocument/didChange", {
        textDocument: { uri, version },
        contentChanges: [{ text }],
      });
      return;
    }
    const languageId = languages[extname(path).toLowerCase()] ?? "plaintext";
    conversation.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
    const [oldest] = this.#shown.keys();
    if (this.#shown.size > bounds.languages.documents.most && oldest !== undefined) this.close(oldest);
  }

  close(path: string): void {
    const known = this.#shown.get(path);
    if (!known) return;
    this.#shown.delete(path);
    if (this.#closed.size < bounds.languages.files.most) this.#closed.set(path, known.version);
    const uri = uriOf(this.#setup.workspace, path);
    this.#setup.conversation.notify("textDocument/didClose", { textDocument: { uri } });
  }

  /** Servers do not look for changes on the disk themselves. */
  changedOnDisk(changes: readonly WatchedChange[]): void {
    if (changes.length === 0) return;
    const { conversation, workspace } = this.#setup;
    conversation.notify("workspace/didChangeWatchedFiles", {
      changes: changes.map(({ path, type }) => ({ uri: uriOf(workspace, path), type: watchedTypes[type] })),
    });
    const open = changes.map(({ path }) => path).filter((path) => this.#shown.has(path));
    // Some check anew only when a file was saved, whichever it is.
    for (const path of open.length > 0 ? open : [...this.#shown.keys()].slice(-1))
      conversation.notify("textDocument/didSave", { textDocument: { uri: uriOf(workspace, path) } });
  }

  readonly #closed = new Map<string, number>();

  #use(path: string, shown: Shown): void {
    this.#shown.delete(path);
    this.#shown.set(path, shown);
  }
}
