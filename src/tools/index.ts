/** All tools of our own, and finding one by what a model calls it. */
import type { Parsed } from "../base/json.ts";
import { sendableName } from "../protocol/history.ts";
import { looseName, resolveToolName } from "../protocol/tool-name.ts";
import { applyPatch } from "./apply-patch.ts";
import { askUser } from "./ask-user.ts";
import { unknownTool } from "./call-problems.ts";
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
  proposePlan,
  applyFileChange,
  previewWriteFile,
  previewEditFile,
];

/** By name or alias, as `resolveToolName` reads them. */
export function findTool(among: readonly Tool[], name: string): Parsed<Tool> {
  const found =
    among.find((tool) => tool.name === name) ??
    among.find((tool) => sendableName(tool.name) === name) ??
    toolKnownAs(among, name);
  if (found) return { ok: true, value: found };
  return {
    ok: false,
    problem: unknownTool(
      name,
      among.map((tool) => tool.name),
    ),
  };
}

function toolKnownAs(among: readonly Tool[], written: string): Tool | undefined {
  const known = among.flatMap(spellings);
  const name = resolveToolName(written, known);
  return name === undefined ? undefined : among.find((tool) => spellings(tool).includes(name));
}

/** Its names, without those that are the same but for case and separators. */
function spellings({ name, aliases }: Tool): string[] {
  const byLooseName = new Map([...aliases, name].map((one) => [looseName(one), one]));
  return [...byLooseName.values()];
}
