/** The workspace of a server, for sessions that name none; created if missing. */

import { realpath } from "node:fs/promises";
import { type Expected, errorMessage, refuse } from "../../base/expected.ts";
import { makeDirectory } from "../../base/safe-fs/own-files.ts";

/** The absolute path, with links resolved. */
export async function workspaceAt(path: string): Promise<Expected<string>> {
  try {
    await makeDirectory(path);
    return { ok: true, value: await realpath(path) };
  } catch (error) {
    const why = errorMessage(error);
    return refuse(`The workspace cannot be used (${why}): choose another one with --cwd.`);
  }
}
