/** The modes in plain words, for people who choose one. */

import type { Mode } from "../protocol/facts.ts";

export const modeChoices: readonly { mode: Mode; name: string; says: string }[] = [
  {
    mode: "ask",
    name: "Ask",
    says: "Reads, and runs commands in the sandbox; what unknown ones change, edits and anything risky wait for you.",
  },
  { mode: "accept-edits", name: "Accept edits", says: "Also edits files without asking." },
  { mode: "plan", name: "Plan", says: "Only reads, and proposes a plan." },
  {
    mode: "auto",
    name: "Auto",
    says: "Also runs sandboxed commands of medium risk; asks about everything else.",
  },
  {
    mode: "staged",
    name: "Staged",
    says: "Prepares changes; each is applied only when its token is sent back.",
  },
  { mode: "deny", name: "Deny", says: "Refuses everything that would need approval." },
  {
    mode: "trusted",
    name: "Trusted",
    says: "Runs everything as you, without a sandbox and without asking; only in a container or virtual machine, or where the server was told so.",
  },
];

export const modeName = (mode: Mode): string =>
  modeChoices.find((choice) => choice.mode === mode)?.name ?? mode;
