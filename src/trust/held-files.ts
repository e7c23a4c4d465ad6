/** What commands may not change: the files that anything trusted, in any workspace, runs outside the sandbox. */

import { join } from "node:path";
import { namesIn } from "../safety/on-disk.ts";
import { agreedAt, trustDirectory } from "./approvals-file.ts";

/** Absolute; a directory that counts as a whole ends in "/". Read anew each time: other programs approve, too. */
export function heldByTrust(stateDir: string): string[] {
  const directory = trustDirectory(stateDir);
  const files = namesIn(directory).filter((name) => /^[0-9a-f]+\.json$/u.test(name));
  return [
    ...new Set(
      files.flatMap((name) => {
        const { workspace, agreed } = agreedAt(join(directory, name));
        if (workspace === undefined) return [];
        return agreed.flatMap(({ held = [] }) => held.map((path) => `${workspace}/${path}`));
      }),
    ),
  ];
}
