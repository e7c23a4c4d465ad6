/** Programs that open raw connections and tunnels. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { cutAt, isEngineSocket } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";

const remoteShell = danger("critical", "it lets whoever is at the other end run commands here");
const listens = danger("high", "it waits for others to connect");
export const sockets: readonly Program[] = [
  program("nc ncat netcat nc.openbsd nc.traditional", netcat, {
    options: {
      short: "eciIMmOPpqsTVwWXxgGo",
      long: namesIn(`exec sh-exec lua-exec output hex-dump proxy proxy-type proxy-auth source
        source-port wait idle-timeout delay max-conns allow allowfile deny denyfile ssl-cert ssl-key
        ssl-trustfile ssl-ciphers ssl-servername`),
      known: ["listen", "keep-open", "ssl", "udp", "verbose", "zero", "send-only", "recv-only", "unixsock"],
    },
  }),
  program("socat", socat, {
    options: { short: "blLtTx", oneDash: true, long: ["b", "t", "T", "lf", "L", "W"] },
  }),
];

function* netcat(use: Use): Iterable<Effect> {
  const commands = [...use.values("e", "exec"), ...use.values("c", "sh-exec", "lua-exec")];
  if (commands.length > 0 || use.has("e", "exec", "sh-exec", "lua-exec")) yield remoteShell;
  for (const command of commands) yield interprets("shell", command);
  yield* replaces(use.values("o", "output", "hex-dump"));
  const [to] = use.operands;
  if (use.has("l", "listen")) {
    yield listens;
    yield { type: "sends", to: undefined, input: use.input.isGiven };
  } else if (use.has("U", "unixsock") && to) yield* socketFile(to);
  else if (to) {
    yield { type: "fetches", from: to };
    if (use.input.isGiven && !use.has("z", "zero")) yield { type: "sends", to, input: true };
  }
  if (!use.has("z", "zero")) yield { type: "prints", flows: ["network"] };
}

const socketFile = (path: Word): Effect[] =>
  isEngineSocket(path)
    ? [danger("critical", "it commands the container engine, which is root on this machine")]
    : [{ type: "reads", path }];

/** Two addresses, each `KIND:value,options`; data arriving at one leaves at the other. */
function* socat(use: Use): Iterable<Effect> {
  const ends = use.operands.flatMap((word) =>
    word.text.split("!!").map((text) => endOf(withText(word, text))),
  );
  if (ends.some(({ kind }) => kind === "unknown"))
    yield danger("high", "what it connects is only known when it runs");
  const toNetwork = ends.some(({ kind }) => kind === "host" || kind === "listen");
  for (const { kind, value } of ends) {
    if (kind === "command") {
      yield toNetwork ? remoteShell : danger("high", "its address runs a command");
      yield interprets("shell", value);
    }
    if (kind === "listen") yield listens;
    if (kind === "socket") yield* socketFile(value);
    if (kind === "file") yield { type: "writes", path: value, how: "edits" };
    if (kind === "host") {
      yield { type: "fetches", from: value };
      const files = ends.filter((end) => end.kind === "file").map((end) => end.value);
      const input = use.input.isGiven && ends.some((end) => end.kind === "stdio");
      yield* reads(files);
      if (files.length > 0 || input) yield { type: "sends", to: value, files, input };
    }
  }
  if (toNetwork) yield { type: "prints", flows: ["network"] };
}

type End = { kind: "command" | "listen" | "host" | "socket" | "file" | "stdio" | "unknown"; value: Word };

function endOf(word: Word): End {
  const parts = cutAt(word, ":");
  const keyword = (parts?.before ?? word).text.replace(/,.*$/su, "").toLowerCase();
  const rest = parts?.after ?? withText(word, "");
  const plain = withText(rest, rest.text.replace(/,.*$/su, ""));
  if (isUnknown(withText(word, keyword))) return { kind: "unknown", value: word };
  if (/^(?:exec|system|shell)$/u.test(keyword)) return { kind: "command", value: commandIn(rest) };
  if (/listen|^[a-z]+-l$|recv|accept/u.test(keyword))
    return { kind: keyword.startsWith("unix") ? "stdio" : "listen", value: plain };
  if (/^(?:unix|abstract)/u.test(keyword)) return { kind: "socket", value: plain };
  if (/^(?:tcp|udp|sctp|openssl|ssl|ip|dccp|socks|proxy|vsock|dtls|tun|interface)/u.test(keyword))
    return { kind: "host", value: plain };
  if (/^(?:open|file|create|creat|gopen|pipe|fifo)$/u.test(keyword) && plain.text !== "")
    return { kind: "file", value: plain };
  return { kind: keyword.includes("/") ? "file" : "stdio", value: plain.text === "" ? word : plain };
}

/** Options follow the command after a comma: `EXEC:'sh -i',pty,stderr`. */
const commandIn = (word: Word): Word =>
  withText(
    word,
    word.text.replace(
      /(?:,(?:pty|stderr|setsid|sigint|sane|ctty|nofork|pipes|raw|echo=\d|login|fdin=\d+|fdout=\d+))+$/u,
      "",
    ),
  );
