/** Programs that build, test, check and document a project: they run workspace-defined code. */

import type { Program } from "../program.ts";
import { documentTools } from "./builds-documents.ts";
import { javascriptTools } from "./builds-javascript.ts";
import { languageTools } from "./builds-languages.ts";
import { otherTools } from "./builds-others.ts";
import { buildSystems } from "./builds-systems.ts";
import { compilers } from "./compilers.ts";

export const builds: readonly Program[] = [
  ...buildSystems,
  ...javascriptTools,
  ...languageTools,
  ...documentTools,
  ...otherTools,
  ...compilers,
];
