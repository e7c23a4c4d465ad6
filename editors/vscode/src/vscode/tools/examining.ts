/** Makes the editor look at files without showing them, and waits until its checks have become quiet. */

import * as vscode from "vscode";
import { type QuietWaits, untilQuiet } from "../../common/tools/quiet.ts";
import { uriOf } from "./workspace-paths.ts";

/** Language servers check a file some time after it was opened, and say nothing if nothing is wrong. */
const unknownWaits: QuietWaits = { first: 6_000, quiet: 400, most: 12_000 };
const knownWaits: QuietWaits = { first: 1_500, quiet: 400, most: 8_000 };
/** How long the editor may take to notice a change on disk, in milliseconds. */
const noticeMs = 2_000;
/** Files looked at for one change. */
const mostFiles = 20;

export class Examining {
  /** Files whose checks were seen at work before. */
  readonly #known = new Set<string>();

  async examine(paths: readonly string[], signal: AbortSignal): Promise<{ isSettled: boolean }> {
    const uris = paths.slice(0, mostFiles).map(uriOf);
    if (uris.length === 0) return { isSettled: true };
    const waits = uris.every((uri) => this.#known.has(uri.toString())) ? knownWaits : unknownWaits;
    const quiet = untilQuiet((sign) => this.#signsOf(uris, sign), waits, signal);
    const opened = await Promise.all(uris.map((uri) => openAsOnDisk(uri, signal)));
    // Nothing is checked in files that cannot be opened: they are new, gone, or not text.
    if (opened.every((isOpen) => !isOpen)) return { isSettled: true };
    return { isSettled: await quiet };
  }

  #signsOf(uris: readonly vscode.Uri[], sign: () => void): () => void {
    const wanted = new Set(uris.map(String));
    const listening = vscode.languages.onDidChangeDiagnostics(({ uris: changed }) => {
      const own = changed.map(String).filter((uri) => wanted.has(uri));
      for (const uri of own) this.#known.add(uri);
      if (own.length > 0) sign();
    });
    return () => void listening.dispose();
  }
}

/** False: there is no such text file. The user's unsaved text stays as it is. */
async function openAsOnDisk(uri: vscode.Uri, signal: AbortSignal): Promise<boolean> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    await noticed(document, signal);
    return true;
  } catch {
    return false;
  }
}

/** Resolves when an open document has the text of its file. */
async function noticed(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const text = plain(new TextDecoder().decode(bytes));
  if (document.isDirty || plain(document.getText()) === text) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const listening = vscode.workspace.onDidChangeTextDocument((change) => {
    if (change.document === document && plain(document.getText()) === text) resolve();
  });
  const late = setTimeout(() => resolve(), noticeMs);
  signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  clearTimeout(late);
  listening.dispose();
}

/** An editor may show other line ends than the file has, and no byte order mark. */
const plain = (text: string): string => text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
