/** `git config`: settings that stay, in the old form (`--get`, bare words) and the new (`get`, `set`, `unset`). */

import { isUnknown, literal, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { Use } from "../program.ts";
import { settingEffects } from "./settings.ts";

const looking = ["get", "get-all", "get-regexp", "get-urlmatch", "get-color", "get-colorbool", "list", "l"];
const others = ["unset", "unset-all", "rename-section", "remove-section", "edit", "e"];

/** The action and its words, in either form. */
function taskOf({ operands, has }: Use): { task: string; words: readonly Word[] } {
  const [first, ...rest] = operands;
  if (first && /^(?:list|get|set|unset|rename-section|remove-section|edit)$/u.test(first.text))
    return { task: first.text === "list" ? "get" : first.text, words: rest };
  if (has(...looking)) return { task: "get", words: operands };
  const task = others.find((name) => has(name)) ?? (first ? undefined : "edit");
  if (task !== undefined) return { task, words: operands };
  const isSetting =
    rest.length > 0 || has("add", "replace-all") || (first && isUnknown(first) && first.mayBeSeveral);
  return { task: isSetting ? "set" : "get", words: operands };
}

export const isAsking = (use: Use): boolean => taskOf(use).task === "get";

const secret = /extraheader|passw|secret|token|smtppass|imap\.pass|cookie/iu;
/** Renaming a section can turn settings that git ignored into ones that it obeys. */
const graveSection = /^(?:alias|pager|core|diff|merge|filter|gpg|include|credential|remote|url|init|.*\0)/iu;

export function* settings(use: Use): Iterable<Effect> {
  const { task, words } = taskOf(use);
  const [key, value = literal("true")] = words;
  const file = use.value("f", "file");
  if (file)
    yield task === "get" ? { type: "reads", path: file } : { type: "writes", path: file, how: "edits" };
  if (task === "get") {
    if (use.has("name-only") || !words.some(({ text }) => secret.test(text))) return;
    yield danger("high", "it prints a password or key out of git's settings");
    yield { type: "prints", flows: ["secret"] };
    return;
  }
  if (use.has("system", "global")) yield danger("medium", "it changes git's settings for all repositories");
  if (task === "set" && key) yield* settingEffects({ key, value, isKept: true });
  if (task === "rename-section" && graveSection.test(value.text))
    yield danger("critical", "it turns settings into ones that can run commands from now on");
}
