/** Package managers: what they install, from which sources, and what they publish. */

import type { Program } from "../program.ts";
import { languagePackages } from "./packages-languages.ts";
import { nodePackages } from "./packages-node.ts";
import { pythonPackages } from "./packages-python.ts";
import { systemPackages } from "./packages-system.ts";

export const packages: readonly Program[] = [
  ...nodePackages,
  ...pythonPackages,
  ...languagePackages,
  ...systemPackages,
];
