/** What try-outs found to work here, for the next start: while the system, our rights and the programs are the same. */

import { lstatSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod/mini";
import { randomHex, sha256 } from "../../base/crypto.ts";
import { attempt } from "../../base/expected.ts";
import { parseJson } from "../../base/json.ts";
import { ownIdentity } from "../../base/process-identity.ts";
import { makeDirectorySync } from "../../base/safe-fs/own-files.ts";
import { fileText, linkTarget, realPath } from "../on-disk.ts";

export type TryOutMemory = {
  /** What `keep` was given for the same trial; undefined if it has to be tried. */
  recall(trial: string): string | undefined;
  keep(trial: string, outcome: string): void;
  /** Removes everything; false if nothing of it was recalled, so that nothing can have been wrong. */
  forget(): boolean;
};

export const noTryOutMemory: TryOutMemory = { recall: () => undefined, keep: () => {}, forget: () => false };

/** `parts`: what else the outcomes depend on. A file that cannot be read or written costs new trials, nothing more. */
export function tryOutMemory(stateDir: string, programs: readonly string[], parts: string): TryOutMemory {
  const path = join(stateDir, "sandbox", "trials.json");
  const circumstances = sha256(
    Buffer.from([...surroundings(), ...programs.map(identityOf), parts].join("\0")),
  );
  let isRecalled = false;
  const outcomes = (): Record<string, string> => readOutcomes(path, circumstances);
  return {
    recall(trial) {
      const outcome = outcomes()[nameOf(trial)];
      isRecalled ||= outcome !== undefined;
      return outcome;
    },
    keep(trial, outcome) {
      const kept = Object.entries(outcomes()).slice(1 - mostOutcomes);
      const all = Object.fromEntries([...kept, [nameOf(trial), outcome]]);
      write(path, JSON.stringify({ circumstances, outcomes: all }));
    },
    forget() {
      const wasRecalled = isRecalled;
      isRecalled = false;
      if (wasRecalled) removeQuietly(path);
      return wasRecalled;
    },
  };
}

/** One for each workspace and set of covers. */
const mostOutcomes = 200;

const nameOf = (trial: string): string => sha256(Buffer.from(trial)).slice(0, 16);

/** This start of the system, the namespaces that we live in, our rights, and what limits namespaces. */
const surroundings = (): string[] => [
  ownIdentity().boot,
  ...["user", "mnt", "pid", "net"].map((space) => linkTarget(`/proc/self/ns/${space}`) ?? ""),
  fileText("/proc/self/status").replace(/^(?!(?:Uid|Gid|Cap\w+|NoNewPrivs|Seccomp\w*):).*\n/gmu, ""),
  fileText("/proc/self/attr/current"),
  ...[
    "kernel/unprivileged_userns_clone",
    "kernel/apparmor_restrict_unprivileged_userns",
    "user/max_user_namespaces",
    "user/max_mnt_namespaces",
    "user/max_net_namespaces",
    "user/max_pid_namespaces",
  ].map((name) => fileText(`/proc/sys/${name}`)),
];

function identityOf(program: string): string {
  const stats = lstatSync(realPath(program) ?? program, { bigint: true, throwIfNoEntry: false });
  return [program, stats?.dev, stats?.ino, stats?.size, stats?.mtimeNs, stats?.ctimeNs].join(" ");
}

function readOutcomes(path: string, circumstances: string): Record<string, string> {
  const json = parseJson(fileText(path));
  const kept = json.ok ? z.safeParse(keptOutcomes, json.value).data : undefined;
  return kept?.circumstances === circumstances ? kept.outcomes : {};
}

const keptOutcomes = z.object({ circumstances: z.string(), outcomes: z.record(z.string(), z.string()) });

function write(path: string, text: string): void {
  const fresh = `${path}.${randomHex(6)}`;
  try {
    makeDirectorySync(dirname(path), 0o700);
    writeFileSync(fresh, text, { mode: 0o600 });
    renameSync(fresh, path);
  } catch {
    removeQuietly(fresh);
  }
}

/** What stays is not read. */
const removeQuietly = (path: string): unknown => attempt(() => rmSync(path, { force: true }));
