/** Finds a tool by the name that a model, or an author writing for models, uses. */

import { sendableName } from "../../protocol/history.ts";
import { looseName, resolveToolName } from "../../protocol/tool-name.ts";
import type { Tool } from "../tool.ts";

/** Matches by name or alias, as `resolveToolName` does. */
export function toolKnownAs(among: readonly Tool[], written: string): Tool | undefined {
  const exact =
    among.find((tool) => tool.name === written) ?? among.find((tool) => sendableName(tool.name) === written);
  if (exact) return exact;
  const known = among.flatMap(spellings);
  const name = resolveToolName(written, known);
  return name === undefined ? undefined : among.find((tool) => spellings(tool).includes(name));
}

/** The tool's names, without those that differ only in case and separators. */
function spellings({ name, aliases }: Tool): string[] {
  const byLooseName = new Map([...aliases, name].map((one) => [looseName(one), one]));
  return [...byLooseName.values()];
}
