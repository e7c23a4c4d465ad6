/** Measures the memory that a sandboxed command has taken: its processes' own, shared, and what its files in memory hold. */

import { lstatSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { fileText, linkTarget, namesIn, targetStatus } from "../on-disk.ts";

type MemoryUsage = { threads: number; bytes: number };

/**
 * What is quickly known, and never too little: pages that several processes share count for each of them. `temporary`:
 * where the command has private file systems in memory.
 */
export function roughUsage(root: string, pids: readonly string[], temporary: readonly string[]): MemoryUsage {
  const behind = total(behindDescriptors(root, pids).values());
  const usage = { threads: 0, bytes: inTemporary(root, temporary) + behind };
  for (const pid of pids) {
    const status = fileText(join(root, "proc", pid, "status"));
    usage.threads += numberIn(status, "Threads");
    usage.bytes += 1024 * (numberIn(status, "RssAnon") + numberIn(status, "RssShmem"));
  }
  return usage;
}

/** Memory behind descriptors (memfd_create), by file number: it counts whether or not it is mapped. */
function behindDescriptors(root: string, pids: readonly string[]): Map<string, number> {
  const files = new Map<string, number>();
  for (const pid of pids) {
    const directory = join(root, "proc", pid, "fd");
    for (const name of namesIn(directory)) {
      const descriptor = join(directory, name);
      const file = linkTarget(descriptor)?.startsWith("/memfd:") ? targetStatus(descriptor) : undefined;
      if (file) files.set(String(file.ino), file.blocks * 512);
    }
  }
  return files;
}

/** The exact figure, at a cost that grows with the memory: every page is divided among the processes that share it. */
export function exactBytes(root: string, pids: readonly string[], temporary: readonly string[]): number {
  const behind = behindDescriptors(root, pids);
  const own = pids.map((pid) => {
    const place = join(root, "proc", pid);
    return 1024 * numberIn(fileText(join(place, "smaps_rollup")), "Pss_Anon") + sharedIn(place, behind);
  });
  return total([...own, ...behind.values()]) + inTemporary(root, temporary);
}

/** Shared memory that only mappings hold: temporary files and what is behind descriptors is counted there. */
function sharedIn(place: string, behind: ReadonlyMap<string, number>): number {
  let bytes = 0;
  let counts = false;
  for (const line of fileText(join(place, "smaps")).split("\n")) {
    const [, file, name] = /^[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ (\d+) *(.*)$/.exec(line) ?? [];
    if (file !== undefined) counts = isUnnamed.test(name ?? "") && !behind.has(file);
    else if (counts && line.startsWith("Pss:")) bytes += 1024 * numberIn(line, "Pss");
  }
  return bytes;
}

const isUnnamed = /^\/(?:memfd:.*|dev\/zero|SYSV[0-9a-f]{8}) \(deleted\)$/;

/** statfs(2) */
const tmpfsType = 0x01021994;

/** A link in the sandbox would be followed outside of it. */
function inTemporary(root: string, places: readonly string[]): number {
  const used = new Map<number, number>();
  for (const place of places) {
    try {
      const path = join(root, place);
      const status = lstatSync(path);
      if (!status.isDirectory()) continue;
      const { type, bsize, blocks, bfree } = statfsSync(path);
      if (type === tmpfsType) used.set(status.dev, bsize * (blocks - bfree));
    } catch {
      // Not mounted, or the command has ended.
    }
  }
  return total(used.values());
}

const total = (amounts: Iterable<number>): number => [...amounts].reduce((sum, amount) => sum + amount, 0);

const numberIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
