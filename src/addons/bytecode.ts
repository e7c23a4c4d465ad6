/** Where Python keeps compiled code of trusted programs: not in the workspace, where a command could write it. */

import { join } from "node:path";

/** Variables of every hook and tool server; they win over others. Commands in the sandbox do not see the directory. */
export const ownBytecode = (stateDir: string): Readonly<Record<string, string>> => ({
  PYTHONPYCACHEPREFIX: join(stateDir, "bytecode"),
});
