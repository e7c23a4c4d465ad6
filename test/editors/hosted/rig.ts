/** What `rig.test.ts` runs inside the extension host. */

import { deepEqual, equal } from "node:assert/strict";
import * as vscode from "vscode";
import { test } from "../in-host.ts";

export { run } from "../in-host.ts";

const broken = vscode.Uri.joinPath(folder(), "broken.ts");

test("the workspace is open, and the extension installed", () => {
  equal(vscode.extensions.getExtension("toolwright.rig")?.isActive, false);
  return vscode.commands.executeCommand("rig.count");
});

test("TypeScript's own extension finds the mistake", async () => {
  const found = new Promise<readonly vscode.Diagnostic[]>((resolve) => {
    const listener = vscode.languages.onDidChangeDiagnostics(() => {
      const diagnostics = vscode.languages.getDiagnostics(broken);
      if (diagnostics.length === 0) return;
      listener.dispose();
      resolve(diagnostics);
    });
  });
  await vscode.window.showTextDocument(broken);
  const [first] = await found;
  deepEqual([first?.source, first?.message], ["ts", "Type 'string' is not assignable to type 'number'."]);
});

test("a mistake in a test is told", () => {
  equal(1, 2);
});

function folder(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) throw new Error("No folder is open.");
  return first.uri;
}
