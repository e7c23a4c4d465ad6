/** Entry point for everything about language servers that is loaded on demand. */

import type { AddonRoom } from "../part.ts";
import { Languages, type Waits } from "./languages.ts";
import type { KnownServer } from "./launches.ts";

export { reportPlaces } from "./places-of-symbols.ts";
export { planRename } from "./rename-plan.ts";
export { reportProblems } from "./report.ts";

export function openLanguages(room: AddonRoom, servers: readonly KnownServer[], waits?: Waits): Languages {
  const languages = Languages.open(room, servers, waits);
  if (!languages.ok) throw new Error(languages.problem);
  return languages.value;
}
