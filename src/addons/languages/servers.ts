/** Entry point for everything about language servers that is loaded on demand. */

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
  const languages = Languages.open(context, servers, waits);
  if (!languages.ok) throw new Error(languages.problem);
  return languages.value;
}
