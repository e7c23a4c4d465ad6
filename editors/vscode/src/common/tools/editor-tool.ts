/** What a tool of the editor is: its schema, and its work over the editor's powers. */

import * as z from "zod/mini";
import type { ChangeWatch } from "./change-watch.ts";
import type { EditorPowers } from "./editor-powers.ts";

type EditorToolContext = { powers: EditorPowers; watch: ChangeWatch; signal: AbortSignal };

/** Words for the model, and for the core the files that need no other check. */
export type EditorToolAnswer = { ok: boolean; text: string; checked?: readonly string[] };

/** Called by the core around each change instead of by the model. */
type ChangePoint = "before-change" | "after-change";

type EditorToolLooks = {
  name: string;
  title: string;
  description: string;
  /** Whether it can be called without a question. */
  does: "read" | "execute";
  point?: ChangePoint;
  /** Why the user is asked about each call, whatever they allow otherwise. */
  askedEachTime?: string;
};

export type EditorTool = EditorToolLooks & {
  schema: Record<string, unknown>;
  /** Input that does not fit the schema is a failed answer. */
  run(input: unknown, context: EditorToolContext): Promise<EditorToolAnswer>;
};

export function defineEditorTool<Input extends z.ZodMiniType>(
  definition: EditorToolLooks & {
    input: Input;
    run: (input: z.output<Input>, context: EditorToolContext) => Promise<EditorToolAnswer>;
  },
): EditorTool {
  const { input, run, ...looks } = definition;
  return {
    ...looks,
    schema: z.toJSONSchema(input, { io: "input" }),
    async run(given, context) {
      const read = input.safeParse(given);
      if (read.success) return run(read.data, context);
      const [issue] = read.error.issues;
      const where = issue?.path.join(".") ?? "";
      return failed(`The arguments do not fit${where === "" ? "" : ` at ${where}`}: ${issue?.message ?? ""}`);
    },
  };
}

export const said = (text: string): EditorToolAnswer => ({ ok: true, text });
export const failed = (text: string): EditorToolAnswer => ({ ok: false, text });
