/** The documents open at a server: their content as we sent it, and its version. */

import { extname } from "node:path";
import { mostOpenDocuments, mostFilesWithProblems } from "./bounds.ts";
import type { ServerConversation } from "./conversation.ts";
import { uriOf } from "./uris.ts";

type SentDocument = {
  version: number;
  text: string;
  /** The count of pushed diagnostics lists when the content was last sent. */
  since: number;
  /** The content is what is on disk, not the state before a change. */
  isOnDisk: boolean;
};

export type WatchedChange = { path: string; type: "created" | "changed" | "deleted" };

const watchedTypes = { created: 1, changed: 2, deleted: 3 } as const;

type Setup = {
  workspace: string;
  languages: Readonly<Record<string, string>>;
  conversation: Pick<ServerConversation, "notify">;
  /** The number of diagnostics lists pushed so far. */
  order(): number;
};

export class Documents {
  readonly #setup: Setup;
  /** Least recently used first. */
  readonly #shown = new Map<string, SentDocument>();

  constructor(setup: Setup) {
    this.#setup = setup;
  }

  get(path: string): SentDocument | undefined {
    return this.#shown.get(path);
  }

  paths(): string[] {
    return [...this.#shown.keys()];
  }

  /** Sends the content unless the server already has it. */
  show(path: string, text: string, { isOnDisk = true } = {}): void {
    const known = this.#shown.get(path);
    if (known?.text === text) return this.#use(path, { ...known, isOnDisk });
    const { conversation, workspace, languages } = this.#setup;
    const uri = uriOf(workspace, path);
    // Versions continue after a close, so that late diagnostics are recognized as outdated.
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
    if (this.#shown.size > mostOpenDocuments && oldest !== undefined) this.close(oldest);
  }

  close(path: string): void {
    const known = this.#shown.get(path);
    if (!known) return;
    this.#shown.delete(path);
    if (this.#closed.size < mostFilesWithProblems) this.#closed.set(path, known.version);
    const uri = uriOf(this.#setup.workspace, path);
    this.#setup.conversation.notify("textDocument/didClose", { textDocument: { uri } });
  }

  /** Servers rely on the client to watch files. */
  changedOnDisk(changes: readonly WatchedChange[]): void {
    if (changes.length === 0) return;
    const { conversation, workspace } = this.#setup;
    conversation.notify("workspace/didChangeWatchedFiles", {
      changes: changes.map(({ path, type }) => ({ uri: uriOf(workspace, path), type: watchedTypes[type] })),
    });
    const open = changes.map(({ path }) => path).filter((path) => this.#shown.has(path));
    // Some servers recheck only after a save, of whichever file.
    for (const path of open.length > 0 ? open : [...this.#shown.keys()].slice(-1))
      conversation.notify("textDocument/didSave", { textDocument: { uri: uriOf(workspace, path) } });
  }

  readonly #closed = new Map<string, number>();

  #use(path: string, shown: SentDocument): void {
    this.#shown.delete(path);
    this.#shown.set(path, shown);
  }
}
