/** Functions of `system.yaml`: administration whose words must be read one by one. */

import type { WordsDo } from "../data/does.ts";
import { danger } from "../effect-makers.ts";
import { command } from "../wrappers/wrapping.ts";

const mighty = /(?:^|,)(?:sudo|wheel|admin|root|docker|podman|lxd|lxc|libvirt|disk|shadow|kvm|adm)(?:,|$)/u;
const showsAddresses = /^(?:s(?:h(?:ow?)?)?|l(?:s|i(?:st?)?)?|g(?:et?)?|monitor|help)$/u;
const network = danger("high", "it changes the machine's network");

export const machine: Readonly<Record<string, WordsDo>> = {
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
};
