/** The checks of a project for a session: a model is told of them where there is something to check. */

import type { OpenPart } from "../part.ts";
import { build } from "./build.ts";
import { checksGlance } from "./find.ts";

export const openChecks: OpenPart = ({ workspace }) => {
  const told = [build(workspace, { isTold: true })];
  const untold = [build(workspace, { isTold: false })];
  const mayHaveChecks = checksGlance(workspace);
  return { tools: () => (mayHaveChecks() ? told : untold) };
};
