/** For end-to-end tests: replaces a directory by a disk that is nearly full or read-only. */

import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";

type SmallDisk = {
  /** Runs a program with the disk mounted; the program's command line is appended. */
  through: readonly string[];
  /** Receives a copy of the disk's final content. */
  after: string;
};

/**
 * A small disk in a mount namespace, seeded with the directory's content. Without namespaces, a limit on the size of
 * each file takes its place (and missing permissions that of a read-only disk).
 */
export async function smallDisk(
  directory: string,
  { kilobytes, readOnly = false }: { kilobytes: number; readOnly?: boolean },
): Promise<SmallDisk> {
  await mkdir(directory, { recursive: true });
  const after = await mkdtemp(join(dirname(directory), "after-"));
  onTestFinished(() => rm(after, { recursive: true, force: true }));
  const script = (await canMount()) ? mounted(kilobytes, readOnly) : limited(kilobytes, readOnly);
  return { through: [...script, "sh", directory, after], after };
}

const keep = 'code=$?; cp -R "$disk/." "$after"';
const names = "disk=$1; after=$2; shift 2;";

function mounted(kilobytes: number, readOnly: boolean): string[] {
  const lock = readOnly ? 'mount -o remount,bind,ro "$disk" &&' : "";
  const script = `${names} seed=$(mktemp -d) && cp -R "$disk/." "$seed" &&
    mount -t tmpfs -o size=${kilobytes}k,mode=755 tmpfs "$disk" && cp -R "$seed/." "$disk" && rm -r "$seed" && ${lock}
    cd "$(pwd)" && "$@"; ${keep}; exit $code`;
  return ["unshare", "-rm", "/bin/sh", "-c", script];
}

function limited(kilobytes: number, readOnly: boolean): string[] {
  const start = readOnly ? 'chmod -R a-w "$disk"' : `trap '' XFSZ; ulimit -f ${kilobytes * 2}`;
  const script = `${names} (${start}; "$@"); ${keep}; chmod -R u+w "$disk"; exit $code`;
  return ["/bin/sh", "-c", script];
}

const canMount = (): Promise<boolean> =>
  promisify(execFile)("unshare", ["-rm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).then(
    () => true,
    () => false,
  );
