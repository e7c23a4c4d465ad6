/** The tool that renames a symbol everywhere, as a plan of changes like those of every other editing tool. */

import * as z from "zod/mini";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { AskLanguages } from "./language-tools.ts";
import { placeTitle, symbolAliases, symbolFields } from "./symbol-tools.ts";

export const renameSymbol = (ask: AskLanguages): Tool =>
  defineTool({
    name: "rename_symbol",
    argumentAliases: { ...symbolAliases, newName: ["new_name", "to", "new"] },
    summary: "Rename a symbol and all its uses, in all files.",
    does: "change",
    input: () => ({ ...symbolFields(), newName: z.string() }),
    title: ({ newName, ...place }) => `Rename ${placeTitle(place)} to ${newName}`,
    paths: ({ path }) => (path === undefined ? [] : [path]),
    run: (wanted, context) => ask(({ module, languages }) => module.planRename(languages, wanted, context)),
  });
