/** Functions of `system.yaml`: administration whose words must be read one by one, rights, and processes. */

import { unknownWord, type Word } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filesIn, readsFiles } from "../file-effect-makers.ts";
import type { Use, WordsDo } from "../program.ts";
import { command } from "../use.ts";

const mighty = /(?:^|,)(?:sudo|wheel|admin|root|docker|podman|lxd|lxc|libvirt|disk|shadow|kvm|adm)(?:,|$)/u;
const showsAddresses = /^(?:s(?:h(?:ow?)?)?|l(?:s|i(?:st?)?)?|g(?:et?)?|monitor|help)$/u;
const network = danger("high", "it changes the machine's network");

const everything = danger("critical", "it stops every process that it may");

export const system: Readonly<Record<string, WordsDo>> = {
  "mount options": (words) =>
    words.some(({ text }) => /(?:^|,)remount\b/u.test(text))
      ? [danger("critical", "it changes how a disk in use may be written")]
      : [],
  "kernel settings": (words) =>
    words.some(({ text }) => text.includes("="))
      ? [danger("critical", "it changes the kernel or how the machine starts")]
      : [],
  members: (words, { values }) =>
    [...values("G", "groups", "g", "gid", "ingroup"), ...words].some(({ text }) => mighty.test(text))
      ? [danger("critical", "it changes who may act as the machine's administrator")]
      : [],
  *addresses([object, verb, ...rest], { has }) {
    if (verb?.text === "exec") {
      yield danger("high", "it runs a command in another network");
      yield* command(rest.slice(1));
    } else if (has("b", "batch") || (verb && object?.text !== "monitor" && !showsAddresses.test(verb.text)))
      yield network;
  },
  "changes mode": (_, use) => changesMode(use),
  "changes owner": (paths, use) => permits(paths, undefined, use),
  "stops processes": (_, { words }) => kills(words),
  "stops named processes"(names, { has, values, value }) {
    if (has("l", "list", "0") || value("signal", "s")?.text === "0") return [];
    const isAny = names.some(({ text }) => /^\^?(?:|\.[*+]?|.?\*|[*+])\$?$/u.test(text));
    const ofSomebody = values("u", "U", "user", "euid", "uid", "g", "pgroup", "t", "terminal");
    if (isAny || has("v", "inverse") || (names.length === 0 && ofSomebody.length > 0)) return [everything];
    return names.length > 0 || has("P", "F", "pidfile", "parent")
      ? [danger("high", "it stops every process that matches, also others' than its own")]
      : [];
  },
};

const permits = (paths: readonly Word[], mode: Word | undefined, { has }: Use): Effect[] =>
  filesIn(paths).map((path) => ({ type: "permits", path, mode, deep: has("R", "recursive") }));

/** A mode may start with a dash: `chmod -x file`, `chmod -w,u+x file`. */
function changesMode(use: Use): Effect[] {
  const { words, operands } = use;
  const reference = use.value("reference");
  if (reference) return [...readsFiles([reference]), ...permits(operands, unknownWord(), use)];
  const dashed = words.find(({ text }) => /^-(?:[rwxXstugo]+|[0-7]{1,5})(?:[,+=-].*)?$/u.test(text));
  const mode = dashed ?? operands[0];
  return mode ? permits(dashed ? operands : operands.slice(1), mode, use) : [];
}

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
  else if (/^(?:9|(?:SIG)?KILL)$|\0/iu.test(given ?? "") || targets.some(({ text }) => /^-\d/u.test(text)))
    yield danger("high", "it stops a process by force, or a whole group of them");
  else if (!isOfOwn) yield danger("medium", "it stops a process");
}

/** The shell's own jobs (`%1`), its own process group, and processes started by the command line (`$!`). */
const isOwn = ({ text, carries }: Word): boolean =>
  /^(?:0|%[\d+%-]*)$/u.test(text) ||
  (/^-?\0$/u.test(text) && carries.size === 1 && carries.has("own-process"));
