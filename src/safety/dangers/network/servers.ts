/** Local servers, and programs that test servers, attack them, or speak their protocols. */

import { literal } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsByOptions, showsDirectories } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { always, asks, tellByVerb, verbTable } from "../verbs.ts";
import { fetched } from "./downloads.ts";

export const servers: readonly Program[] = [
  program(
    `caddy nginx httpd apachectl apache2ctl haproxy traefik envoy minio etcd redis-server valkey-server
      postgres mysqld mariadbd mongod memcached elasticsearch prometheus grafana-server localstack
      dnsmasq unbound mosquitto syncthing rabbitmq-server miniserve`,
    serves,
    {
      options: {
        short: "cfpDgh",
        long: namesIn("config port root dhcp-script dir datadir dbpath logpath bind"),
      },
    },
  ),
  program(
    "mkcert",
    ({ has, values }) =>
      has("install", "uninstall")
        ? always("it changes which certificates this machine trusts")
        : [
            ...replaces(values("cert-file", "key-file", "p12-file")),
            { type: "writes", path: literal("."), how: "creates" },
          ],
    { options: { oneDash: true, long: ["cert-file", "key-file", "p12-file"] } },
  ),
  program("certbot acme.sh lego", ({ words, operands, has }) =>
    words.length === 0 || has("help", "version") || operands[0]?.text === "certificates"
      ? []
      : always("it gets certificates and changes servers with them"),
  ),
  program("k6 locust artillery newman ghz hurl jmeter gatling", tries, {
    options: {
      short: "oefuvdr",
      long: namesIn(`out env vus duration host locustfile output environment globals report-json
        report-html target variable variables-file users`),
    },
  }),
  program("dockle squawk pg_format sqlfmt lazydocker ctop", looks, {
    options: { short: "fotc", long: namesIn("format output severity config template exit-code dialect") },
  }),
  program(
    `sqlmap hydra medusa nikto gobuster ffuf dirb wfuzz feroxbuster john hashcat msfconsole msfvenom
      aircrack-ng enum4linux crackmapexec wpscan nuclei`,
    ({ words, has }) =>
      words.length === 0 || has("help", "version")
        ? []
        : always("it attacks other machines or breaks passwords"),
  ),
  program(
    "ldapsearch snmpwalk snmpget nmblookup avahi-browse klist rndc showmount",
    ({ name, operands, values }) =>
      [...values("H", "h"), ...(name.startsWith("snmp") ? operands.slice(0, 1) : [])].map((from): Effect => ({
        type: "fetches",
        from,
      })),
    {
      options: { short: "HhbDswyfpc" },
    },
  ),
  program("ldapmodify ldapadd ldapdelete ldappasswd snmpset kadmin", ({ words }) =>
    words.length === 0 ? [] : always("it changes a directory of users"),
  ),
  program("kinit kdestroy", () => always("it signs in or out", "medium")),
  program("smbclient rpcclient smbget", shares, { options: { short: "UcWIpLDA" } }),
  program("mosquitto_pub mosquitto_sub", publishes, {
    options: { short: "htmfpuPqi", long: ["host", "topic", "message", "file"] },
  }),
  program("lynx w3m links elinks", browses, {
    options: { oneDash: true, long: ["cmd_script", "cfg", "cookie_file", "o", "config", "T", "width"] },
  }),
  program(
    "transmission-cli rtorrent gallery-dl streamlink",
    ({ operands, values }) => [
      ...operands.map((from): Effect => ({ type: "fetches", from })),
      ...[...values("d", "o", "w", "directory", "output"), literal(".")]
        .slice(0, 1)
        .map((path): Effect => ({ type: "writes", path, how: "creates", content: fetched })),
    ],
    { options: { short: "dow", long: ["directory", "output"] } },
  ),
  program(
    "telegram-send slackcat signal-cli ntfy sendxmpp",
    ({ operands, values, input, has }) =>
      has("help", "version")
        ? []
        : [
            {
              type: "sends",
              to: undefined,
              words: operands,
              files: values("f", "file", "a", "attachment"),
              input: input.isGiven,
            },
          ],
    { options: { short: "fca", long: ["file", "channel", "attachment"] } },
  ),
  program("tenv tfswitch", (use) => tellByVerb(use, versions)),
  program("nomad-pack levant", (use) => tellByVerb(use, packs)),
];

