/** Functions of `system.yaml`: administration whose words must be read one by one. */

import { type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { command } from "../wrappers/wrapping.ts";

const erases = danger("critical", "it destroys what is on a disk");
const divides = danger("critical", "it changes how disks are divided or used");
const starts = danger("high", "it starts, stops or changes services");
const startsAtBoot = danger("critical", "it has a service start by itself from now on");
const turnsOff = danger("critical", "it turns the machine off or stops what runs on it");
const plans = danger("critical", "it plans commands that run later by themselves");
const network = danger("high", "it changes the machine's network");

const kernel = danger("critical", "it changes the kernel while it runs");

/** The first word that is no question: whether one of the words asks only. */
const isShown = (words: readonly Word[], shown: RegExp): boolean =>
  words.every(({ text }) => shown.test(text));

const showsUnits =
  /^(?:status|show|is-.*|list-.*|cat|get-default|help|show-environment|log-level|service-log-level|whoami)$/u;
const powers =
  /^(?:poweroff|reboot|halt|kexec|suspend|hibernate|hybrid-sleep|suspend-then-hibernate|rescue|emergency|soft-reboot|exit|isolate|default|switch-root|sleep)$/u;
const persists =
  /^(?:enable|reenable|link|edit|preset|preset-all|add-wants|add-requires|set-default|unmask|set-environment|import-environment|enable-linger)$/u;
const mighty = /(?:^|,)(?:sudo|wheel|admin|root|docker|podman|lxd|lxc|libvirt|disk|shadow|kvm|adm)(?:,|$)/u;
const showsAddresses = /^(?:s(?:h(?:o(?:w)?)?)?|l(?:s|i(?:s(?:t)?)?)?|g(?:e(?:t)?)?|monitor|help)$/u;

/** What may be lost is critical, everything else high. */
const byVerb = (verb: Word | undefined, shown: RegExp, does: (text: string) => Effect): Effect[] =>
  verb === undefined || shown.test(verb.text) ? [] : [does(verb.text)];

export const machine: Readonly<Record<string, WordsDo>> = {
  formats(words) {
    const target = words.find(({ text }) => !/^\d+[kKmMgGtT]?$/u.test(text));
    return target && /^(?!\/dev\/)[\w./-]+$/u.test(target.text) ? replaces([target]) : [erases];
  },
  parted(words) {
    const verbs = words.slice(1).filter(({ text }) => !/^(?:unit|s|B|[KMGT]i?B|%|free|all)$/u.test(text));
    return verbs.length > 0 && isShown(verbs, /^(?:print|p)$/u) ? [] : [divides];
  },
  btrfs: ([, verb]) =>
    byVerb(verb, /^(?:list|show|df|usage|du|status|stats|get|get-default|dump-super|dump-tree)$/u, (text) =>
      danger(
        /^(?:delete|d|rescue|remove|zero-log|replace|create|resize)$/u.test(text) ? "critical" : "high",
        "it changes a disk's volumes",
      ),
    ),
  "mount options": (words) =>
    words.some(({ text }) => /(?:^|,)remount\b/u.test(text))
      ? [danger("critical", "it changes how a disk in use may be written")]
      : [],
  "kernel parameters": (words, { values }) => [
    ...reads(values("p").filter(({ text }) => text.startsWith("/"))),
    ...(words.some(({ text }) => text.includes("=")) ? [kernel] : []),
  ],
  "kernel programs": ([, verb]) => byVerb(verb, /^(?:show|list|dump|help|probe|profile)$/u, () => kernel),
  services: ([verb]) =>
    byVerb(verb, showsUnits, (text) =>
      powers.test(text) ? turnsOff : persists.test(text) ? startsAtBoot : starts,
    ),
  "login sessions": ([verb]) =>
    byVerb(verb, /^(?:list-.*|.*-status|show-.*|list)$/u, (text) =>
      powers.test(text)
        ? turnsOff
        : persists.test(text)
          ? startsAtBoot
          : danger("high", "it changes or ends sessions of users"),
    ),
  "service words": (words, { has }) =>
    words.length < 2 ||
    has("status-all") ||
    words.some(({ text }) => /^(?:status|list|summary|avail|version|help|check|tail|pid)$/u.test(text))
      ? []
      : [starts],
  planned: (_, { has }) => [has("r", "d") ? danger("high", "it removes plans of commands") : plans],
  "planned once"(words, { has, values }) {
    if (has("r", "d")) return [danger("high", "it removes plans of commands")];
    const files = values("f").map((file) => loads(file, "shell"));
    const isRead = files.length === 0 && (words.length > 0 || !has("v"));
    return [plans, ...files, ...(isRead ? [{ type: "interprets-input", language: "shell" } as const] : [])];
  },
  "removes users": (_, { has }) => [
    has("r", "remove", "remove-home", "remove-all-files")
      ? danger("critical", "it removes a user and all files of its home")
      : danger("high", "it changes users, groups or passwords"),
  ],
  "script of the desktop": (codes) => [
    danger("high", "it runs a script that can command other programs"),
    ...codes.flatMap((code): Effect[] =>
      [...code.text.matchAll(/do shell script\s+"((?:[^"\\]|\\.)*)"/gu)].map(([, line = ""]) =>
        interprets("shell", withText(code, line.replaceAll(/\\(.)/gu, "$1"))),
      ),
    ),
  ],
  members: (words, { values }) =>
    [...values("G", "groups", "g", "gid", "ingroup"), ...words].some(({ text }) => mighty.test(text))
      ? [danger("critical", "it changes who may act as the machine's administrator")]
      : [danger("high", "it changes users, groups or passwords")],
  *addresses([object, verb, ...rest], { has }) {
    if (has("b", "batch")) yield network;
    else if (/^(?:netns|vrf)$/u.test(object?.text ?? "") && verb?.text === "exec") {
      yield danger("high", "it runs a command in another network");
      yield* command(rest.slice(1));
    } else yield* byVerb(object?.text === "monitor" ? undefined : verb, showsAddresses, () => network);
  },
  "network of the machine": (words, { name, has }) =>
    (name === "ifconfig" ? words.length < 2 : words.length === 0) ||
    has("L") ||
    isShown(words.slice(0, 1), /^(?:status|query|statistics|list|lldp|dns|domain|get)$/u) ||
    words.some(({ text }) => /^(?:show|status|list|monitor|s|sh)$/u.test(text))
      ? []
      : [network],
  "desktop settings": (words) => [
    danger(
      words.some(({ text }) => /exec|command|autostart|handler/u.test(text)) ? "critical" : "high",
      "it changes settings of the desktop",
    ),
  ],
  "processes using": (words, { has }) => [
    has("m", "mount", "c") || words.some(({ text }) => text === "/")
      ? danger("critical", "it stops every process that it may")
      : danger("high", "it stops every process that matches, also others' than its own"),
  ],
  launched: ([verb]) =>
    byVerb(verb, /^(?:list|print.*|blame|dumpstate|help|version|managername|getenv)$/u, (text) =>
      /^(?:load|bootstrap|enable|submit|setenv|config)$/u.test(text)
        ? startsAtBoot
        : /^(?:reboot)$/u.test(text)
          ? turnsOff
          : starts,
    ),
};
