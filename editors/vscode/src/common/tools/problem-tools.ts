/** The tools about the editor's problems: asked for by the model, and by the core around each change. */

import * as z from "zod/mini";
import { defineEditorTool, type EditorTool, said } from "./editor-tool.ts";
import { problemLines } from "./problem-news.ts";

const problems = defineEditorTool({
  name: "problems",
  title: "Read the editor's problems",
  description:
    "The errors and warnings that the editor shows, of these files as they are on disk now, or of all files that it has checked.",
  does: "read",
  input: z.object({ paths: z.optional(z.array(z.string())) }),
  async run({ paths = [] }, { powers, signal }) {
    const { isSettled } = await powers.examine(paths, signal);
    const known = powers.problems();
    const wanted = paths.length === 0 ? known : known.filter(({ path }) => paths.includes(path));
    const lines = problemLines(wanted);
    const late = isSettled ? [] : ["The editor is still checking: there may be more."];
    return said([...(lines.length === 0 ? ["The editor shows no problems."] : lines), ...late].join("\n"));
  },
});

/** `change` names one change: the same at its beginning and at its end. */
const change = z.object({
  change: z.string(),
  paths: z.array(z.string()),
  seen: z.optional(z.array(z.string())),
});

const beforeChange = defineEditorTool({
  name: "before_change",
  title: "Note the problems before a change",
  description: "Called before files are changed: notes which problems they have.",
  does: "read",
  point: "before-change",
  input: change,
  async run(begun, { watch, signal }) {
    await watch.begin(begun, signal);
    return said("");
  },
});

const afterChange = defineEditorTool({
  name: "after_change",
  title: "Tell the problems that a change made",
  description: "Called when files were changed: says which problems are new.",
  does: "read",
  point: "after-change",
  input: change,
  async run(ended, { watch, signal }) {
    const { words, checked } = await watch.end(ended, signal);
    return { ...said(words), checked };
  },
});

export const problemTools: readonly EditorTool[] = [problems, beforeChange, afterChange];