function* serves(use: Use): Iterable<Effect> {
  const [verb] = use.operands;
  yield* showsDirectories([...use.values("root"), ...(use.name === "httpd" ? use.values("h") : [])]);
  yield* runsByOptions(use, ["dhcp-script"]);
  const asksOnly = use.has("version", "help", "v", "V", "t", "T", "configtest", "h");
  if (
    asksOnly ||
    /^(?:version|validate|fmt|adapt|list-modules|status|configtest|build-info|help)$/u.test(verb?.text ?? "")
  )
    return;
  for (const path of use.values(
    "config",
    ...(use.name === "nginx" || use.name === "haproxy" ? ["c", "f"] : []),
  ))
    yield loads(path);
  for (const code of use.name === "nginx" ? use.values("g") : [])
    yield* [danger("high", "its option gives it settings"), interprets("other", code)];
  yield danger("medium", "it starts or stops a server on this machine");
}

function* tries(use: Use): Iterable<Effect> {
  if (use.has("help", "version") || /^(?:version|inspect|new|report)$/u.test(use.operands[0]?.text ?? ""))
    return;
  for (const path of [...use.operands, ...use.values("f", "locustfile")])
    if (/\.\w+$/u.test(path.text) && !/^https?:/u.test(path.text)) yield loads(path, "javascript");
  yield* replaces(use.values("report-json", "report-html"));
  yield* use.values("host", "target", "u").map((from): Effect => ({ type: "fetches", from }));
  yield* asks;
}

function* looks(use: Use): Iterable<Effect> {
  yield* reads(use.operands.filter(({ text }) => /[./]/u.test(text) && !text.includes(":")));
  yield* replaces(use.values("o", "output").filter(({ text }) => text.includes(".") || text.includes("/")));
  const isFixing = use.name === "sqlfmt" && !use.has("check", "diff");
  if (isFixing) for (const path of use.operands) yield { type: "writes", path, how: "edits" };
  if (use.operands.some(({ text }) => text === "image" || text.includes(":"))) yield* asks;
}

function* shares(use: Use): Iterable<Effect> {
  const [from] = use.operands;
  if (!from) return;
  yield { type: "fetches", from };
  const commands = use.values("c");
  if (use.name === "smbget") yield { type: "writes", path: literal("."), how: "creates", content: fetched };
  else if (
    commands.some(({ text }) => !/^\s*(?:ls|dir|pwd|du|allinfo|cd [^;]*)\s*$/u.test(text)) ||
    use.input.isGiven
  )
    yield danger("high", "its commands can send and remove files");
}

function* publishes(use: Use): Iterable<Effect> {
  const to = use.value("h", "host") ?? literal("localhost");
  yield { type: "fetches", from: to };
  if (use.name.endsWith("sub")) return;
  const files = use.values("f", "file");
  yield* reads(files);
  yield { type: "sends", to, words: use.values("m", "message"), files, input: use.has("l", "s") };
}

function* browses(use: Use): Iterable<Effect> {
  if (use.has("version", "help")) return;
  for (const path of use.values("cmd_script", "cfg", "config"))
    yield* [loads(path), danger("high", "it takes its settings from a file, which can run commands")];
  for (const address of use.operands) {
    if (/^(?:https?|ftp|gopher):|^[\w-]+(?:\.[\w-]+)*\.(?!html?$|txt$|md$)[\w-]+(?:\/|$)/u.test(address.text))
      yield { type: "fetches", from: address };
    else yield { type: "reads", path: address };
  }
  yield { type: "prints", flows: ["network"] };
}

const versions = verbTable([["list, list-remote, version-name, version, detect, tf list, tofu list", []]], {
  otherwise: always("it installs another version of a program", "medium"),
});

const packs = verbTable(
  [
    ["list, info, plan, render, status, version, registry list", asks],
    ["destroy, stop", always("it destroys running infrastructure", "critical")],
  ],
  { otherwise: always("it changes running infrastructure") },
);
