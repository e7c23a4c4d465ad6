/** The options of one run: which session it works in, how long it may take, and what it may do. */

import { ofChanges, ofSessions } from "./option-commands.ts";
import { type Option, sessionIdForm } from "./option-values.ts";

export const runOptions: readonly Option[] = [
  {
    name: "sessionId",
    flag: "session-id",
    group: "sessions",
    type: {
      kind: "text",
      placeholder: "ID",
      form: { pattern: sessionIdForm, words: "3 to 64 letters, digits, - and _" },
    },
    concerns: [],
    help: "Work in the session with this id, which you choose: it is started if there is none yet, and continued if there is. 3 to 64 letters, digits, `-` and `_`.",
  },
  {
    name: "timeout",
    flag: "timeout",
    type: { kind: "duration", to: 24 * 3_600_000 },
    default: "none",
    concerns: [],
    help: "With -p: the longest that the run may take, such as 90s, 15m or 2h. Then an answer that hangs is cut off, running commands are killed, and the exit code is 4.",
  },
  {
    name: "allow",
    flag: "allow",
    group: "safety",
    type: { kind: "text", placeholder: "RULE" },
    repeats: true,
    concerns: ["explain", ...ofSessions],
    help: 'Allow this without asking, for this run (repeatable): a rule as in the configuration, such as \'{"tool": "run_command", "command": "npm test *"}\', or the name of a tool. What is denied anywhere stays denied.',
  },
  {
    name: "deny",
    flag: "deny",
    group: "safety",
    type: { kind: "text", placeholder: "RULE" },
    repeats: true,
    concerns: ["explain", ...ofSessions],
    help: "Deny this for this run (repeatable), written as for --allow. It wins over every --allow.",
  },
  {
    name: "knowing",
    flag: "i-know-this-can-change-anything",
    group: "safety",
    type: { kind: "switch" },
    concerns: ofSessions,
    help: "Let the mode `trusted` start outside a container or virtual machine, too.",
  },
  {
    name: "takeOver",
    flag: "take-over",
    group: "sessions",
    type: { kind: "switch" },
    concerns: ofChanges,
    help: "Take the session over from another running program that hangs. That program can no longer write to it.",
  },
];
