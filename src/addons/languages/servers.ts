/** Entry point for everything about language servers that is loaded on demand. */

import { openTree } from "../../base/safe-fs/open-tree.ts";
import type { AddonContext } from "../part.ts";
import { Languages, type Waits } from "./languages.ts";
import type { KnownLanguageServer } from "./launches.ts";

export { symbolsNamed } from "./named-symbols.ts";
export { reportPlaces } from "./places-of-symbols.ts";
export { planRename } from "./rename-plan.ts";
export { reportProblems } from "./report.ts";

export function openLanguages(
  context: AddonContext,
  servers: readonly KnownLanguageServer[],
  waits?: Waits,
): Languages {
  const files = openTree(context.workspace);
  if (!files.ok) throw new Error(files.problem);
  return new Languages(context, servers, { files: files.value, waits });
}
