/** The task of the sessions in the fault tests: reads, an edit and a patch that ask first, and a command. */

import type { Prompt } from "../../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../../src/providers/scripted-model.ts";

const patched = { "b.txt": "bee\n", "c.txt": "sea\n", "d.txt": "dee\n" };
/** Long enough to be trimmed. */
const long = "A line of the long file that is read first.\n".repeat(200);
export const files: Readonly<Record<string, string>> = { "a.txt": "one\n", ...patched, "long.txt": long };

const patch = Object.entries(patched)
  .map(([name, text]) => `--- a/${name}\n+++ b/${name}\n@@ -1 +1,2 @@\n ${text}+more\n`)
  .join("");

/** Repeating one of the last three would show: a duplicate line, or a second line in the log. */
const looks: ScriptedAnswer = [
  { think: "First I look." },
  { say: "I read both files, and then I go on." },
  { call: "read_file", with: { path: "a.txt" } },
  { call: "read_file", with: { path: "long.txt" } },
];
const edits = { call: "edit_file", with: { path: "a.txt", old: "one\n", new: "one\ntwo\n" } };
const patches = { call: "apply_patch", with: { patch } };
const runs = { call: "run_command", with: { command: "echo begins; sleep 0.1; echo x >>log.txt" } };

const summary = "The files were read, changed and checked.";

/** Like a careful model, it makes only calls that have no result yet, and repeats none. */
export const taskModel = () => scriptedModel((prompt) => nextAnswer(prompt));

function nextAnswer({ messages, tools }: Prompt): ScriptedAnswer {
  if (tools.length === 0) return [{ say: summary }];
  const isShort = JSON.stringify(messages).includes(summary);
  const over = new Set(messages.flatMap((message) => (message.role === "tool" ? [message.name] : [])));
  if (isShort || over.has(runs.call)) return [{ say: "All is done." }];
  if (!over.has("read_file")) return looks;
  const changes = [edits, patches].filter(({ call }) => !over.has(call));
  return changes.length > 0 ? [{ say: "Now the changes." }, ...changes] : [{ say: "And a command." }, runs];
}
