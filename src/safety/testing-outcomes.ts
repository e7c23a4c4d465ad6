/** Test helper for the program tables: what becomes of a command line in the mode `ask`. */

import { decide } from "./decide.ts";
import { judgeCommand } from "./judge.ts";
import { around, holding, off, policy } from "./testing-judgements.ts";

/**
 * `critical`: asks in every mode, or is denied; `asks` before it runs; `contained`: runs first, and is decided on
 * afterwards; `free`: runs in the sandbox; `harmless`: runs without a sandbox, too.
 */
export type Outcome = "critical" | "asks" | "contained" | "free" | "harmless";

export function outcomeOf(line: string): Outcome {
  const judgement = judgeCommand(line, { ...around, directory: around.workspace });
  if (judgement.severity === "critical") return "critical";
  const subject = { tool: "run_command", does: "execute" as const, paths: [], command: line, judgement };
  const { verdict, sandbox } = decide(subject, policy({ sandbox: holding }));
  if (sandbox?.trial) return "contained";
  if (verdict !== "allow") return "asks";
  return decide(subject, policy({ sandbox: off })).verdict === "allow" ? "harmless" : "free";
}
