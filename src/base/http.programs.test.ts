import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { HttpProblem, isLoopback, readAll, request, type HttpReply } from "./http.ts";

test("a request sends its method, headers and body, and the reply's header names are in lower case", async () => {
  const { url } = await serve(async (incoming, outgoing) => {
    const body = await readAll(incoming, 1000);
    outgoing.writeHead(201, {
      "X-Seen": `${incoming.method} ${incoming.url} ${String(incoming.headers["x-key"])}`,
      "Set-Cookie": ["a=1", "b=2"],
    });
    outgoing.end(body);
  });
  const reply = await request({ url: `${url}/v1/é?x=1`, headers: { "x-key": "k" }, body: "grüße\u2028" });
  expect(reply.status).toBe(201);
  expect(reply.headers["x-seen"]).toBe("POST /v1/%C3%A9?x=1 k");
  expect(reply.headers["set-cookie"]).toBe("a=1, b=2");
  expect(await readAll(reply.body, 1000)).toBe("grüße\u2028");
});

test("a kept connection is reused, and one that the server closed meanwhile is replaced silently", async () => {
  const ports: (number | undefined)[] = [];
  const { url, server } = await serve((incoming, outgoing) => {
    ports.push(incoming.socket.remotePort);
    outgoing.end("ok");
  });
  const ask = async (): Promise<string> => readAll((await request({ url })).body, 10);
  expect([await ask(), await ask()]).toEqual(["ok", "ok"]);
  expect(new Set(ports).size).toBe(1);
  server.closeIdleConnections();
  expect(await ask()).toBe("ok");
  expect(new Set(ports).size).toBe(2);
});

test("a body is read up to its limit, and the connection is then closed", async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((_, outgoing) => {
    outgoing.once("close", closed.resolve);
    outgoing.write("0123456789".repeat(1000));
  });
  const reply = await request({ url });
  expect(await readAll(reply.body, 25)).toBe("0123456789012345678901234");
  await closed.promise;
});

test("a refused connection, an unknown host and an invalid URL are distinguished", async () => {
  const { url, server } = await serve((_, outgoing) => outgoing.end());
  server.close();
  await once(server, "close");
  expect(await problem({ url })).toEqual({
    code: "refused",
    message: `Nothing answers at ${url} (connection refused).`,
  });
  expect((await problem({ url: "http://no-such-host.invalid/" })).code).toBe("dns");
  expect((await problem({ url: "localhost:11434" })).code).toBe("bad-request");
  expect((await problem({ url, headers: { authorization: "sk-canary\n" } })).message).not.toContain("canary");
});

test("a server that does not speak HTTP, or TLS, is reported as such", async () => {
  const port = await serveBytes("SSH-2.0-OpenSSH_9.7\r\n");
  expect((await problem({ url: `http://127.0.0.1:${port}` })).code).toBe("not-http");
  expect((await problem({ url: `https://127.0.0.1:${port}` })).code).toBe("tls");
  const other = await serveBytes(
    "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n",
  );
  expect((await problem({ url: `http://127.0.0.1:${other}` })).code).toBe("not-http");
});

