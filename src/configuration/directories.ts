/** Where the user's own configuration lies. */

import { isAbsolute, join } from "node:path";
import { homeDirectory } from "../base/paths.ts";

/** The directory of the user's `config.jsonc`. A relative XDG_CONFIG_HOME is ignored, as its specification says. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base && isAbsolute(base) ? base : join(homeDirectory(env), ".config"), "toolwright");
}
