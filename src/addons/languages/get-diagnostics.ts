/** The tool that reports the diagnostics of one file or of the workspace. */

import * as z from "zod/mini";
import { pathAliases } from "../../tools/files/place.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { AskLanguages } from "./language-tools.ts";

export const getDiagnostics = (ask: AskLanguages): Tool =>
  defineTool({
    name: "get_diagnostics",
    aliases: ["diagnostics", "get_errors", "read_lints"],
    argumentAliases: { path: pathAliases },
    summary: "List the compiler's errors and warnings; new ones also come with each edit.",
    does: "read",
    input: () => ({ path: z.optional(z.string()) }),
    title: ({ path }) => (path === undefined ? "Check the workspace" : `Check ${path}`),
    paths: ({ path }) => [path ?? "."],
    run: ({ path }, context) =>
      ask(({ module, languages }) => module.reportProblems(languages, path, context)),
  });
