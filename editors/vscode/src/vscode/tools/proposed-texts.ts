/** Texts that exist only in a diff: each has an address of its own, and is dropped when its document is closed. */

import * as vscode from "vscode";

const scheme = "toolwright-proposed";

export class ProposedTexts implements vscode.TextDocumentContentProvider {
  readonly #texts = new Map<string, string>();
  #count = 0;

  register(): vscode.Disposable {
    return vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
    );
  }

  /** The path keeps its ending, by which the editor knows the language. */
  add(path: string, text: string): vscode.Uri {
    this.#count += 1;
    const uri = vscode.Uri.from({ scheme, path: `/${path}`, query: String(this.#count) });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? "";
  }
}
