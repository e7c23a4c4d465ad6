/** `git config`: settings that stay, in the old form (`--get`, bare words) and the new (`get`, `set`, `unset`). */

import { isUnknown, literal, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { isGraveSection, settingEffects } from "./settings.ts";

/** The action and its words, in either form. */
function taskOf({ operands, has }: Use): { task: string; words: readonly Word[] } {
  const [first, ...rest] = operands;
  if (first && /^(?:list|get|set|unset|rename-section|remove-section|edit)$/u.test(first.text))
    return { task: first.text, words: rest };
  if (has("get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"))
    return { task: "get", words: operands };
  for (const task of ["unset", "unset-all", "rename-section", "remove-section"])
    if (has(task)) return { task, words: operands };
  if (has("e", "edit") || operands.length === 0) return { task: "edit", words: [] };
  const isSetting =
    operands.length > 1 || has("add", "replace-all") || (first && isUnknown(first) && first.mayBeSeveral);
  return { task: isSetting ? "set" : "get", words: operands };
}

export const isAsking = (use: Use): boolean => ["get", "list"].includes(taskOf(use).task);

const secret = /extraheader|passw|secret|token|smtppass|imap\.pass|cookie/iu;

export function* settings(use: Use): Iterable<Effect> {
  const { task, words } = taskOf(use);
  const file = use.value("f", "file");
  if (file)
    yield isAsking(use) ? { type: "reads", path: file } : { type: "writes", path: file, how: "edits" };
  if (isAsking(use)) {
    if (!use.has("name-only") && words.some(({ text }) => secret.test(text)))
      yield* [
        danger("high", "it prints a password or key out of git's settings"),
        { type: "prints", flows: ["secret"] } as const,
      ];
    return;
  }
  if (use.has("system")) yield danger("high", "it changes the git settings of every user of this machine");
  else if (use.has("global")) yield danger("medium", "it changes your git settings for all repositories");
  const [key, value = literal("true")] = words;
  if (task === "set" && key) yield* settingEffects({ key, value, lasting: "kept" });
  // Renaming a section can turn settings that git ignored into ones that it obeys.
  if (task === "rename-section" && words[1] && (isUnknown(value) || isGraveSection(value.text)))
    yield danger("critical", "it turns settings into ones that can run commands from now on");
}
