/** The tool that reports the diagnostics of one file or of the workspace. */

import * as z from "zod/mini";
import { textField } from "../../tools/arguments/shape.ts";
import { pathAliases } from "../../tools/files/place.ts";
import { defineTool, type Tool } from "../../tools/tool.ts";
import type { LanguageTools } from "./language-tools.ts";

export const getDiagnostics = (work: LanguageTools): Tool =>
  defineTool({
    name: "get_diagnostics",
    aliases: ["diagnostics", "get_errors", "read_lints"],
    argumentAliases: { path: pathAliases },
    summary: "List the compiler's errors and warnings. New ones also come with each edit.",
    does: "read",
    input: () => ({ path: z.optional(textField("File or directory; all by default")) }),
    title: ({ path }) => (path === undefined ? "Check the workspace" : `Check ${path}`),
    paths: ({ path }) => [path ?? "."],
    run: ({ path }, context) => work.problems(path, context),
  });
