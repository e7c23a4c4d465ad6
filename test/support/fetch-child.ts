/**
 * Fetches in a separate process. `bombs URL…`: the result of each and its peak memory. `attacks`: which requests reach
 * internal addresses, run in a network namespace where a "public" address belongs to this process. `refusals`: the part
 * of that which needs no namespace.
 */

import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import { once } from "node:events";
import { createServer } from "node:http";
import { fetchSafely, type Resolve } from "../../src/base/safe-request.ts";

export type Bombs = { url: string; words: string; grownMb: number }[];
export type Attacks = { public: string; attacks: Record<string, string>; inside: string[] };

const [kind, ...urls] = process.argv.slice(2);
const signal = new AbortController().signal;

async function bombs(): Promise<Bombs> {
  const named = [...new Set(urls.map((url) => new URL(url).host))];
  const results: Bombs = [];
  const [warm = "", ...others] = urls;
  await fetchSafely({ url: warm, signal, accept: "*/*", named });
  for (const url of others) {
    const before = process.resourceUsage().maxRSS;
    const got = await fetchSafely({ url, signal, accept: "*/*", named });
    const grownMb = (process.resourceUsage().maxRSS - before) / 1024;
    results.push({ url, words: got.ok ? `${got.value.bytes.length} bytes` : got.problem, grownMb });
  }
  return results;
}

/** For machines without network namespaces: checks what is refused before anything is sent. */
async function refusals(): Promise<Attacks> {
  const resolve = await nameServer();
  const told: Record<string, string> = {};
  for (const url of [
    ...targets,
    ...Object.keys(zone)
      .filter(isInside)
      .map((name) => `http://${name}/`),
  ])
    told[url] = await get(url, resolve);
  return { public: "", attacks: told, inside: [] };
}

async function get(url: string, resolve: Resolve): Promise<string> {
  const got = await fetchSafely({ url, signal, accept: "*/*", resolve });
  return got.ok ? Buffer.from(got.value.bytes).toString() : got.problem;
}

const isInside = (name: string): boolean =>
  zone[name]?.[0]?.some((address) => address !== outsideAddress) ?? false;

async function attacks(): Promise<Attacks> {
  const inside: string[] = [];
  for (const address of ["127.0.0.1", "169.254.169.254", "10.0.0.5", "::1"]) {
    const server = createServer((request, response) => {
      inside.push(`${address}${request.url}`);
      response.end("secret");
    });
    server.listen(80, address);
    await once(server, "listening");
  }
  const outside = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://x");
    const to = searchParams.get("to");
    if (pathname === "/") response.end("public");
    else if (pathname === "/hop")
      response.writeHead(302, { location: `/to?to=${encodeURIComponent(to ?? "")}` }).end();
    else response.writeHead(302, { location: to ?? "/" }).end();
  });
  outside.listen(80, outsideAddress);
  await once(outside, "listening");
  const resolve = await nameServer();
  const made = [
    ...Object.keys(zone)
      .filter((name) => name !== "public.example.org")
      .map((name) => `http://${name}/hop?to=/`),
    ...targets.flatMap((to) =>
      ["to", "hop"].map((hop) => `http://public.example.org/${hop}?to=${encodeURIComponent(to)}`),
    ),
    ...targets,
  ];
  const told: Record<string, string> = {};
  for (const url of made) told[url] = await get(url, resolve);
  return { public: await get("http://public.example.org/to?to=/", resolve), attacks: told, inside };
}

/** The answers for each name: each lookup gets the next one, and the last one repeats. */
type Zone = Record<string, readonly (readonly string[])[]>;

async function nameServer() {
  const server = createSocket("udp4");
  const asked = new Map<string, number>();
  server.on("message", (query, from) => {
    const name = nameIn(query);
    const times = asked.get(name) ?? 0;
    asked.set(name, times + 1);
    const answers = zone[name] ?? [];
    server.send(answerTo(query, answers[Math.min(times, answers.length - 1)] ?? []), from.port, from.address);
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const resolver = new dns.Resolver({ timeout: 2000, tries: 2 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  return async (name: string) => (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }));
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; (query[at] ?? 0) > 0; at += (query[at] ?? 0) + 1)
    labels.push(query.toString("latin1", at + 1, at + 1 + (query[at] ?? 0)));
  return labels.join(".").toLowerCase();
}

/** A DNS reply (RFC 1035) with these addresses, not to be cached. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, addresses.length, 0, 0, 0, 0]);
  query.copy(head, 0, 0, 2);
  const answers = addresses.map((address) =>
    Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]),
  );
  return Buffer.concat([head, question, ...answers]);
}

/** An address that belongs only to this process's network namespace. */
const outsideAddress = "93.184.216.34";

const zone: Zone = {
  "public.example.org": [[outsideAddress]],
  "rebinding.example.org": [[outsideAddress], ["127.0.0.1"]],
  "slowly-rebinding.example.org": [[outsideAddress], [outsideAddress], ["169.254.169.254"]],
  "both.example.org": [[outsideAddress, "127.0.0.1"]],
  "inside.example.org": [["10.0.0.5"]],
  "metadata.example.org": [["169.254.169.254"]],
  "127.0.0.1.wildcard.example.org": [["127.0.0.1"]],
};

const targets: readonly string[] = [
  "http://127.0.0.1/",
  "http://2130706433/",
  "http://0x7f.1/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://localhost/",
  "http://localhost./",
  "http://169.254.169.254/latest/meta-data/",
  "http://[::ffff:a9fe:a9fe]/",
  "http://10.0.0.5/",
  "http://inside.example.org/",
  "http://0.0.0.0/",
  "file:///etc/passwd",
];

const work: Record<string, () => Promise<unknown>> = { bombs, attacks, refusals };
process.stdout.write(JSON.stringify(await work[kind ?? ""]?.()));
process.exit(0);
