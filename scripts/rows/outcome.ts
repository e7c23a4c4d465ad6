/** What becomes of a command line in the modes, with a sandbox that holds changes and without any. */

import { evaluatePolicy } from "../../src/safety/evaluate-policy.ts";
import { judgeCommand } from "../../src/safety/judge.ts";
import { around, holding, off, policy } from "../../src/safety/testing/judgements.ts";

const modes = ["ask", "auto", "plan"] as const;

/** One word for each mode and sandbox: the verdict, and where it would run. */
export function outcomeOf(line: string): string {
  const judgement = judgeCommand(line, { ...around, directory: around.workspace });
  const subject = { tool: "run_command", does: "execute" as const, paths: [], command: line, judgement };
  const words = modes.flatMap((mode) => {
    const on = evaluatePolicy(subject, policy({ mode, sandbox: holding }));
    const without = evaluatePolicy(subject, policy({ mode, sandbox: off }));
    const where = on.sandbox?.trial ? "trial" : (on.sandbox?.profile ?? "");
    return [`${mode} ${on.verdict} ${where}`, `${mode} unheld ${without.verdict}`];
  });
  return words.join(", ");
}
