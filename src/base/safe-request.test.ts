import { createSocket } from "node:dgram";
import { promises as dns } from "node:dns";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { fetchSafely, type SafeRequest } from "./safe-request.ts";
import { type Site, site, siteName, turns } from "./testing/web.ts";

const open: Site[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

async function serve(handler: RequestListener, address?: string, port?: number): Promise<Site> {
  const started = await site(handler, address, port);
  open.push(started);
  return started;
}

const nobody = new AbortController().signal;

async function got(url: string, more: Partial<SafeRequest>): Promise<string> {
  const answer = await fetchSafely({ url, signal: nobody, accept: "*/*", ...more });
  if (!answer.ok) return answer.problem;
  return `${answer.value.status} ${answer.value.type}: ${Buffer.from(answer.value.bytes).toString("utf8")}`;
}

const of = ({ host, resolve }: Site): Partial<SafeRequest> => ({ named: [host], resolve });

test("a page is fetched with only the basic headers and without cookies", async () => {
  const here = await serve((request, response) => {
    response.setHeader("content-type", "text/plain");
    response.setHeader("set-cookie", "a=b");
    response.end(JSON.stringify([request.method, request.url, Object.keys(request.headers).sort()]));
  });
  const page = '["GET","/a?b=c",["accept","accept-encoding","connection","host","user-agent"]]';
  expect(await got(`${here.url}/a?b=c#d`, of(here))).toBe(`200 text/plain: ${page}`);
  expect(await got(`${here.url}/a?b=c`, of(here))).toContain(page);
});

test.each([
  ["gzip", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["identity", (text: string) => Buffer.from(text)],
  ["GZIP, identity", gzipSync],
])("a page encoded with %s is decoded", async (encoding, pack) => {
  const here = await serve((_, response) => {
    response.setHeader("content-encoding", encoding);
    response.end(pack("Hello."));
  });
  expect(await got(here.url, of(here))).toBe("200 : Hello.");
});

test("a page without a body stays empty, whatever encoding it declares", async () => {
  const here = await serve((_, response) => {
    response.setHeader("content-encoding", "deflate");
    response.writeHead(204);
    response.end();
  });
  expect(await got(here.url, of(here))).toBe("204 : ");
});

const mebibyte = Buffer.alloc(1024 ** 2);

test.each<[string, RequestListener, RegExp]>([
  [
    "packed twice",
    (_, response) => response.setHeader("content-encoding", "gzip, gzip").end(gzipSync(gzipSync("x"))),
    /packed more than once/u,
  ],
  [
    "packed in an unknown way",
    (_, response) => response.setHeader("content-encoding", "__proto__").end("x"),
    /packed in a way that is not known \(__proto__\)/u,
  ],
  [
    "packed, but is not",
    (_, response) => response.setHeader("content-encoding", "gzip").end("plain text"),
    /damaged: it cannot be unpacked/u,
  ],
  [
    "cut off while packed",
    (_, response) =>
      response.setHeader("content-encoding", "br").end(brotliCompressSync("x".repeat(5000)).subarray(0, 8)),
    /damaged: it cannot be unpacked/u,
  ],
  [
    "a small bomb",
    (_, response) => response.setHeader("content-encoding", "gzip").end(gzipSync(mebibyte)),
    /more than 100 times as long/u,
  ],
  [
    "as long as it says",
    (_, response) => response.setHeader("content-length", String(3 * 1024 ** 3)).flushHeaders(),
    /is 3\.0 GiB long; at most 5\.0 MiB are fetched/u,
  ],
  [
    "longer than is fetched",
    (_, response) => endless(response, "x".repeat(65_536)),
    /larger than the 5\.0 MiB/u,
  ],
  [
    "shorter than it says",
    (_, response) => void response.setHeader("content-length", "100").write("x", () => response.destroy()),
    /broke off|unpacked/u,
  ],
  [
    "no end of headers",
    (_, response) => response.setHeader("x-long", "y".repeat(60_000)).end(),
    /more headers than are read/u,
  ],
  ["not HTTP", (request) => request.socket.end("SSH-2.0-OpenSSH_9.2\r\n"), /does not speak HTTP/u],
  ["nothing", (request) => request.socket.destroy(), /broke off/u],
  [
    "another protocol",
    (request) =>
      request.socket.write("HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\nhi"),
    /does not speak HTTP/u,
  ],
  [
    "in pieces that are none",
    (request) =>
      request.socket.write("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\na\r\nno\r\n"),
    /does not speak HTTP/u,
  ],
  [
    "in pieces that are none, and packed",
    (request) =>
      request.socket.write(
        "HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ntransfer-encoding: chunked\r\n\r\nno\r\n",
      ),
    /does not speak HTTP/u,
  ],
  [
    "of two lengths",
    (request) =>
      request.socket.end("HTTP/1.1 200 OK\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\nabc"),
    /does not speak HTTP/u,
  ],
])("a faulty page fails with a sentence that says why: %s", async (_, handler, says) => {
  const here = await serve(handler);
  expect(await got(here.url, of(here))).toMatch(says);
});

function endless(response: Parameters<RequestListener>[1], piece: string): void {
  const pieces = function* () {
    for (;;) yield piece;
  };
  pipeline(Readable.from(pieces()), response).catch(() => undefined);
}

test("a server that is silent or too slow is given up at the time limit", async () => {
  const silent = await serve(() => undefined);
  expect(await got(silent.url, { ...of(silent), limits: { silenceMs: 50 } })).toMatch(
    /sent nothing for 50 ms/u,
  );
  for (const encoding of ["identity", "gzip"]) {
    const halfway = await serve((_, response) =>
      response.writeHead(200, { "content-encoding": encoding }).write(gzipSync("some words").subarray(0, 15)),
    );
    expect(await got(halfway.url, { ...of(halfway), limits: { silenceMs: 50 } }), encoding).toMatch(
      /sent nothing for 50 ms/u,
    );
  }
  const timers: NodeJS.Timeout[] = [];
  const slow = await serve((_, response) => {
    response.write("a");
    timers.push(setInterval(() => response.write("a"), 10));
  });
  expect(await got(slow.url, { ...of(slow), limits: { wholeMs: 200, silenceMs: 5000 } })).toMatch(
    /took longer than 200 ms/u,
  );
  for (const timer of timers) clearInterval(timer);
});

test("a resolver that never answers is given up at the time limit", async () => {
  const resolve = () => new Promise<never>(() => undefined);
  expect(await got("https://a.example.org", { resolve, limits: { wholeMs: 50 } })).toMatch(
    /took longer than/u,
  );
});

test("an abort ends the request", async () => {
  const controller = new AbortController();
  const here = await serve(() => controller.abort());
  expect(await got(here.url, { ...of(here), signal: controller.signal })).toMatch(/broke off/u);
});

const to =
  (location: string, status = 302): RequestListener =>
  (request, response) => {
    if (request.url === "/end") response.end("the end");
    else response.writeHead(status, { location }).end();
  };

test.each([301, 302, 303, 307, 308])("a redirect (%i) on the same host is followed", async (status) => {
  const here = await serve(to("end", status));
  expect(await got(`${here.url}/a`, of(here))).toBe("200 : the end");
  expect(here.asked()).toBe(2);
});

test("a redirect with non-ASCII characters leads to the same bytes", async () => {
  const here = await serve((request, response) => {
    if (request.url !== "/") response.end(request.url);
    else request.socket.end("HTTP/1.1 302 Found\r\nlocation: /caf\u00e9?\u4f60#x\r\n\r\n");
  });
  expect(await got(here.url, of(here))).toBe("200 : /caf%C3%A9?%E4%BD%A0");
});

test("a complete page counts, even if the server resets the connection afterwards", async () => {
  const here = await serve((request) =>
    request.socket.write("HTTP/1.1 200 OK\r\ncontent-length: 3\r\n\r\nabc", () =>
      request.socket.resetAndDestroy(),
    ),
  );
  expect(await got(here.url, of(here))).toBe("200 : abc");
});

test("a response that is no redirect is not followed, whatever location it names", async () => {
  const here = await serve(to("/end", 304));
  expect(await got(here.url, of(here))).toBe("304 : ");
});

test.each([
  [
    "http://169.254.169.254/latest/meta-data/",
    /redirects elsewhere, which was not followed: .*metadata service of a cloud/u,
  ],
  ["http://127.0.0.1:1/", /which was not followed: .*this machine/u],
  ["//[::ffff:10.0.0.1]/", /which was not followed: .*in disguise/u],
  ["file:///etc/passwd", /which was not followed: file:\/\/\/etc\/passwd cannot be fetched/u],
  ["gopher://site.example/", /cannot be fetched/u],
  ["http://user:password@site.example/", /user name or password/u],
  ["http://site.example:22/", /port 22/u],
  [
    "https://other.example/next",
    /redirects to another host, which was not followed: fetch https:\/\/other\.example\/next if/u,
  ],
  ["http://[", /redirects to something that is no address/u],
])("SAFETY 5, SSRF: a redirect to %s is not followed", async (location, says) => {
  const here = await serve(to(location));
  expect(await got(here.url, of(here))).toMatch(says);
  expect([here.connections(), here.asked()]).toEqual([1, 1]);
});

test("more than five redirects are not followed", async () => {
  const here = await serve((request, response) =>
    response.writeHead(302, { location: `${request.url}a` }).end(),
  );
  expect(await got(here.url, of(here))).toMatch(/redirects more than 5 times/u);
  expect(here.connections()).toBe(6);
});

test.each([
  [["127.0.0.1"]],
  [["93.184.216.34", "10.0.0.1"]],
  [["2606:4700:4700::1111", "::1"]],
  [["::ffff:127.0.0.1"]],
  [["169.254.169.254"]],
  [["not an address"]],
  [[]],
])("SAFETY 5, SSRF: a name that resolves to %j is not dialled", async (addresses) => {
  const { resolve, asked } = turns(addresses);
  const says = await got("https://innocent.example.org/", { resolve });
  expect(says).toMatch(addresses.length === 0 ? /There is no host/u : /not on the public web/u);
  expect(asked()).toEqual(["innocent.example.org"]);
});

test("SAFETY 5, rebinding: a name is resolved once for each request, and the checked address is dialled", async () => {
  const here = await serve(to("/end"));
  const evil = await serve((_, response) => response.end("evil"), "127.0.0.2", here.port);
  const { resolve, asked } = turns(["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"]);
  expect(await got(`${here.url}/`, { named: [here.host], resolve })).toBe("200 : the end");
  expect([asked(), evil.connections()]).toEqual([[siteName, siteName], 0]);
});

test("SAFETY 5, rebinding: a real name server that changes its answer is asked once for each request", async () => {
  const server = createSocket("udp4");
  const answers = ["10.0.0.1", "127.0.0.1"];
  let asked = 0;
  server.on("message", (query, from) =>
    server.send(answerTo(query, answers[asked++] ?? ""), from.port, from.address),
  );
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  const resolver = new dns.Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  const resolve = async (name: string) =>
    (await resolver.resolve4(name)).map((address) => ({ address, family: 4 }));
  expect(await got("http://rebinding.example.org/", { resolve })).toMatch(
    /its address is that of a private network/u,
  );
  expect(asked).toBe(1);
  expect(await got("http://rebinding.example.org/", { resolve })).toMatch(
    /its address is that of this machine/u,
  );
  server.close();
});

/** The DNS query with one address as its answer (RFC 1035). */
function answerTo(query: Buffer, address: string): Buffer {
  const answer = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split(".").map(Number)]);
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const head = Buffer.from([0, 0, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0]);
  query.copy(head, 0, 0, 2);
  return Buffer.concat([head, question, answer]);
}

test("a server without TLS is reported in our own words, not in those of a library", async () => {
  const here = await serve((_, response) => response.end("plain"));
  const url = here.url.replace("http:", "https:");
  expect(await got(url, of(here))).toBe(
    `There is no secure connection to ${here.host}: what answers there speaks no TLS, or none that is safe.`,
  );
});

test("a proxy of the environment is not used, and a refused connection says so", async () => {
  const proxy = await serve((_, response) => response.end("through the proxy"));
  const before = process.env["HTTP_PROXY"];
  process.env["HTTP_PROXY"] = `http://127.0.0.1:${proxy.port}`;
  const gone = await site(() => undefined);
  await gone.close();
  const says = await got(gone.url, of(gone));
  if (before === undefined) delete process.env["HTTP_PROXY"];
  else process.env["HTTP_PROXY"] = before;
  expect(says).toMatch(/refuses the connection\. \(A proxy is set here; it is not used/u);
  expect(proxy.connections()).toBe(0);
});
