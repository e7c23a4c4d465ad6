/** socat: two addresses, each `KIND:value,options`; data arriving at one leaves at the other. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { cutAt, isEngineSocket } from "../parts.ts";
import type { Use } from "../program.ts";

type End = { kind: string; value: Word };

/** Options follow a command behind a comma: `EXEC:'sh -i',pty,stderr`. */
const options = /(?:,(?:pty|stderr|setsid|sigint|sane|ctty|nofork|pipes|raw|login|\w+=\w+))+$/u;

function endOf(word: Word): End {
  const { before, after } = cutAt(word, ":") ?? { before: word, after: withText(word, "") };
  const kind = before.text.replace(/,.*$/su, "").toLowerCase();
  const isCommand = /^(?:exec|system|shell)$/u.test(kind);
  return { kind, value: withText(after, after.text.replace(isCommand ? options : /,.*$/su, "")) };
}

const isNetwork = ({ kind }: End): boolean =>
  /^(?:tcp|udp|sctp|openssl|ssl|ip|dccp|socks|proxy|vsock|dtls|tun|interface)/u.test(kind);

export function* joins(addresses: readonly Word[], { input }: Use): Iterable<Effect> {
  const ends = addresses.map(endOf);
  const files = ends
    .filter(({ kind }) => /^(?:open|file|gopen|create)$/u.test(kind))
    .map(({ value }) => value);
  if (addresses.some(isUnknown)) yield danger("high", "what it connects is only known when it runs");
  for (const { kind, value } of ends) {
    if (/^(?:exec|system|shell)$/u.test(kind)) {
      yield ends.some(isNetwork)
        ? danger("critical", "it lets whoever is at the other end run commands here")
        : danger("high", "its address runs a command");
      yield interprets("shell", value);
    }
    if (isEngineSocket(value))
      yield danger("critical", "it commands the container engine, which is root on this machine");
    if (/listen|-l$|recv/u.test(kind)) yield danger("high", "it waits for others to connect");
    else if (isNetwork({ kind, value }))
      yield* [
        { type: "fetches", from: value } as const,
        { type: "sends", to: value, files, input: input.isGiven } as const,
      ];
  }
  for (const path of files) yield { type: "writes", path, how: "edits" };
}
