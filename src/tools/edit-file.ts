/** The tool that replaces passages of a file and leaves every other byte unchanged. */

import * as z from "zod/mini";
import { type Expected, refuse } from "../base/expected.ts";
import { fileImage } from "../base/safe-fs/image.ts";
import { textField } from "./arguments/shape.ts";
import type { Replacement } from "./edit/replace.ts";
import { fileToWrite, pathAliases } from "./files/place.ts";
import { similarFiles } from "./files/similar-files.ts";
import { defineTool, failedResult, ok } from "./tool.ts";

export const editFile = defineTool({
  name: "edit_file",
  aliases: ["edit", "str_replace", "replace_in_file", "multi_edit"],
  argumentAliases: {
    path: pathAliases,
    old: ["oldString", "old_string", "old_str", "oldText", "search"],
    new: ["newString", "new_string", "new_str", "newText", "replace"],
    all: ["replaceAll", "replace_all"],
  },
  summary:
    "Replace a passage of a text file. It must be unique in it, unless `all` are to be replaced. `edits`: several, one after the other, all made or none.",
  does: "change",
  basic: ["path", "old", "new"],
  whenTooLong: "several edits, each of a short passage",
  input: () => ({
    path: z.string(),
    old: z.optional(textField("Copied exactly from the file, without line numbers")),
    new: z.optional(z.string()),
    all: z.optional(z.boolean()),
    edits: z.optional(
      z.array(z.strictObject({ old: z.string(), new: z.string(), all: z.optional(z.boolean()) })),
    ),
  }),
  title: ({ path }) => `Edit ${path}`,
  paths: ({ path }) => [path],
  async run({ path, ...asked }, context) {
    const edits = editsOf(asked);
    if (!edits.ok) return failedResult(edits.problem);
    const file = await fileToWrite(context, path);
    if (!file.ok) return failedResult(file.problem);
    const { relative, image } = file.value;
    const { editFileBytes } = await import("./edit/edits.ts"); // large, and useless to sessions that only read
    const edited = editFileBytes(file.value, edits.value);
    if (!edited.ok && image === null)
      return failedResult(`${edited.problem}${await similarFiles(relative, context)}`);
    if (!edited.ok) return failedResult(edited.problem);
    const { bytes, done } = edited.value;
    return { ...ok(done), changes: [{ path: relative, before: image, after: fileImage(bytes) }] };
  },
});

type EditInput = {
  old?: string | undefined;
  new?: string | undefined;
  all?: boolean | undefined;
  edits?: readonly { old: string; new: string; all?: boolean | undefined }[] | undefined;
};

/** Accepts either form. Empty fields next to a full list of edits are taken as mere filler. */
function editsOf({ old, new: fresh, all = false, edits = [] }: EditInput): Expected<Replacement[]> {
  const hasSingle = (old ?? "") !== "" || (fresh ?? "") !== "";
  if (edits.length > 0 && hasSingle)
    return refuse("Give either `old` and `new`, or `edits`, not both. Nothing was changed.");
  if (edits.length > 0) return { ok: true, value: edits.map((edit) => ({ ...edit, all: edit.all ?? all })) };
  if (old === undefined || fresh === undefined)
    return refuse(
      `${old === undefined ? "`old`" : "`new`"} is missing: give \`old\` and \`new\`, or a list of \`edits\`. Nothing was changed.`,
    );
  return { ok: true, value: [{ old, new: fresh, all }] };
}
