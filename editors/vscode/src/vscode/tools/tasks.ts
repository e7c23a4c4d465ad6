/** Runs the editor's tasks and reports how they ended. */

import * as vscode from "vscode";
import { type Expected, refuse } from "../../../../../src/base/expected.ts";
import type { TaskEnd } from "../../common/tools/editor-powers.ts";
import { problemNews } from "../../common/tools/problem-news.ts";
import { knownProblems } from "./known-problems.ts";

export const taskNames = async (): Promise<string[]> => (await vscode.tasks.fetchTasks()).map(nameOf);

/** As the editor lists them: "npm: build". */
const nameOf = ({ source, name }: vscode.Task): string =>
  source === "Workspace" ? name : `${source}: ${name}`;

/** A task that waits in the background ends by the signal. Its terminal is not focused. */
export async function runTask(wanted: string, signal: AbortSignal): Promise<Expected<TaskEnd>> {
  const all = await vscode.tasks.fetchTasks();
  const task = all.find((one) => nameOf(one) === wanted) ?? all.find(({ name }) => name === wanted);
  if (!task) return refuse(`There is no task ${wanted}; there is: ${all.map(nameOf).join(", ") || "none"}.`);
  task.presentationOptions = {
    ...task.presentationOptions,
    reveal: vscode.TaskRevealKind.Silent,
    focus: false,
  };
  const before = knownProblems();
  const { promise, resolve } = Promise.withResolvers<number | undefined>();
  const running = vscode.tasks.executeTask(task);
  // A short task may have ended before its start is told.
  const ended = async (execution: vscode.TaskExecution, code: number | undefined): Promise<void> => {
    if ((await running.then(undefined, () => undefined)) === execution) resolve(code);
  };
  const listening = vscode.Disposable.from(
    vscode.tasks.onDidEndTaskProcess(({ execution, exitCode }) => void ended(execution, exitCode)),
    vscode.tasks.onDidEndTask(({ execution }) => void ended(execution, undefined)),
  );
  try {
    const execution = await running;
    signal.addEventListener("abort", () => execution.terminate(), { once: true });
    const code = await promise;
    return { ok: true, value: { code, problems: problemNews(before, knownProblems()).appeared } };
  } finally {
    listening.dispose();
  }
}
