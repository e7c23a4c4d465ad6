/** Runs a program for a moment, to see whether a sandbox works on this machine. */

import { bounds } from "../../base/bounds.ts";
import { runProcess } from "../../base/process.ts";

export async function outputOf(
  command: readonly string[],
  feeds: readonly Uint8Array[] = [],
  env: Readonly<Record<string, string>> = { PATH: "/usr/bin:/bin" },
): Promise<{ exit: number | undefined; text: string }> {
  const outcome = await runProcess({
    command,
    feeds,
    cwd: "/",
    env,
    wallMs: bounds.commands.trialTime.most,
  });
  const text = outcome.problem ?? Buffer.from(outcome.output.bytes).toString();
  return { exit: outcome.exit, text };
}
