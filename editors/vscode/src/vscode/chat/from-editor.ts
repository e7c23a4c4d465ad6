/** What the editor shows now, for a message: the selection, files, problems. */

import * as vscode from "vscode";
import type { TextPart } from "../../../../../src/protocol/messages.ts";
import {
  type EditorProblem,
  mentionOf,
  problemsPart,
  selectionPart,
} from "../../common/chat/editor-parts.ts";

/** Without a selection the line of the cursor; undefined without an editor. */
export function selectedPart(): TextPart | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  // A selection that ends at the start of a line does not show that line as selected.
  const last =
    selection.end.character === 0 && !selection.isSingleLine ? selection.end.line - 1 : selection.end.line;
  const lines = new vscode.Range(selection.start.line, 0, last, document.lineAt(last).text.length);
  const from = selection.start.line + 1;
  return selectionPart({ path: pathOf(document.uri), from, to: last + 1, text: document.getText(lines) });
}

/** The errors and warnings of all files that the editor knows. */
export function problemsNow(): TextPart {
  const problems = vscode.languages
    .getDiagnostics()
    .flatMap(([uri, diagnostics]) => diagnostics.flatMap((one) => problemOf(uri, one)));
  return problemsPart(problems);
}

function problemOf(uri: vscode.Uri, { severity, range, message }: vscode.Diagnostic): EditorProblem[] {
  const isError = severity === vscode.DiagnosticSeverity.Error;
  if (!isError && severity !== vscode.DiagnosticSeverity.Warning) return [];
  const line = range.start.line + 1;
  return [{ path: pathOf(uri), line, severity: isError ? "error" : "warning", message }];
}

export const mentionsOf = (uris: readonly vscode.Uri[]): string =>
  uris.map((uri) => `${mentionOf(pathOf(uri))} `).join("");

/** Relative to its folder, with slashes. */
const pathOf = (uri: vscode.Uri): string => vscode.workspace.asRelativePath(uri, false);
