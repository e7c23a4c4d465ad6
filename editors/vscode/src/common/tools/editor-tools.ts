/** The editor's tools, each once: their names, what they say of themselves, and what they do. */

import * as z from "zod/mini";
import { defineEditorTool, type EditorTool, failed, said } from "./editor-tool.ts";
import { problemLines } from "./problem-news.ts";
import { problemTools } from "./problem-tools.ts";
import { symbolTools } from "./symbol-tools.ts";
import { runInMyTerminal } from "./terminal-tool.ts";

const selection = defineEditorTool({
  name: "selection",
  title: "Read the selection",
  description: "The file and lines that the user has selected in the editor, or where the cursor stands.",
  does: "read",
  input: z.object({}),
  async run(_, { powers }) {
    const at = powers.selection();
    if (!at) return said("No file is open in the editor.");
    const place = at.from === at.to ? `line ${at.from}` : `lines ${at.from}–${at.to}`;
    return said(
      at.text === ""
        ? `Nothing is selected; the cursor is in ${at.path}, ${place}.`
        : `${at.path}, ${place}:\n${at.text}`,
    );
  },
});

const openEditors = defineEditorTool({
  name: "open_editors",
  title: "List open editors",
  description: "The files that the user has open, which are on screen, and which have unsaved changes.",
  does: "read",
  input: z.object({}),
  async run(_, { powers }) {
    const open = powers.openEditors();
    const lines = open.map(
      ({ path, standing, isUnsaved }) => `${path} (${standing}${isUnsaved ? ", unsaved" : ""})`,
    );
    return said(lines.length === 0 ? "No file is open in the editor." : lines.join("\n"));
  },
});

const runTask = defineEditorTool({
  name: "run_task",
  title: "Run a task of the editor",
  description:
    "Run one of the project's tasks as the editor defines it (tasks.json, npm scripts, …); without a name, list them. Says the exit code and the problems that it found.",
  does: "execute",
  input: z.object({ name: z.optional(z.string()) }),
  async run({ name }, { powers, signal }) {
    const names = await powers.taskNames();
    if (name === undefined) return said(names.length === 0 ? "There are no tasks." : names.join("\n"));
    const ended = await powers.runTask(name, signal);
    if (!ended.ok) return failed(ended.problem);
    const { code, problems } = ended.value;
    const lines = [`${name} ended${code === undefined ? "" : ` with exit code ${code}`}.`];
    const text = [...lines, ...problemLines(problems)].join("\n");
    return (code ?? 0) === 0 ? said(text) : failed(text);
  },
});

const showDiff = defineEditorTool({
  name: "show_diff",
  title: "Show a diff in the editor",
  description: "Show the user a file beside a text that you propose for it. Nothing is changed.",
  does: "read",
  input: z.object({ path: z.string(), proposed: z.string(), title: z.optional(z.string()) }),
  async run({ path, proposed, title }, { powers }) {
    const shown = await powers.showDiff(path, proposed, title ?? `${path}: proposed`);
    return shown.ok ? said(`The user sees the diff of ${path}.`) : failed(shown.problem);
  },
});

export const editorTools: readonly EditorTool[] = [
  ...problemTools,
  selection,
  openEditors,
  ...symbolTools,
  runTask,
  runInMyTerminal,
  showDiff,
];
