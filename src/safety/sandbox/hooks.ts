/** Reports repository hooks that a command in the git profile skipped, so that their authors can tell. */

import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { mib } from "../../base/bound.ts";
import { readSmallFile } from "../../base/safe-fs/small-file.ts";
import { isExecutable } from "../on-disk.ts";

/** Of a repository's settings, in bytes; a file that is none, such as a FIFO, counts as empty. */
const mostConfig = mib;

/** Which subcommands run which hooks (githooks(5)). */
const triggers: readonly { readonly verbs: RegExp; readonly hooks: readonly string[] }[] = [
  { verbs: /\bcommit\b/u, hooks: ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"] },
  { verbs: /\b(?:merge|pull)\b/u, hooks: ["pre-merge-commit", "post-merge"] },
  { verbs: /\brebase\b/u, hooks: ["pre-rebase", "post-rewrite"] },
  { verbs: /\bam\b/u, hooks: ["applypatch-msg", "pre-applypatch", "post-applypatch"] },
  { verbs: /\b(?:checkout|switch|clone)\b/u, hooks: ["post-checkout"] },
];

/** One line for the command's result, or none. `line` is the command as passed to the shell. */
export function unrunHooks(workspace: string, line: string): string[] {
  const wanted = triggers.filter(({ verbs }) => verbs.test(line)).flatMap(({ hooks }) => hooks);
  const passed = wanted.length === 0 ? [] : hooksIn(workspace).filter((name) => wanted.includes(name));
  if (passed.length === 0) return [];
  return [
    `The repository's hooks did not run (${passed.join(", ")}): in the sandbox git runs no program that the repository names. Run what they check by hand.`,
  ];
}

function hooksIn(workspace: string): string[] {
  const git = join(workspace, ".git");
  try {
    const config = readSmallFile(join(git, "config"), mostConfig);
    const text = config.ok ? Buffer.from(config.value ?? []).toString() : "";
    const configured = /^\s*hooksPath\s*=\s*"?([^"\n]+)"?\s*$/imu.exec(text)?.[1];
    const directory = configured === undefined ? join(git, "hooks") : resolve(workspace, configured.trim());
    return readdirSync(directory).filter((name) => isExecutable(join(directory, name)));
  } catch {
    return []; // not a repository root, or no hooks
  }
}
