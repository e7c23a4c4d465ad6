/** Package managers: what they install, from where, and what they publish. */

import { languagePackages } from "./packages-languages.ts";
import { nodePackages } from "./packages-node.ts";
import { pythonPackages } from "./packages-python.ts";
import { systemPackages } from "./packages-system.ts";
import type { Program } from "./program.ts";

export const packages: readonly Program[] = [
  ...nodePackages,
  ...pythonPackages,
  ...languagePackages,
  ...systemPackages,
];
