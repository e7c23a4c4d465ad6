/** The task of the crash tests: reads, a command, an approved edit and a new file, over four answers. */

import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";

const answers: readonly ScriptedAnswer[] = [
  [
    { think: "First I look." },
    { say: "I read both files." },
    { call: "read_file", with: { path: "a.txt" } },
    { call: "read_file", with: { path: "b.txt" } },
  ],
  [
    { say: "Now the changes." },
    { call: "edit_file", with: { path: "a.txt", old: "one", new: "two" } },
    { call: "write_file", with: { path: "new/c.txt", content: "three\n" } },
  ],
  [
    { say: "And a check." },
    { call: "run_command", with: { command: "grep -q two a.txt && test -f new/c.txt" } },
  ],
  [{ say: "All is done." }],
];

/** After a crash the model continues after the complete answers in the log. */
export const crashModel = (from: number) =>
  scriptedModel((_prompt, round) => answers[Math.min(from + round - 1, answers.length - 1)] ?? []);
