/** Makes the editor look at files without showing them, and waits until its checks have become quiet. */

import * as vscode from "vscode";
import { CheckPatience } from "../../common/tools/check-patience.ts";
import type { EditorProblem, ExaminedFiles, FileProblems } from "../../common/tools/editor-powers.ts";
import { withAsked } from "../../common/tools/problem-news.ts";
import { untilQuiet } from "../../common/tools/quiet.ts";
import { knownProblems } from "./known-problems.ts";
import { typescriptChecks } from "./typescript-checks.ts";
import { pathOf, uriOf } from "./workspace-paths.ts";

/** How long the editor may take to notice a change on disk, in milliseconds. */
const noticeMs = 2_000;
/** What is told of a text that is younger may be meant for the one before, in milliseconds. */
const tellingMs = 1_000;
/** Files looked at for one change. */
const mostFiles = 20;

export class Examining {
  readonly #patience = new CheckPatience();
  /** The version at which each open document was last checked. */
  readonly #checked = new Map<string, number>();
  /** When each open document last changed, by the clock of `performance`. */
  readonly #changedAt = new Map<string, number>();
  /** What a server said when it was asked, by document, for its version. */
  readonly #asked = new Map<string, { version: number; problems: readonly EditorProblem[] }>();
  readonly #listening: vscode.Disposable;

  constructor() {
    this.#listening = vscode.Disposable.from(
      vscode.workspace.onDidChangeTextDocument(({ document: { uri } }) =>
        this.#changedAt.set(uri.toString(), performance.now()),
      ),
      vscode.languages.onDidChangeDiagnostics(({ uris }) => this.#told(uris)),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => {
        this.#checked.delete(uri.toString());
        this.#changedAt.delete(uri.toString());
        this.#asked.delete(uri.toString());
      }),
    );
  }

  /** `others` are only asked about. */
  async examine(
    paths: readonly string[],
    signal: AbortSignal,
    others: readonly string[] = [],
  ): Promise<ExaminedFiles> {
    const signs = new DiagnosticSigns(paths.slice(0, mostFiles).map(uriOf));
    try {
      const opened = await openedAsOnDisk(paths, signal);
      const seen = await openedAsOnDisk(others, signal);
      const asked = await Promise.all(
        [...opened, ...seen].map(async (document) => ((await this.#ask(document, signal)) ? [document] : [])),
      );
      const answering = new Set(asked.flat());
      const answered = [...answering].flatMap(({ uri }) => pathOf(uri) ?? []);
      const unchecked = opened.filter(
        (document) =>
          !answering.has(document) && this.#checked.get(document.uri.toString()) !== document.version,
      );
      if (unchecked.length === 0) return { isSettled: true, answered };
      const waits = this.#patience.waits(unchecked.map(({ languageId }) => languageId));
      const isSettled = await untilQuiet((sign) => signs.listen(sign), waits, signal);
      for (const { uri, version, languageId } of unchecked) {
        this.#patience.waited(languageId, signs.heard.has(uri.toString()));
        this.#checked.set(uri.toString(), version);
      }
      return { isSettled, answered };
    } finally {
      signs.dispose();
    }
  }

  /** What the editor shows; where a server was asked about the present text, what that has said. */
  problems(): FileProblems[] {
    const asked = vscode.workspace.textDocuments.flatMap(({ uri, version }) => {
      const own = this.#asked.get(uri.toString());
      const path = pathOf(uri);
      return own?.version === version && path !== undefined ? [[path, own.problems] as const] : [];
    });
    return withAsked(knownProblems(), new Map(asked));
  }

  dispose(): void {
    this.#listening.dispose();
  }

  /** Whether there is somebody who can be asked. */
  async #ask(document: vscode.TextDocument, signal: AbortSignal): Promise<boolean> {
    const { version } = document;
    const problems = await typescriptChecks(document, signal);
    if (problems) this.#asked.set(document.uri.toString(), { version, problems });
    return problems !== undefined;
  }

  #told(uris: readonly vscode.Uri[]): void {
    const told = new Set(uris.map(String));
    for (const { uri, version } of vscode.workspace.textDocuments) {
      const key = uri.toString();
      const age = performance.now() - (this.#changedAt.get(key) ?? Number.NEGATIVE_INFINITY);
      if (told.has(key) && age >= tellingMs) this.#checked.set(key, version);
    }
  }
}

/** The signs of checks in some files, from before they are opened. */
class DiagnosticSigns {
  readonly heard = new Set<string>();
  readonly #listening: vscode.Disposable;
  #sign: (() => void) | undefined;

  constructor(uris: readonly vscode.Uri[]) {
    const wanted = new Set(uris.map(String));
    this.#listening = vscode.languages.onDidChangeDiagnostics(({ uris: changed }) => {
      const own = changed.map(String).filter((uri) => wanted.has(uri));
      for (const uri of own) this.heard.add(uri);
      if (own.length > 0) this.#sign?.();
    });
  }

  listen(sign: () => void): () => void {
    this.#sign = sign;
    if (this.heard.size > 0) sign();
    return () => (this.#sign = undefined);
  }

  dispose(): void {
    this.#listening.dispose();
  }
}

/** Files that cannot be opened are new, gone, or not text: nothing is checked in them. */
async function openedAsOnDisk(paths: readonly string[], signal: AbortSignal): Promise<vscode.TextDocument[]> {
  const uris = paths.slice(0, mostFiles).map(uriOf);
  return (await Promise.all(uris.map((uri) => openAsOnDisk(uri, signal)))).flatMap(
    (document) => document ?? [],
  );
}

/** Undefined: there is no such text file. The user's unsaved text stays as it is. */
async function openAsOnDisk(uri: vscode.Uri, signal: AbortSignal): Promise<vscode.TextDocument | undefined> {
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    await noticed(document, signal);
    return document;
  } catch {
    return undefined;
  }
}

/** Resolves when an open document has the text of its file. */
async function noticed(document: vscode.TextDocument, signal: AbortSignal): Promise<void> {
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const text = plain(new TextDecoder().decode(bytes));
  const isCurrent = (): boolean => document.isDirty || plain(document.getText()) === text;
  if (isCurrent()) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  const listening = vscode.workspace.onDidChangeTextDocument((change) => {
    if (change.document === document && isCurrent()) done();
  });
  const late = setTimeout(done, noticeMs);
  signal.addEventListener("abort", done, { once: true });
  await promise;
  clearTimeout(late);
  signal.removeEventListener("abort", done);
  listening.dispose();
}

/** An editor may show other line ends than the file has, and no byte order mark. */
const plain = (text: string): string => text.replace(/^\uFEFF/u, "").replaceAll("\r\n", "\n");
