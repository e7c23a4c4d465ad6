/** Programs that open raw connections and tunnels. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { cutAt, isEngineSocket } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import { transferCommands } from "./transfer-commands.ts";

const remoteShell = danger("critical", "it lets whoever is at the other end run commands here");
const listens = danger("high", "it waits for others to connect");
const tunnel = danger("high", "it opens a tunnel that others can reach this machine through");

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
  program("telnet", plainly, { options: { short: "lnbeSX" } }),
  program("websocat wscat", websocket, {
    options: {
      short: "cHPxlns",
      long: namesIn("connect listen header execute proxy subprotocol auth cert key origin protocol"),
    },
  }),
  program("grpcurl", grpc, {
    options: {
      oneDash: true,
      long: namesIn("d H proto import-path protoset cert key cacert rpc-header authority max-time"),
    },
  }),
  program("ftp lftp", transfers, { options: { short: "ecfupPsN" } }),
  program("tftp", tftp, { options: { short: "mR" } }),
  program(
    "iperf iperf3",
    ({ has, value }) => {
      const from = value("c", "client");
      if (from) return [{ type: "fetches", from }];
      return has("s", "server") ? [listens] : [];
    },
    {
      options: { short: "cptPibBnwJ", long: ["client", "port", "time", "parallel", "interval", "bandwidth"] },
    },
  ),

  program("ngrok", (use) => tellByVerb(use, ngrok), {
    options: { stopAtOperand: true, long: ["config", "log"] },
  }),
  program("cloudflared", (use) => tellByVerb(use, cloudflared)),
  program(
    "lt localtunnel bore zrok frpc frps chisel gost pagekite expose sshuttle rathole inlets serveo",
    ({ has, words }) => (words.length === 0 || has("help", "version") ? [] : [tunnel]),
  ),
  program("tailscale", (use) => tellByVerb(use, tailscale)),
  program("wg", (use) => tellByVerb(use, wireguard)),
  program("wg-quick", ({ operands: [verb, path] }) => [
    danger(
      "high",
      `it ${verb?.text === "down" ? "ends" : "starts"} a private network and runs the commands of its file`,
    ),
    ...(path?.text.includes("/") ? [loads(path)] : []),
  ]),
  program(
    "openvpn openconnect vpnc nordvpn mullvad",
    ({ operands, words, values, has }) =>
      words.length === 0 || has("help", "version")
        ? []
        : [
            danger("high", "it reroutes the traffic of this machine"),
            ...[...values("config"), ...operands.filter(({ text }) => text.endsWith(".ovpn"))].map((path) =>
              loads(path),
            ),
          ],
    {
      options: {
        long: namesIn("config up down script-security remote auth-user-pass ca cert key"),
      },
    },
  ),
  program(
    "proxychains proxychains4 torsocks torify tsocks",
    ({ operands }) => (operands.length === 0 ? [] : [runs(operands)]),
    { options: { short: "f", stopAtOperand: true }, kind: "wrapper" },
  ),
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

function* plainly(use: Use): Iterable<Effect> {
  const [to] = use.operands;
  yield* replaces(use.values("n"));
  if (!to) return;
  yield { type: "fetches", from: to };
  if (use.input.isGiven) yield { type: "sends", to, input: true };
  yield { type: "prints", flows: ["network"] };
}

function* websocket(use: Use): Iterable<Effect> {
  if (use.has("l", "listen", "s", "server-mode")) yield listens;
  const addresses = [...use.operands, ...use.values("c", "connect")];
  for (const to of addresses) {
    const command = /^(?:exec|sh-c|cmd):(?<code>.*)$/su.exec(to.text)?.groups?.["code"];
    if (command !== undefined) {
      yield remoteShell;
      yield interprets("shell", withText(to, command));
    } else if (to.text !== "-") {
      yield { type: "fetches", from: to };
      const words = use.values("x", "execute");
      if (use.input.isGiven || words.length > 0) yield { type: "sends", to, words, input: use.input.isGiven };
    }
  }
}

function* grpc(use: Use): Iterable<Effect> {
  const [to] = use.operands;
  if (!to) return;
  yield { type: "fetches", from: to };
  const data = use.value("d");
  if (!data) return;
  const input = data.text.startsWith("@");
  yield { type: "sends", to, words: input ? [] : [data], input };
}

/** Their commands come from options, a file, or standard input. */
function* transfers(use: Use): Iterable<Effect> {
  const [from] = use.operands;
  if (from) yield { type: "fetches", from };
  const { input } = use;
  const commands = use.name === "lftp" ? use.values("e", "c") : [];
  for (const given of [...commands, ...(input.isGiven && input.text ? [input.text] : [])])
    yield* transferCommands(given, from);
  if (input.isGiven && !input.text) yield danger("high", "its commands are only known when it runs");
  if (use.name === "lftp")
    for (const path of use.values("f"))
      yield* [loads(path), danger("high", "its commands can send files and start programs")];
}

function* tftp(use: Use): Iterable<Effect> {
  const [to] = use.operands;
  if (!to) return;
  yield { type: "fetches", from: to };
  const put = use.operands.findIndex(({ text }) => text === "put");
  if (put > 0) yield { type: "sends", to, files: use.operands.slice(put + 1, put + 2) };
  if (use.input.isGiven) yield { type: "sends", to, input: true };
}

const ngrok = verbTable(
  [
    ["version, config check, config edit, diagnose", []],
    ["config add-authtoken, authtoken", [danger("high", "it stores a key")]],
  ],
  { otherwise: [tunnel], form: {} },
);

const cloudflared = verbTable(
  [
    ["version, tunnel list, tunnel info, tail", [{ type: "fetches", from: undefined }]],
    ["update", [danger("medium", "it replaces itself by a newer version")]],
    ["tunnel delete, service uninstall", [danger("high", "it removes a tunnel that others may use")]],
  ],
  { otherwise: [tunnel] },
);

const tailscale = verbTable(
  [
    ["status, ip, version, netcheck, whois, ping, licenses, metrics, bugreport", []],
    ["cert", [danger("medium", "it writes a certificate and its key")]],
    [
      "ssh, nc",
      ({ operands }) => [
        danger("high", "it connects to another machine"),
        ...(operands.length > 1 ? [runs(operands.slice(1), { remote: true })] : []),
      ],
    ],
    ["file cp", ({ operands }) => [{ type: "sends", to: operands.at(-1), files: operands.slice(0, -1) }]],
    ["down, logout", [danger("high", "it leaves the private network")]],
  ],
  { otherwise: [danger("high", "it changes who can reach this machine")] },
);

const wireguard = verbTable(
  [
    ["show, genkey, genpsk, pubkey", []],
    ["showconf", [danger("high", "it prints private keys")]],
  ],
  { otherwise: [danger("high", "it changes a private network")] },
);
