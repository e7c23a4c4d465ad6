/** Commands of the command line that the extension runs in a terminal: what talks with a person there already. */

import * as vscode from "vscode";
import { nodeProgram } from "../node/node-program.ts";
import { coreSettings, folderOfWindow } from "./core-settings.ts";
import type { FeatureContext } from "./feature-context.ts";

const words = {
  doctor: ["doctor"],
  login: ["login"],
  trust: ["trust"],
  models: ["models"],
} as const;

export const registerTerminalCommands = (context: FeatureContext): vscode.Disposable =>
  vscode.Disposable.from(
    ...Object.entries(words).map(([name, given]) =>
      vscode.commands.registerCommand(`toolwright.${name}`, () => runInTerminal(context, given)),
    ),
  );

async function runInTerminal({ extension, log }: FeatureContext, given: readonly string[]): Promise<void> {
  const folder = folderOfWindow();
  if (folder === undefined) return;
  const { program, namedNode, ownNode } = coreSettings(extension, { folder, log });
  const node = await nodeProgram({ named: namedNode, own: ownNode });
  if (!node.ok) return void vscode.window.showErrorMessage(node.problem);
  const run = new vscode.ProcessExecution(node.value.path, [program, ...given], {
    cwd: folder,
    env: { ...node.value.env },
  });
  // Unlike a terminal whose shell is the command, a task's terminal stays open when it has ended.
  const task = new vscode.Task(
    { type: "toolwright", command: given.join(" ") },
    vscode.TaskScope.Workspace,
    given.join(" "),
    "toolwright",
    run,
    [],
  );
  task.presentationOptions = { focus: true, clear: true, panel: vscode.TaskPanelKind.Dedicated };
  await vscode.tasks.executeTask(task);
}
