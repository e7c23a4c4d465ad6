/** Makes sure of the home directory once, at the start: what is joined to a HOME that is no place would lie anywhere. */

import { homedir, userInfo } from "node:os";
import { isAbsolute } from "node:path";
import { type Expected, refuse } from "../base/expected.ts";

/**
 * Replaces a HOME that is empty or relative by the user's own home, also for the programs that are started, and returns
 * the words that tell it. Refuses if there is none.
 */
export function mendHome(env: NodeJS.ProcessEnv): Expected<string | undefined> {
  const home = env["HOME"];
  if (home !== undefined && isAbsolute(home)) return { ok: true, value: undefined };
  try {
    const own = home === undefined ? homedir() : userInfo().homedir;
    if (!isAbsolute(own)) return refuse(noHome);
    if (home === undefined) return { ok: true, value: undefined };
    env["HOME"] = own;
    const what = home === "" ? "HOME is empty" : `HOME is no absolute path (${home})`;
    return { ok: true, value: `${what}: ${own} is used as your home directory.` };
  } catch {
    return refuse(noHome); // a user whom the system does not know, as in some containers
  }
}

const noHome = "This user has no home directory: set HOME to an absolute path.";
