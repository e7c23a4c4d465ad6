/** Supplies a command on its own terminal with private files in place of the descriptors that other commands read. */

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { randomHex } from "../../base/crypto.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { removeTreeSoon } from "../../base/safe-fs/remove-tree.ts";
import type { SandboxMount } from "./mounts.ts";
import { ownDirectory } from "./runs.ts";

export type PrivateFiles = {
  /** The mounts, with their inline texts replaced by files. */
  mounts(mounts: readonly SandboxMount[]): SandboxMount[];
  /** The command, with the remaining feeds on descriptors 3, 4 and so on. */
  fed(command: readonly string[], feeds: readonly Uint8Array[]): string[];
  remove(): Promise<void>;
};

/** A terminal passes on no descriptors, and /bin/sh opens none above 9, so texts become mounts of files. */
export function privateFiles(stateDir: string): PrivateFiles {
  const directory = join(ownDirectory(stateDir), `terminal-${randomHex(6)}`);
  let count = 0;
  const file = (bytes: Uint8Array): string => {
    makeDirectorySync(directory, 0o700);
    const path = join(directory, String(count++));
    writeFileSync(path, bytes, { mode: 0o600 });
    return path;
  };
  return {
    mounts: (mounts) =>
      mounts.map((mount) =>
        mount.kind === "text"
          ? { kind: "readable", path: mount.path, from: file(Buffer.from(mount.text)) }
          : mount,
      ),
    fed(command, feeds) {
      if (feeds.length === 0) return [...command];
      const opened = feeds.map((_, at) => `${at + 3}<"$${at + 1}"`).join(" ");
      const script = `exec ${opened} && shift ${feeds.length} && exec "$@"`;
      return ["/bin/sh", "-c", script, "sh", ...feeds.map(file), ...command];
    },
    remove: () => removeTreeSoon(directory),
  };
}
