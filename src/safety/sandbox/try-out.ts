/** Runs a program for a moment, to see whether a sandbox works on this machine. */

import { type ProcessRequest, runProcess } from "../../base/process.ts";
import { tryOutTimeMs } from "./bounds.ts";

export async function outputOf(
  command: readonly string[],
  {
    feeds = [],
    env = { PATH: "/usr/bin:/bin" },
    signal,
  }: Partial<Pick<ProcessRequest, "feeds" | "env" | "signal">> = {},
): Promise<{ exit: number | undefined; text: string }> {
  const outcome = await runProcess({
    command,
    feeds,
    cwd: "/",
    env,
    signal,
    wallMs: tryOutTimeMs,
    oneGroup: true, // it ends with its namespace
  });
  const text = outcome.problem ?? Buffer.from(outcome.output.bytes).toString();
  return { exit: outcome.exit, text };
}
