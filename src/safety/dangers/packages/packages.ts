/** Package managers: what they install, from which sources, and what they publish. */

import type { Program } from "../program.ts";
import { nodePackages } from "./packages-node.ts";

export const packages: readonly Program[] = [...nodePackages];
