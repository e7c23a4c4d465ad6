/** The modes in plain words, for people who choose one. */

import type { Mode } from "../protocol/facts.ts";

/** The first sentence says what decides, in a row of a menu. */
export const modeChoices: readonly { mode: Mode; name: string; says: string }[] = [
  {
    mode: "ask",
    name: "Ask",
    says: "Edits and anything risky wait for you. It reads, and runs commands in the sandbox; what unknown ones change waits, too.",
  },
  { mode: "accept-edits", name: "Accept edits", says: "Also edits files without asking." },
  { mode: "plan", name: "Plan", says: "Only reads, and proposes a plan." },
  {
    mode: "auto",
    name: "Auto",
    says: "Also runs sandboxed commands of medium risk. It asks about everything else.",
  },
  {
    mode: "staged",
    name: "Staged",
    says: "Only prepares changes. Each is applied when its token is sent back.",
  },
  { mode: "deny", name: "Deny", says: "Refuses everything that would need approval." },
  {
    mode: "trusted",
    name: "Trusted",
    says: "Runs everything as you: no sandbox, no questions. Only in a container or virtual machine, or where the server was told so.",
  },
];

export const modeName = (mode: Mode): string =>
  modeChoices.find((choice) => choice.mode === mode)?.name ?? mode;

/** The first of them. */
export const firstSentence = (sentences: string): string =>
  /^.*?\.(?= |$)/u.exec(sentences)?.[0] ?? sentences;
