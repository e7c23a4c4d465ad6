/** The options of one run: which session it works in, how long it may take, and what it may do. */

import { ofChanges, ofSessions, withPlace } from "./option-commands.ts";
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
    name: "fork",
    flag: "fork",
    type: { kind: "switch" },
    concerns: [],
    help: "With -p and --continue or --resume: go on in a copy of that session, which itself stays as it is.",
  },
  {
    name: "noSave",
    flag: "no-save",
    type: { kind: "switch" },
    concerns: [],
    help: "With -p: keep the session in memory only. Nothing of it can be continued or undone later.",
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
    help: "Allow this without asking, for this run (repeatable): the name of a tool, with what it is allowed for behind a colon if not everything ('run_command:npm test *', 'edit_file:docs/**', 'fetch_url:docs.example.org'), or a rule as in the configuration. What is denied anywhere stays denied.",
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
    name: "tools",
    flag: "tools",
    type: { kind: "text", placeholder: "NAMES" },
    default: "all",
    concerns: ["inspect", ...ofSessions],
    help: "The only tools that the model gets: names separated by commas, where `*` stands for anything (`read_file,mcp__docs__*`), or `none`. For `inspect` a file: a JSON list of `{name, schema}`, or in a provider's format.",
  },
  {
    name: "systemPromptFile",
    flag: "system-prompt-file",
    type: { kind: "text", placeholder: "FILE" },
    concerns: ofSessions,
    help: "Use the text of this file in place of Toolwright's own system prompt. Tools, modes and approvals stay as they are.",
  },
  {
    name: "appendSystemPromptFile",
    flag: "append-system-prompt-file",
    type: { kind: "text", placeholder: "FILE" },
    concerns: ofSessions,
    help: "Add the text of this file to the system prompt.",
  },
  {
    name: "configFile",
    flag: "config",
    type: { kind: "text", placeholder: "FILE" },
    concerns: withPlace,
    help: "Use this file in place of your own configuration file. The workspace's is read all the same.",
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
