/** VS Code's cancellation as a signal, for the time of some work. */

import * as vscode from "vscode";

/** A cancelled work that fails has ended as asked: its failure is VS Code's own for that. */
export async function withSignal<T>(
  token: vscode.CancellationToken,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const listening = token.onCancellationRequested(() => controller.abort());
  if (token.isCancellationRequested) controller.abort();
  try {
    return await work(controller.signal);
  } catch (error) {
    if (controller.signal.aborted) throw new vscode.CancellationError();
    throw error;
  } finally {
    listening.dispose();
  }
}
