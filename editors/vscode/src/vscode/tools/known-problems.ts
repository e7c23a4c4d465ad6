/** The editor's diagnostics as problems: errors and warnings, file by file. */

import * as vscode from "vscode";
import type { EditorProblem, FileProblems } from "../../common/tools/editor-powers.ts";
import { pathOf } from "./workspace-paths.ts";

export function knownProblems(): FileProblems[] {
  return vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
    const path = pathOf(uri);
    const problems = diagnostics.flatMap(problemOf);
    return path === undefined || problems.length === 0 ? [] : [{ path, problems }];
  });
}

/** Hints and information are no problems. */
function problemOf({ severity, message, range, source, code }: vscode.Diagnostic): EditorProblem[] {
  const { Error: error, Warning: warning } = vscode.DiagnosticSeverity;
  if (severity !== error && severity !== warning) return [];
  const { line, character } = range.start;
  const value = typeof code === "object" ? code.value : code;
  return [
    {
      severity: severity === error ? "error" : "warning",
      line: line + 1,
      column: character + 1,
      message,
      ...(source === undefined ? {} : { source }),
      ...(value === undefined ? {} : { code: String(value) }),
    },
  ];
}
