/**
 * `git config`: persistent settings, in the old form (`--get`, `--unset`, bare words) and the new (`get`, `set`,
 * `unset`).
 */

import { isUnknown, literal, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import type { Use } from "../program.ts";
import { isGraveSection, settingEffects } from "./settings.ts";
import { wide } from "./subcommand.ts";

const reading = ["get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"];
const newForm = ["list", "get", "set", "unset", "rename-section", "remove-section", "edit"];

/** The action and its words, in either form. */
function taskOf({ operands, has }: Use): { task: string; words: readonly Word[] } {
  const [first, ...rest] = operands;
  if (first && newForm.includes(first.text)) return { task: first.text, words: rest };
  if (has(...reading)) return { task: "get", words: operands };
  for (const task of ["unset", "unset-all", "rename-section", "remove-section"])
    if (has(task)) return { task, words: operands };
  if (has("e", "edit") || operands.length === 0) return { task: "edit", words: [] };
  const isSetting =
    operands.length > 1 || has("add", "replace-all") || (first && isUnknown(first) && first.mayBeSeveral);
  return { task: isSetting ? "set" : "get", words: operands };
}

function* config(use: Use): Iterable<Effect> {
  const { task, words } = taskOf(use);
  const file = use.value("f", "file");
  const isReading = ["get", "list"].includes(task);
  if (file) yield isReading ? { type: "reads", path: file } : { type: "writes", path: file, how: "edits" };
  if (isReading) {
    yield* looks(words, use);
    return;
  }
  if (use.has("system")) yield danger("high", "it changes the git settings of every user of this machine");
  else if (use.has("global")) yield danger("medium", "it changes your git settings for all repositories");
  if (task === "set") yield* sets(words);
  if (task === "rename-section") yield* renames(words);
}

function sets([key, value]: readonly Word[]): Iterable<Effect> {
  return key ? settingEffects({ key, value: value ?? literal("true"), lasting: "kept" }) : [];
}

/** Renaming a section can turn settings that git ignored into ones that it obeys. */
function* renames([, target]: readonly Word[]): Iterable<Effect> {
  if (target && (isUnknown(target) || isGraveSection(target.text)))
    yield danger("critical", "it turns settings into ones that can run commands from now on");
}

const secret = /extraheader|passw|secret|token|smtppass|imap\.pass|cookie/iu;

function* looks(words: readonly Word[], { has }: Use): Iterable<Effect> {
  if (has("name-only") || !words.some(({ text }) => secret.test(text))) return;
  yield danger("high", "it prints a password or key out of git's settings");
  yield { type: "prints", flows: ["secret"] };
}

export const configSubcommand = wide("config", config, {
  isLocal: (use) => ["get", "list"].includes(taskOf(use).task) && !use.has("f", "file", "blob"),
  options: {
    short: "ft",
    long: ["file", "blob", "type", "default", "comment", "value", "url"],
    known:
      namesIn(`global system local worktree add edit replace-all name-only show-origin show-scope get get-all
      get-regexp get-urlmatch get-color get-colorbool list null all regexp unset unset-all rename-section
      remove-section bool int bool-or-int path expiry-date fixed-value includes append`),
  },
});
