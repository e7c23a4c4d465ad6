/** The changes that an approval is about, as a native diff of texts that exist only in the editor. */

import * as vscode from "vscode";
import { diffExcerpts } from "../../common/approvals/diff-excerpts.ts";
import type { PendingQuestion } from "../../common/approvals/waiting-questions.ts";

const scheme = "toolwright-asked";

/** Questions whose texts are held for editors that show them. */
const mostHeld = 20;

export class AskedChanges implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #registered = vscode.workspace.registerTextDocumentContentProvider(scheme, this);
  /** By question, then by text. */
  readonly #held = new Map<string, Map<string, string>>();

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#held.get(uri.fragment)?.get(uri.toString()) ?? "";
  }

  /** On request of a person. */
  async open({ key, asked }: Extract<PendingQuestion, { type: "approval" }>): Promise<void> {
    const texts = new Map<string, string>();
    const sides = diffExcerpts(asked.preview).map(({ name, before, after }, at) => {
      const path = `/${name.replace(/ \((?:new|deleted)\)$/u, "")}`;
      const [old, now] = ["before", "after"].map((side) =>
        vscode.Uri.from({ scheme, path, query: `${side} ${at}`, fragment: key }),
      );
      texts.set(String(old), before).set(String(now), after);
      return [now, old, now];
    });
    this.#hold(key, texts);
    await vscode.commands.executeCommand("vscode.changes", asked.title, sides);
  }

  dispose(): void {
    this.#registered.dispose();
  }

  #hold(key: string, texts: Map<string, string>): void {
    this.#held.delete(key);
    this.#held.set(key, texts);
    const [oldest] = this.#held.keys();
    if (this.#held.size > mostHeld && oldest !== undefined) this.#held.delete(oldest);
  }
}
