/** Programs that query names, hosts and connections, or capture traffic. */

import { isUnknown, unknown, type Word } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { isThisMachine } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";

export const lookups: readonly Program[] = [
  program("dig kdig delv drill doggo dog", names, { options: { short: "bcfkpqtxvyQd" } }),
  program("host", names, { options: { short: "ctNRWmp" } }),
  program("nslookup", names, { options: { oneDash: true } }),
  program("whois", names, { options: { short: "hpgiqsTtv" } }),
  program("ping ping6 fping arping hping3", pings, {
    options: { short: "cCiIlmMpQsStTwW", long: ["count", "interval", "timeout"] },
  }),
  program("traceroute traceroute6 tracepath tracert mtr", pings, {
    options: { short: "fgimNpqstwzcIPamBQT", long: ["report-cycles", "max-ttl", "interval"] },
  }),
  program("nmap masscan zmap rustscan", scans, {
    options: {
      oneDash: true,
      long: namesIn(`p oN oX oG oA oS oJ oL iL o D S e g script script-args source-port exclude
        excludefile exclude-file datadir resume stylesheet min-rate max-rate rate max-retries
        host-timeout dns-servers version-intensity top-ports iR a`),
    },
  }),
  program("tcpdump tshark dumpcap ngrep tcpflow", watches, {
    options: { short: "BcCDEFGijmMrsTVwWyzZOdbfYRt", long: ["interface", "export-objects"] },
  }),
  program("bettercap ettercap mitmproxy mitmdump mitmweb responder arpspoof", ({ words }) =>
    words.length === 0 ? [] : [danger("high", "it listens to the traffic of others")],
  ),
  program(
    "ss",
    ({ has }) => (has("K", "kill") ? [danger("high", "it closes connections of other programs")] : []),
    {
      options: { short: "fADFN", long: ["family", "query", "diag", "filter", "net"] },
    },
  ),
  program(
    "netstat lsof iftop nethogs vnstat bmon nload speedtest speedtest-cli fast ipcalc sipcalc arp-scan",
    () => [],
  ),
  program("ab wrk wrk2 hey oha bombardier autocannon siege vegeta", loadTests, {
    options: { short: "cntdHmTpRsqz" },
  }),
];

const isOption = ({ text }: Word): boolean => /^[@+]/u.test(text);

/** A name assembled from other data reveals that data to the server that answers for it. */
function* names(use: Use): Iterable<Effect> {
  for (const path of use.values("f")) yield* reads([path]);
  const asked = [...use.operands, ...use.values("q", "x")].filter((word) => !isOption(word));
  const from = asked[0];
  if (from) yield { type: "fetches", from };
  const telling = asked.filter((word) => carriesData(word));
  const files = use.values("f");
  if (telling.length > 0 || files.length > 0) yield { type: "sends", to: telling[0], words: telling, files };
  yield { type: "prints", flows: ["network"] };
}

const carriesData = (word: Word): boolean =>
  word.carries.size > 0 || (isUnknown(word) && !word.text.endsWith(unknown));

function* pings(use: Use): Iterable<Effect> {
  const [from] = use.operands;
  if (from) yield { type: "fetches", from };
  const pattern = use.values("p").filter((word) => word.carries.size > 0);
  const words = [...use.operands.filter(carriesData), ...pattern];
  if (words.length > 0) yield { type: "sends", to: from, words };
}

function* scans(use: Use): Iterable<Effect> {
  if (use.has("interactive")) yield danger("high", "its prompt can start a shell");
  for (const script of use.values("script")) if (script.text.includes("/")) yield loads(script);
  yield* replaces(use.values("oN", "oX", "oG", "oA", "oS", "oJ", "oL", "o"));
  yield* reads(use.values("iL", "excludefile", "exclude-file", "resume"));
  for (const from of use.operands) yield { type: "fetches", from };
  if (use.operands.some((host) => !isThisMachine(host)) || use.has("iL", "iR"))
    yield danger("medium", "it scans ports of other machines");
}

function* watches(use: Use): Iterable<Effect> {
  const files = use.values("r");
  yield* reads(files);
  yield* replaces(use.values("w").filter(({ text }) => text !== "-"));
  for (const code of use.values("z")) {
    if (use.name !== "tcpdump") break;
    yield danger("high", "its option -z runs a command");
    yield interprets("shell", code);
  }
  if (use.has("X") && use.name === "tshark") yield danger("high", "its options can load scripts");
  const shows = use.has("D", "h", "help", "version", "L");
  if (files.length === 0 && !shows) yield danger("high", "it listens to all traffic of this machine");
}

function* loadTests(use: Use): Iterable<Effect> {
  const from = use.operands.at(-1);
  if (!from || use.has("help", "version")) return;
  yield { type: "fetches", from };
  if (!isThisMachine(from) && !isUnknown(from))
    yield danger("medium", "it loads another machine with many requests");
}
