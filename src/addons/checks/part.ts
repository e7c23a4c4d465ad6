/** Gives a session the `build` tool, listed for models only if the workspace has something to check. */

import type { AddonOpener } from "../part.ts";
import { build } from "./build.ts";
import { checksGlance } from "./find.ts";

export const openChecks: AddonOpener = ({ workspace }) => {
  const told = [build(workspace, { isTold: true })];
  const untold = [build(workspace, { isTold: false })];
  const mayHaveChecks = checksGlance(workspace);
  return { tools: () => (mayHaveChecks() ? told : untold) };
};
