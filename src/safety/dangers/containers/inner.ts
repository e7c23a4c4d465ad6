/** Functions of `containers.yaml`: clusters and machines inside this one. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { bytesIn, takesDisk } from "../files/sizes.ts";
import type { Use } from "../program.ts";
import { given, mounted, mountedBySettings } from "./mounts.ts";

const starts = danger("medium", "it starts or changes a machine inside this one");
const unsafe = /security\.privileged[= ](?:true|1)|security\.nesting|raw\.lxc/u;

const pathIn = (word: Word): Word => {
  const [, file] = /(?:^|,)(?:file|path)=([^,]+)/u.exec(word.text) ?? [];
  return withText(word, file ?? word.text.replace(/,.*$/su, ""));
};

function* inner(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [verb, ...rest] = operands;
  const text = verb?.text ?? "";
  const said = operands
    .slice(0, 3)
    .map((word) => word.text)
    .join(" ");
  const line = use.words.map((word) => word.text).join(" ");
  if (
    verb === undefined ||
    /^(?:status|ip|list|ls|info|version|get|logs?|service|dashboard|global-status|validate|find|port|query|check|docker-env|aliases|box list|plugin list|ssh-config|help)$/u.test(
      text,
    ) ||
    /^\w+ (?:list|ls|get|show|info)\b/u.test(said)
  )
    return;
  if (unsafe.test(line)) yield danger("critical", "it gives the container all rights over this machine");
  for (const word of operands)
    if (word.text.startsWith("source="))
      yield* given(withText(word, word.text.slice(7)), { isReadOnly: false, around: use.around });
  if (
    /^(?:delete|rm|destroy|purge|reset|prune)$/u.test(text) ||
    /^\w+ (?:delete|rm|remove|prune)\b/u.test(said)
  )
    yield danger("high", "it deletes a machine inside this one with its data");
  else if (/^(?:tunnel|share|cloud|push|login|server|agent)$/u.test(text))
    yield danger("high", "it opens a machine or this one to others");
  else if (text === "kubectl")
    yield runs([
      literal("kubectl"),
      ...use.words.slice(use.words.indexOf(verb) + 1).filter((word) => word.text !== "--"),
    ]);
  else if (text === "mount")
    yield* rest.slice(0, 1).flatMap((source) => given(source, { isReadOnly: false, around: use.around }));
  else if (/^(?:config|profile)$/u.test(text))
    yield danger("high", "it changes what a container may reach of this machine");
  else yield* inside(use, text, rest);
}

function* inside(use: Use, verb: string, rest: readonly Word[]): Iterable<Effect> {
  yield starts;
  const codes = verb === "ssh" ? use.values("c", "command") : [];
  for (const code of codes)
    yield runs([literal("sh"), literal("-c"), code], {
      remote: true,
      mounts: [{ source: literal("."), at: "/vagrant", isReadOnly: false }],
    });
  if (!/^(?:exec|shell)$/u.test(verb)) return;
  const end = use.words.findIndex((word) => word.text === "--");
  const command = end < 0 ? rest.slice(1) : use.words.slice(end + 1);
  if (command.length > 0) yield runs(command, { remote: true });
}

export const innerMachines: Readonly<Record<string, WordsDo>> = {
  "inner machines": inner,
  "cluster access": (words) =>
    words.filter(({ text }) => !/(?:^|\/)\.kube\/[^/]+$/u.test(text)).map((path) => loads(path)),
  charts: (words) =>
    words.slice(-1).some(({ text }) => /^\.{0,2}\//u.test(text))
      ? []
      : [{ type: "fetches", from: undefined }],
  "machine disks": (words) => words.map((word) => ({ type: "writes", path: pathIn(word), how: "edits" })),
  "machine shares": (words, { around }) =>
    words.flatMap((word) => given(pathIn(word), { isReadOnly: word.text.includes("readonly"), around })),
  "mounted settings": (words, { around }) => words.flatMap((word) => mountedBySettings(word, around)),
  "mounted volumes": (words, { around }) => words.flatMap((word) => mounted(word, around)),
  "disk images": ([verb, ...paths], { values }) => {
    const last = paths.at(-1);
    if (/^(?:info|check|map|compare|measure)$/u.test(verb?.text ?? "")) return reads(paths);
    if (!/^(?:create|resize)$/u.test(verb?.text ?? ""))
      return last ? [...reads(paths.slice(0, -1)), ...replaces([last])] : [];
    const isFull = values("o").some(({ text }) => /preallocation=f/u.test(text));
    return [...replaces(paths.slice(0, 1)), ...(isFull ? takesDisk(bytesIn(last?.text ?? "")) : [])];
  },
};
