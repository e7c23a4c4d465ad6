/** What VS Code can do for a session. */

import * as vscode from "vscode";
import { refuse } from "../../../../../src/base/expected.ts";
import type { EditorPowers, EditorSelection, OpenEditor } from "../../common/tools/editor-powers.ts";
import { isTerminalLent } from "../terminal/terminal-settings.ts";
import type { UserTerminals } from "../terminal/user-terminals.ts";
import type { Examining } from "./examining.ts";
import type { ProposedTexts } from "./proposed-texts.ts";
import { definitionOf, planRename, referencesOf } from "./symbols.ts";
import { runTask, taskNames } from "./tasks.ts";
import { pathOf, uriOf } from "./workspace-paths.ts";

type PowerParts = { examining: Examining; proposed: ProposedTexts; terminals: UserTerminals };

export function vscodePowers({ examining, proposed, terminals }: PowerParts): EditorPowers {
  return {
    problems: () => examining.problems(),
    examine: (paths, signal, others) => examining.examine(paths, signal, others),
    selection,
    openEditors,
    definition: definitionOf,
    references: referencesOf,
    planRename,
    taskNames,
    runTask,
    runInTerminal: async (request) =>
      isTerminalLent()
        ? terminals.run(request)
        : refuse("The user does not let anything run in their terminal."),
    async showDiff(path, text, title) {
      const right = proposed.add(path, text);
      const how = { preview: true, preserveFocus: true };
      await vscode.commands.executeCommand("vscode.diff", uriOf(path), right, title, how);
      return { ok: true, value: undefined };
    },
  };
}

function selection(): EditorSelection | undefined {
  const editor = vscode.window.activeTextEditor;
  const path = editor && pathOf(editor.document.uri);
  if (!editor || path === undefined) return undefined;
  const { start, end, isEmpty } = editor.selection;
  // A selection that ends at the beginning of a line does not mean that line.
  const isBefore = end.character === 0 && end.line > start.line;
  return {
    path,
    from: start.line + 1,
    to: isBefore ? end.line : end.line + 1,
    text: isEmpty ? "" : editor.document.getText(editor.selection),
  };
}

function openEditors(): OpenEditor[] {
  const active = vscode.window.activeTextEditor?.document.uri.toString();
  const visible = new Set(vscode.window.visibleTextEditors.map(({ document }) => document.uri.toString()));
  const tabs = vscode.window.tabGroups.all.flatMap(({ tabs: all }) => all);
  const seen = new Set<string>();
  return tabs.flatMap(({ input, isDirty }): OpenEditor[] => {
    if (!(input instanceof vscode.TabInputText)) return [];
    const path = pathOf(input.uri);
    const uri = input.uri.toString();
    if (path === undefined || seen.has(uri)) return [];
    seen.add(uri);
    const standing = uri === active ? "active" : visible.has(uri) ? "visible" : "open";
    return [{ path, standing, isUnsaved: isDirty }];
  });
}