test("a connection that breaks before the headers or in the middle of the body is a reset", async () => {
  const { url } = await serve((incoming, outgoing) => {
    if (incoming.url === "/early") {
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(200, { "content-length": "100" });
    outgoing.write("half", () => incoming.socket.destroy());
  });
  expect((await problem({ url: `${url}/early` })).code).toBe("reset");
  const reply = await request({ url: `${url}/late` });
  expect((await bodyProblem(reply)).code).toBe("reset");
});

test("silence before the headers, before the first byte and between two bytes each have their own limit", async () => {
  const { url } = await serve((incoming, outgoing) => {
    if (incoming.url === "/headers") return;
    outgoing.writeHead(200);
    if (incoming.url === "/first") outgoing.flushHeaders();
    else outgoing.write("x");
  });
  expect((await problem({ url: `${url}/headers`, firstByteMs: 20, idleMs: 1 })).code).toBe("timeout-first");
  const middle = await request({ url: `${url}/middle`, idleMs: 20 });
  expect((await bodyProblem(middle)).code).toBe("timeout-idle");
  stopTime();
  const first = await request({ url: `${url}/first`, firstByteMs: 20, idleMs: 1 });
  const waited = bodyProblem(first);
  vi.advanceTimersByTime(20);
  expect((await waited).code).toBe("timeout-first");
});

/** Freezes time: from here on it advances only when the test says so. */
function stopTime(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
}

test("connecting to a peer that never finishes the handshake times out", async () => {
  const port = await serveBytes("");
  expect((await problem({ url: `https://127.0.0.1:${port}`, connectMs: 20 })).code).toBe("timeout-connect");
});

test("a slow first byte is accepted within its own limit, whatever the idle limit is", async () => {
  const gate = Promise.withResolvers<void>();
  const { url } = await serve(async (_, outgoing) => {
    outgoing.writeHead(200);
    outgoing.flushHeaders();
    await gate.promise;
    outgoing.end("at last");
  });
  const reply = await request({ url, idleMs: 1, firstByteMs: 60_000 });
  setImmediate(gate.resolve);
  expect(await readAll(reply.body, 100)).toBe("at last");
});

test("a slow reader is not mistaken for a silent server", async () => {
  const { url } = await serve((_, outgoing) => outgoing.end("x".repeat(3_000_000)));
  stopTime();
  const reply = await request({ url, idleMs: 10 });
  let bytes = 0;
  for await (const chunk of reply.body) {
    vi.advanceTimersByTime(50);
    bytes += chunk.length;
  }
  expect(bytes).toBe(3_000_000);
});

test("A29: aborting closes the connection immediately, before the headers and in the middle of the body", async () => {
  const started = Promise.withResolvers<void>();
  let closed = Promise.withResolvers<void>();
  const { url } = await serve((incoming, outgoing) => {
    outgoing.once("close", () => closed.resolve());
    if (incoming.url === "/body") outgoing.write("x");
    else started.resolve();
  });
  const early = new AbortController();
  const waiting = problem({ url, signal: early.signal });
  await started.promise;
  early.abort();
  expect((await waiting).code).toBe("aborted");
  await closed.promise;

  closed = Promise.withResolvers<void>();
  const late = new AbortController();
  const reply = await request({ url: `${url}/body`, signal: late.signal });
  setImmediate(() => late.abort());
  expect((await bodyProblem(reply)).code).toBe("aborted");
  await closed.promise;
  expect((await problem({ url, signal: late.signal })).code).toBe("aborted");
});

test("a reader that leaves just before the end of the body leaves a connection that can be reused", async () => {
  const ports: (number | undefined)[] = [];
  const { url } = await serve((incoming, outgoing) => {
    ports.push(incoming.socket.remotePort);
    outgoing.write("last word");
    setImmediate(() => outgoing.end());
  });
  for (let asked = 0; asked < 20; asked += 1)
    for await (const chunk of (await request({ url })).body) if (chunk.length > 0) break;
  expect(new Set(ports).size).toBeLessThan(20);
});

test("leaving the read loop early closes the connection", async () => {
  const closed = Promise.withResolvers<void>();
  const { url } = await serve((_, outgoing) => {
    outgoing.once("close", closed.resolve);
    outgoing.write("x");
  });
  for await (const chunk of (await request({ url })).body) {
    expect(chunk.length).toBe(1);
    break;
  }
  await closed.promise;
});

test("a process exits by itself when its request is done, although the connection is kept", async () => {
  const { url } = await serve((_, outgoing) => outgoing.end("bye"));
  const script = `process.stdout.write(await readAll((await request({ url: ${JSON.stringify(url)} })).body, 10));`;
  expect(await runScript(script)).toEqual(["bye", 0]);
});

test("a proxy named in the environment is used, but never for the local machine", async () => {
  const seen: (string | undefined)[] = [];
  const { url } = await serve((incoming, outgoing) => {
    seen.push(incoming.url);
    outgoing.end("ok");
  });
  const script = `for (const url of ["http://model.invalid/x", ${JSON.stringify(`${url}/y`)}])
    process.stdout.write(await readAll((await request({ url })).body, 10));`;
  expect(await runScript(script, { http_proxy: url, HTTP_PROXY: url, no_proxy: "", NO_PROXY: "" })).toEqual([
    "okok",
    0,
  ]);
  expect(seen).toEqual(["http://model.invalid/x", "/y"]);
});

test("an error behind a proxy names the proxy, without its password", async () => {
  const closes = await serveBytes("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
  const script = `await request({ url: "https://model.invalid/x" }).catch((error) =>
    process.stdout.write(error.code + ": " + error.message));`;
  const none = { https_proxy: "", HTTPS_PROXY: "", no_proxy: "", NO_PROXY: "" };
  const env = { ...none, https_proxy: `http://user:secret@127.0.0.1:${closes}` };
  expect(await runScript(script, env)).toEqual([
    `unreachable: model.invalid cannot be reached from here. https_proxy is set to http://127.0.0.1:${closes}: the proxy may be what fails.`,
    0,
  ]);
  expect(await runScript(script, { ...none, HTTPS_PROXY: "nonsense" })).toEqual([
    "dns: There is no host named model.invalid (or no network to ask). HTTPS_PROXY is set to something that is no address: the proxy may be what fails.",
    0,
  ]);
});

test("the local machine is recognised by all its names", () => {
  const hosts = [
    "localhost",
    "127.0.0.1",
    "127.3.2.1",
    "[::1]",
    "x.localhost",
    "127.0.0.1.example.org",
    "example.org",
  ];
  expect(hosts.map(isLoopback)).toEqual([true, true, true, true, true, false, false]);
});

/** Runs a script that uses this module in a separate process; returns its output and exit code. */
async function runScript(script: string, env: Record<string, string> = {}): Promise<[string, unknown]> {
  const imports = `import { request, readAll } from ${JSON.stringify(new URL("http.ts", import.meta.url).href)};`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", imports + script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  const [output, [code]] = await Promise.all([readAll(child.stdout, 1000), once(child, "exit")]);
  return [output, code];
}

async function serve(handle: (...of: Parameters<RequestListener>) => unknown) {
  const open = new Set<ServerResponse>();
  const server = createServer((incoming, outgoing) => {
    open.add(outgoing);
    void handle(incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

/** A server that sends these bytes to every client that connects. */
async function serveBytes(greeting: string): Promise<number> {
  const server = createTcpServer((socket) => {
    socket.on("error", () => socket.destroy());
    if (greeting !== "") socket.end(greeting);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

const told = (error: unknown): { code: string; message: string } => {
  expect(error).toBeInstanceOf(HttpProblem);
  const { code, message } = error as HttpProblem;
  expect(message).not.toContain("\n");
  return { code, message };
};

const problem = (asked: Parameters<typeof request>[0]) =>
  request(asked).then(() => expect.unreachable(), told);

const bodyProblem = (reply: HttpReply) =>
  readAll(reply.body, 1_000_000).then(() => expect.unreachable(), told);

test("a request says when it is on its way, while the server still thinks", async () => {
  const sent = Promise.withResolvers<void>();
  const { url } = await serve(async (incoming, outgoing) => {
    await readAll(incoming, 10);
    await sent.promise;
    outgoing.end("ok");
  });
  const reply = await request({ url, body: "go", sent: sent.resolve });
  expect(await readAll(reply.body, 10)).toBe("ok");
});
