/** The list of built-in tools, and lookup by the name a model uses. */

import { type Expected, refuse } from "../base/expected.ts";
import { applyPatch } from "./apply-patch.ts";
import { unknownTool } from "./arguments/call-problems.ts";
import { toolKnownAs } from "./arguments/known-as.ts";
import { askUser } from "./ask-user.ts";
import { delegate } from "./delegate.ts";
import { editFile } from "./edit-file.ts";
import { listFiles } from "./list-files.ts";
import { applyFileChange, previewEditFile, previewWriteFile } from "./preview.ts";
import { proposePlan } from "./propose-plan.ts";
import { readFile } from "./read-file.ts";
import { readResult } from "./read-result.ts";
import { runCommand } from "./run-command.ts";
import { searchWorkspace } from "./search-workspace.ts";
import { terminal } from "./terminal.ts";
import { todos } from "./todos.ts";
import type { Tool } from "./tool.ts";
import { writeFile } from "./write-file.ts";

/** All built-in tools. @public */
export const tools: readonly Tool[] = [
  readFile,
  listFiles,
  searchWorkspace,
  writeFile,
  editFile,
  applyPatch,
  runCommand,
  terminal,
  readResult,
  askUser,
  todos,
  delegate,
  proposePlan,
  applyFileChange,
  previewWriteFile,
  previewEditFile,
];

/** Finds a tool by name or alias, matched as `resolveToolName` does. */
export function findTool(among: readonly Tool[], name: string): Expected<Tool> {
  const found = toolKnownAs(among, name);
  if (found) return { ok: true, value: found };
  return refuse(
    unknownTool(
      name,
      among.map((tool) => tool.name),
    ),
  );
}
