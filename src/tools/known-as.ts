/** Finds a tool by what a model, or whoever writes for models, calls it. */

import { sendableName } from "../protocol/history.ts";
import { looseName, resolveToolName } from "../protocol/tool-name.ts";
import type { Tool } from "./tool.ts";

/** By its name or an alias, as `resolveToolName` reads them. */
export function toolKnownAs(among: readonly Tool[], written: string): Tool | undefined {
  const exact =
    among.find((tool) => tool.name === written) ?? among.find((tool) => sendableName(tool.name) === written);
  if (exact) return exact;
  const known = among.flatMap(spellings);
  const name = resolveToolName(written, known);
  return name === undefined ? undefined : among.find((tool) => spellings(tool).includes(name));
}

/** Its names, without those that are the same but for case and separators. */
function spellings({ name, aliases }: Tool): string[] {
  const byLooseName = new Map([...aliases, name].map((one) => [looseName(one), one]));
  return [...byLooseName.values()];
}
