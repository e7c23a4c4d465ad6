/** The tool that reports the diagnostics of one file or of the workspace. */

import * as z from "zod/mini";
import { pathAliases } from "../../tools/files/place.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { LanguageTools } from "./language-tools.ts";

export const getDiagnostics = (work: LanguageTools): Tool =>
  defineTool({
    name: "get_diagnostics",
    aliases: ["diagnostics", "get_errors", "read_lints"],
    argumentAliases: { path: pathAliases },
    summary: "List the compiler's errors and warnings; new ones also come with each edit.",
    does: "read",
    input: () => ({ path: z.optional(z.string()) }),
    title: ({ path }) => (path === undefined ? "Check the workspace" : `Check ${path}`),
    paths: ({ path }) => [path ?? "."],
    run: ({ path }, context) => work.problems(path, context),
  });
