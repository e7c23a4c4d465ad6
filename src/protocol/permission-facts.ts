/** The facts about what may run: decisions, questions to a person, their answers, and what they took back. */

import * as z from "zod/mini";
import { approvalAnswered, approvalAsked, grant, sandboxed } from "./fact-parts.ts";
import { risks, verdicts } from "./fact-words.ts";

export const permissionFacts = {
  /** Whether a call may run, and why. `trace` has each layer's verdict; `sandbox` is for commands. */
  decision: z.object({
    type: z.literal("decision"),
    callId: z.string(),
    verdict: z.enum(verdicts),
    because: z.string(),
    risk: z.enum(risks),
    trace: z.array(z.object({ layer: z.string(), verdict: z.enum(verdicts), because: z.string() })),
    sandbox: z.optional(sandboxed),
  }),
  /**
   * A question to a person. `preview` is the whole command or the diff; `changes` name the planned contents by hash,
   * even if the diff was cut; `grant` describes what a wider approval would cover, `covers` is the same as data, and
   * `scopes` lists the answers that make sense (default: once, turn and session); `sandbox`: how a command would run;
   * `repairs`: what was repaired in the call. `command`: the answer may change this command; `place`: where it runs.
   * `held`: the command has run, and its changes wait for the answer, which may drop some of these files or hunks (sorted by path);
   * `refused`: what the sandbox refused it, in words.
   */
  "approval-asked": z.object({ type: z.literal("approval-asked"), ...approvalAsked }),
  /**
   * The first answer wins. `scope`: how long it holds; `note` is shown to the model with a refusal. `command`: run this
   * instead of the model's command; it is decided on again, and a wider approval then applies to its own `covers`.
   * `drops`: what is not kept of a command's held changes.
   */
  "approval-answered": z.object({ type: z.literal("approval-answered"), ...approvalAnswered }),
  /**
   * A person took back what they had allowed for the turn or the session: from here on it covers no call. `grant`: the
   * same in words.
   */
  "grant-revoked": z.object({
    type: z.literal("grant-revoked"),
    covers: grant,
    grant: z.string(),
    by: z.string(),
  }),
};
