/** Functions of `system.yaml`: what stops processes. */

import type { Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const everything = danger("critical", "it stops every process that it may");
const byName = danger("high", "it stops every process that matches, also others' than its own");
const byForce = danger("high", "it stops a process by force, which cannot save what it works on");

export const processes: Readonly<Record<string, WordsDo>> = {
  "stops processes": (_, { words }) => kills(words),
  "stops named processes"(names, { has, values, value }) {
    if (has("l", "list", "0") || value("signal", "s")?.text === "0") return [];
    const isAny = names.some(({ text }) => /^\^?(?:|\.[*+]?|.?\*|[*+])\$?$/u.test(text));
    const ofSomebody = values("u", "U", "user", "euid", "uid", "g", "pgroup", "t", "terminal");
    if (isAny || has("v", "inverse") || (names.length === 0 && ofSomebody.length > 0)) return [everything];
    return names.length > 0 || has("P", "F", "pidfile", "parent") ? [byName] : [];
  },
};

/** `kill [-s signal | -signal] pid …`, `kill -l`. After the signal, `-1` means every process. */
function* kills(words: readonly Word[]): Iterable<Effect> {
  const [first, second, ...more] = words;
  if (!first || /^(?:-[lLp]|--(?:list|table|help|version|pid).*)$/u.test(first.text)) return;
  const isNamed = /^(?:-[sn]|--signal)$/u.test(first.text);
  const given = isNamed ? second?.text : /^(?:--signal=|-[sn]?)([^-].*)$/u.exec(first.text)?.[1];
  const behind = isNamed ? more : given === undefined ? words : words.slice(1);
  const targets = behind.filter(({ text }) => text !== "--");
  if (targets.length === 0 || given === "0") return;
  const isOfOwn = targets.every(isOwn);
  if (isOfOwn) yield { type: "handles-own-processes" };
  if (targets.some(({ text }) => text === "-1" || text === "1")) yield everything;
  else if (given !== undefined && /^(?:9|(?:SIG)?KILL)$|\0/iu.test(given)) yield byForce;
  else if (targets.some(({ text }) => /^-\d/u.test(text)))
    yield danger("high", "it stops a whole group of processes");
  else if (!isOfOwn) yield danger("medium", "it stops a process");
}

/** The shell's own jobs (`%1`), its own process group, and processes started by the command line (`$!`). */
const isOwn = ({ text, carries }: Word): boolean =>
  /^(?:0|%[\d+%-]*)$/u.test(text) ||
  (/^-?\0$/u.test(text) && carries.size === 1 && carries.has("own-process"));
