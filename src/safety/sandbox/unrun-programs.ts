/** Reports hooks and filters that git skipped in the sandbox, so that their authors can tell. */

import { join, resolve } from "node:path";
import { isExecutable, namesIn } from "../on-disk.ts";
import { keysIn, plainValue } from "./git-configuration.ts";
import type { GitSetting } from "./git-programs.ts";
import { readPlain } from "./plain-repository.ts";
import type { CheckedRequest } from "./request.ts";

/** For the command's result. */
export function unrunPrograms(
  { profile, workspace, command }: CheckedRequest,
  settings: readonly GitSetting[],
): string[] {
  const line = command.at(-1) ?? "";
  return profile === "git" ? [...unrunHooks(workspace, line), ...unrunFilters(settings, line)] : [];
}

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
  const keys = keysIn(readPlain(join(git, "config")) ?? "");
  const configured = keys?.findLast(({ short }) => short === "core.hookspath")?.value;
  const directory =
    configured === undefined ? join(git, "hooks") : resolve(workspace, plainValue(configured));
  return namesIn(directory).filter((name) => isExecutable(join(directory, name)));
}

/** Git commands that write files or take them in. */
const filtering =
  /\b(?:add|am|apply|checkout|cherry-pick|commit|merge|pull|rebase|reset|restore|revert|stash|switch)\b/u;

/** One line for the command's result, or none. */
export function unrunFilters(settings: readonly GitSetting[], line: string): string[] {
  const names = settings.flatMap(([key]) => /^filter\.(.*)\.required$/.exec(key)?.[1] ?? []);
  if (names.length === 0 || !filtering.test(line)) return [];
  return [
    `The filters that this repository's own settings name did not run (${names.join(", ")}), so git refuses the files that they are for. A person may approve the command to run in the open.`,
  ];
}
