/** The tools about symbols: where they are defined and used, and what renaming one would change. */

import { createTwoFilesPatch } from "diff";
import * as z from "zod/mini";
import type { Expected } from "../../../../../src/base/expected.ts";
import type { RenamedFile, SymbolUse } from "./editor-powers.ts";
import { defineEditorTool, type EditorTool, type EditorToolAnswer, failed, said } from "./editor-tool.ts";

const symbol = {
  symbol: z.string(),
  path: z.optional(z.string().check(z.describe("A file in which it stands"))),
  line: z.optional(z.int().check(z.minimum(1))),
};

const definition = defineEditorTool({
  name: "definition",
  title: "Find a definition",
  description: "Where a symbol is defined, as the editor's language support knows it.",
  does: "read",
  input: z.object(symbol),
  run: async (of, { powers }) => usesWords(await powers.definition(of)),
});

const references = defineEditorTool({
  name: "references",
  title: "Find references",
  description: "All uses of a symbol, as the editor's language support knows them.",
  does: "read",
  input: z.object(symbol),
  run: async (of, { powers }) => usesWords(await powers.references(of)),
});

const planRename = defineEditorTool({
  name: "plan_rename",
  title: "Plan a rename",
  description:
    "What renaming a symbol everywhere would change, as a patch for apply_patch. Nothing is changed by this.",
  does: "read",
  input: z.object({ ...symbol, newName: z.string() }),
  async run({ newName, ...of }, { powers }) {
    const planned = await powers.planRename(of, newName);
    if (!planned.ok) return failed(planned.problem);
    if (planned.value.length === 0) return failed(`Renaming ${of.symbol} would change nothing.`);
    return said(planned.value.map(patchOf).join(""));
  },
});

export const symbolTools: readonly EditorTool[] = [definition, references, planRename];

/** Places told at a time. */
const mostTold = 100;

function usesWords(found: Expected<readonly SymbolUse[]>): EditorToolAnswer {
  if (!found.ok) return failed(found.problem);
  if (found.value.length === 0) return said("The editor knows of none.");
  const lines = found.value
    .slice(0, mostTold)
    .map(({ path, line, text }) => `${path}:${line} ${text.trim()}`);
  const left = found.value.length - lines.length;
  return said([...lines, ...(left > 0 ? [`and ${left} more`] : [])].join("\n"));
}

const patchOf = ({ path, before, after }: RenamedFile): string =>
  createTwoFilesPatch(`a/${path}`, `b/${path}`, before, after, undefined, undefined, { context: 2 }).replace(
    /^=+\n/u,
    "",
  );
