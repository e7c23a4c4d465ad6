/** Two-step changes (B8): tools that show a change and store it under a token, and the tool that applies it. */

import * as z from "zod/mini";
import type { Expected } from "../base/expected.ts";
import type { JsonObject } from "../base/json.ts";
import { editFile } from "./edit-file.ts";
import { defineTool, failedResult, ok, type PreparedCall, type Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

export const previewWriteFile = staging(writeFile, {
  name: "preview_write_file",
  summary: "Show what writing a whole file would change, and keep that under a token. Nothing is written.",
});

export const previewEditFile = staging(editFile, {
  name: "preview_edit_file",
  summary: "Show what an edit would change, and keep that under a token. Nothing is written.",
});

export const applyFileChange = defineTool({
  name: "apply_file_change",
  argumentAliases: { token: ["previewToken", "preview_token", "changeToken"] },
  summary: "Make a staged change, by its token.",
  does: "change",
  onceStaged: true,
  input: () => ({ token: z.string() }),
  title: () => "Apply a staged change",
  token: ({ token }) => token.trim(),
  async run({ token }, context) {
    const staged = await context.staged(token.trim());
    if (!staged.ok) return failedResult(staged.problem);
    const paths = staged.value.map(({ path }) => path);
    const named =
      paths.length > 20 ? `${paths.slice(0, 20).join(", ")} and ${paths.length - 20} more` : paths.join(", ");
    return { ...ok(`Applied the staged change: ${named}.`), changes: staged.value };
  },
});

/** The result text for a staged change. */
export function stagedWords(token: string, diff: string): string {
  return `Nothing was changed yet: the change is staged. To make it, call ${applyFileChange.name} with the token ${token} within 10 minutes.\n\n${diff}`;
}

/** A variant of the tool that only shows its changes. */
function staging(tool: Tool, { name, summary }: { name: string; summary: string }): Tool {
  return {
    name,
    aliases: [],
    argumentAliases: tool.argumentAliases ?? {},
    summary,
    does: tool.does,
    modes: ["staged"],
    whenTooLong: tool.whenTooLong,
    get schema() {
      return tool.schema;
    },
    prepare(input: JsonObject): Expected<PreparedCall> {
      const prepared = tool.prepare(input);
      if (!prepared.ok) return prepared;
      return {
        ok: true,
        value: { ...prepared.value, title: `Preview: ${prepared.value.title}`, stages: true },
      };
    },
  };
}
