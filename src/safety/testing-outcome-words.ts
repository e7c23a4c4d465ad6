/** Test helper: what becomes of a command line, as far as that depends on its words. */

import { decide } from "./decide.ts";
import { judgeCommand } from "./judge.ts";
import { around, holding, policy } from "./testing-judgements.ts";

/** `critical`, `ask`, `trial` (it runs contained, its changes are held), or `allow` with the sandbox's profile. */
export function outcomeOf(command: string): string {
  const judgement = judgeCommand(command, { ...around, directory: around.workspace });
  const subject = { tool: "run_command", does: "execute" as const, paths: [], command, judgement };
  const { verdict, profile, sandbox } = decide(subject, policy({ sandbox: holding }));
  if (judgement.severity === "critical") return "critical";
  if (sandbox?.trial) return "trial";
  return verdict === "allow" ? `allow ${profile}` : verdict;
}
