/** The tools that find a symbol's definition or uses by name, without columns. */

import * as z from "zod/mini";
import { countField } from "../../tools/arguments/shape.ts";
import { pathAliases } from "../../tools/files/place.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { AskLanguages } from "./language-tools.ts";
import type { SymbolPlace } from "./symbols.ts";

export const symbolFields = () => ({
  symbol: z.string(),
  path: z.optional(z.string()),
  line: z.optional(countField()),
});

export const symbolAliases = { symbol: ["name", "symbolName", "identifier"], path: pathAliases };

export const placeTitle = ({ symbol, path, line }: SymbolPlace): string =>
  `${symbol}${path === undefined ? "" : ` in ${path}${line === undefined ? "" : `, line ${line}`}`}`;

export const findDefinition = (ask: AskLanguages): Tool =>
  defineTool({
    name: "find_definition",
    aliases: ["go_to_definition", "goto_definition"],
    argumentAliases: symbolAliases,
    summary: "Find where a symbol is defined.",
    does: "read",
    input: symbolFields,
    title: (place) => `Find the definition of ${placeTitle(place)}`,
    paths: ({ path }) => (path === undefined ? [] : [path]),
    run: (wanted, context) =>
      ask(({ module, languages }) => module.reportPlaces(languages, { kind: "definition", wanted }, context)),
  });

export const findReferences = (ask: AskLanguages): Tool =>
  defineTool({
    name: "find_references",
    aliases: ["find_usages"],
    argumentAliases: symbolAliases,
    summary: "Find all uses of a symbol.",
    does: "read",
    input: symbolFields,
    title: (place) => `Find the uses of ${placeTitle(place)}`,
    paths: ({ path }) => (path === undefined ? [] : [path]),
    run: (wanted, context) =>
      ask(({ module, languages }) => module.reportPlaces(languages, { kind: "references", wanted }, context)),
  });
