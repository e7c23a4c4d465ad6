/** Where the user's own configuration lies. */

import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

/** The directory of the user's `config.jsonc`. A relative XDG_CONFIG_HOME is ignored, as its specification says. */
export function configDirectory(env: NodeJS.ProcessEnv): string {
  const base = env["XDG_CONFIG_HOME"];
  return join(base && isAbsolute(base) ? base : join(env["HOME"] || homedir(), ".config"), "toolwright");
}
