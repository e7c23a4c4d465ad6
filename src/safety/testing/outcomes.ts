/** Test helper for the program tables: what becomes of a command line in the mode `ask`. */

import { evaluatePolicy } from "../evaluate-policy.ts";
import { judgeCommand } from "../judge.ts";
import { around, holding, off, policy } from "./judgements.ts";

/**
 * `critical`: asks in every mode, or is denied; `asks` before it runs; `contained`: runs first, and is decided on
 * afterwards; `free`: runs in the sandbox; `harmless`: runs without a sandbox, too.
 */
export type Outcome = "critical" | "asks" | "contained" | "free" | "harmless";

export function outcomeOf(line: string): Outcome {
  const subject = subjectOf(line);
  if (subject.judgement.severity === "critical") return "critical";
  const { verdict, sandbox } = evaluatePolicy(subject, policy({ sandbox: holding }));
  if (sandbox?.trial) return "contained";
  if (verdict !== "allow") return "asks";
  return evaluatePolicy(subject, policy({ sandbox: off })).verdict === "allow" ? "harmless" : "free";
}

/** The same in one word for each profile: `critical`, `ask`, `trial`, or `allow` with the sandbox's profile. */
export function outcomeInProfile(line: string): string {
  const subject = subjectOf(line);
  if (subject.judgement.severity === "critical") return "critical";
  const { verdict, sandbox } = evaluatePolicy(subject, policy({ sandbox: holding }));
  if (sandbox?.trial) return "trial";
  return verdict === "allow" ? `allow ${sandbox?.profile}` : verdict;
}

const subjectOf = (command: string) => ({
  tool: "run_command",
  does: "execute" as const,
  paths: [],
  command,
  judgement: judgeCommand(command, { ...around, directory: around.workspace }),
});
