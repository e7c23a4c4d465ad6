/** The program's HTTP client: every reply is a stream, and every way to stall has a timeout. */

import { Agent, request as plainRequest } from "node:http";
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { durationInWords } from "./amounts.ts";
import { httpBounds } from "./bounds.ts";

type HttpRequest = {
  url: string;
  /** "GET" without a body, "POST" with one by default. */
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array | undefined;
  /** Aborting closes the connection at once. */
  signal?: AbortSignal | undefined;
  /** Called when the whole request is on its way. */
  sent?: (() => void) | undefined;
  /** Milliseconds until the connection is established; 10,000 by default. */
  connectMs?: number | undefined;
  /** Milliseconds from the connection to the reply's headers, and from there to its first byte; 120,000 by default. */
  firstByteMs?: number | undefined;
  /** Milliseconds of silence between two bytes; a function is called before each wait; 120,000 by default. */
  idleMs?: number | (() => number) | undefined;
};

/** Header names are in lower case; values of repeated headers are joined by ", ". */
export type HttpReply = {
  status: number;
  headers: Record<string, string>;
  /** Read it to the end or leave the loop: either frees the connection. Throws HttpProblem if the connection breaks. */
  body: AsyncIterable<Uint8Array>;
};

export type HttpProblemCode =
  | "refused"
  | "unreachable"
  | "reset"
  | "dns"
  | "tls"
  | "not-http"
  | "bad-request"
  | "timeout-connect"
  | "timeout-first"
  | "timeout-idle"
  | "aborted";

/** Why there is no (complete) reply. `message` names the host, never the path, the headers or the body. */
export class HttpProblem extends Error {
  override readonly name = "HttpProblem";
  readonly code: HttpProblemCode;

  constructor(code: HttpProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** Sends a request and waits for the headers of its reply. Throws HttpProblem. */
export async function request(asked: HttpRequest): Promise<HttpReply> {
  const url = parseUrl(asked.url);
  try {
    return await send(url, asked);
  } catch (error) {
    // The server closed a keep-alive connection just as it was reused: nothing was processed, so retry once.
    if (error instanceof StaleConnection) return send(url, asked, { fresh: true });
    throw error;
  }
}

/** Reads the body as text; anything beyond `maxBytes` is not read. */
export async function readAll(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - bytes));
    bytes += chunk.length;
    if (bytes >= maxBytes) break;
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** Whether a host is this computer: such requests never go through a proxy. */
export const isLoopback = (host: string): boolean =>
  host === "localhost" || host.endsWith(".localhost") || host === "[::1]" || /^127(\.\d+){3}$/.test(host);

class StaleConnection extends HttpProblem {}

const { connectTime, silence } = httpBounds;
const defaults = { connectMs: connectTime.most, firstByteMs: silence.most, idleMs: silence.most };

/** `fresh`: use a new connection even if an idle one is available. */
function send(url: URL, asked: HttpRequest, { fresh } = { fresh: false }): Promise<HttpReply> {
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  if (asked.signal?.aborted) return Promise.reject(problemOf("aborted", url, asked));
  const content = typeof asked.body === "string" ? Buffer.from(asked.body) : asked.body;
  const outgoing = open(url, asked, { bytes: content?.length, fresh });
  let ours: HttpProblem | undefined;
  const explain = (error: unknown): HttpProblem => ours ?? understand(error, url, asked);
  const stop = (code: HttpProblemCode): void => {
    ours = problemOf(code, url, asked);
    outgoing.destroy(ours);
  };
  const abort = (): void => stop("aborted");
  const clock = stopwatch(stop);
  const over = (): void => {
    clock.stop();
    asked.signal?.removeEventListener("abort", abort);
  };
  asked.signal?.addEventListener("abort", abort, { once: true });
  clock.start("timeout-connect", asked.connectMs ?? defaults.connectMs);
  whenConnected(outgoing, url, () => clock.start("timeout-first", asked.firstByteMs ?? defaults.firstByteMs));
  outgoing.on("error", (error) => {
    over();
    const problem = explain(error);
    const stale = outgoing.reusedSocket && problem.code === "reset";
    reject(stale ? new StaleConnection("reset", problem.message, error) : problem);
  });
  // After a 101 (another protocol) Node closes the connection without an error.
  outgoing.on("close", () => reject(problemOf("not-http", url, asked)));
  outgoing.on("response", (incoming) => {
    clock.stop();
    const body = bytesOf(incoming, { clock, asked, over, explain });
    resolve({ status: incoming.statusCode ?? 0, headers: flatten(incoming), body });
  });
  if (asked.sent) outgoing.once("finish", asked.sent);
  outgoing.end(content);
  return promise;
}

type SendOptions = { bytes: number | undefined; fresh: boolean };

function open(url: URL, asked: HttpRequest, { bytes, fresh }: SendOptions): ClientRequest {
  const options: RequestOptions = {
    method: asked.method ?? (bytes === undefined ? "GET" : "POST"),
    headers: {
      accept: "*/*",
      ...(bytes === undefined ? {} : { "content-length": String(bytes) }),
      ...asked.headers,
    },
    agent: fresh ? false : agentFor(url),
  };
  try {
    return url.protocol === "https:" ? secure().request(url, options) : plainRequest(url, options);
  } catch (error) {
    // Node refuses a header with control characters; its message names the header, not its value.
    throw new HttpProblem("bad-request", `The request to ${url.host} cannot be sent: ${wordsOf(error)}`);
  }
}

/** Loaded on first use, not imported: a model on this computer needs no TLS. */
const secure = () => process.getBuiltinModule("node:https");

const agents = new Map<string, Agent>();

/** Idle keep-alive connections are unreferenced (Node's rule), so they never keep the process alive. */
function agentFor(url: URL): Agent {
  const direct = isLoopback(url.hostname);
  const key = `${url.protocol}${direct ? "direct" : "proxied"}`;
  const known = agents.get(key);
  if (known) return known;
  const options = { keepAlive: true, ...(direct ? {} : { proxyEnv: process.env }) };
  const agent = url.protocol === "https:" ? new (secure().Agent)(options) : new Agent(options);
  agents.set(key, agent);
  return agent;
}

function whenConnected(outgoing: ClientRequest, url: URL, then: () => void): void {
  outgoing.once("socket", (socket) => {
    if (!socket.connecting && outgoing.reusedSocket) then();
    else socket.once(url.protocol === "https:" ? "secureConnect" : "connect", then);
  });
}

type TimeoutCode = "timeout-connect" | "timeout-first" | "timeout-idle";
type Stopwatch = { start(code: TimeoutCode, ms: number): void; pause(): void; stop(): void };

/**
 * One timer for all phases of a request; it does not run while paused, when the reader is busy rather than the server.
 */
function stopwatch(expire: (code: TimeoutCode) => void): Stopwatch {
  let timer: NodeJS.Timeout | undefined;
  let running: { code: TimeoutCode; ms: number } | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    running = undefined;
  };
  let waiting = false;
  return {
    start(code, ms) {
      waiting = true;
      if (timer && running?.code === code && running.ms === ms) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      running = { code, ms };
      timer = setTimeout(() => {
        if (waiting) expire(code);
      }, ms);
      timer.unref();
    },
    pause() {
      waiting = false;
    },
    stop,
  };
}

type BodyContext = {
  clock: Stopwatch;
  asked: HttpRequest;
  over: () => void;
  explain: (error: unknown) => HttpProblem;
};

async function* bytesOf(incoming: IncomingMessage, context: BodyContext): AsyncGenerator<Uint8Array> {
  const chunks: AsyncIterator<Uint8Array> = incoming[Symbol.asyncIterator]();
  const first = context.asked.firstByteMs ?? defaults.firstByteMs;
  try {
    for (let heard = false; ; heard = true) {
      if (heard) context.clock.start("timeout-idle", idleOf(context.asked));
      else context.clock.start("timeout-first", Math.max(first, idleOf(context.asked)));
      const next = await chunks.next();
      context.clock.pause();
      if (next.done) return;
      yield next.value;
    }
  } catch (error) {
    throw context.explain(error);
  } finally {
    context.over();
    void leave(incoming, chunks);
  }
}

/** How long an abandoned reply may take to end. */
const endMs = 100;

/**
 * Frees the connection. A reader that stops at the last piece of data has not read the end mark, which is about to
 * arrive: after it the connection can be reused, whereas a new one costs 1 ms here and a handshake elsewhere.
 */
async function leave(incoming: IncomingMessage, chunks: AsyncIterator<Uint8Array>): Promise<void> {
  const timer = setTimeout(() => incoming.destroy(), endMs);
  try {
    while ((await chunks.next()).done !== true);
  } catch {
    // Broken or aborted: the connection is already closed.
  }
  clearTimeout(timer);
  incoming.destroy();
}

const idleOf = ({ idleMs = defaults.idleMs }: HttpRequest): number =>
  typeof idleMs === "function" ? idleMs() : idleMs;

function flatten(incoming: IncomingMessage): Record<string, string> {
  const flat = Object.entries(incoming.headers).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.join(", ") : (value ?? ""),
  ]);
  return Object.fromEntries(flat);
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && (url.protocol === "http:" || url.protocol === "https:")) return url;
  throw new HttpProblem(
    "bad-request",
    `${JSON.stringify(text)} is not a URL that starts with http:// or https://.`,
  );
}

function understand(error: unknown, url: URL, asked: HttpRequest): HttpProblem {
  return error instanceof HttpProblem ? error : problemOf(codeOf(error), url, asked, error);
}

function codeOf(error: unknown): HttpProblemCode {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = systemCodes[code];
  if (known) return known;
  if (code.startsWith("HPE_")) return "not-http";
  if (/CERT|SSL|TLS|SIGNATURE|EPROTO/.test(code)) return "tls";
  return "reset";
}

const systemCodes: Readonly<Record<string, HttpProblemCode>> = {
  ECONNREFUSED: "refused",
  EHOSTUNREACH: "unreachable",
  ENETUNREACH: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  ERR_PROXY_TUNNEL: "unreachable",
  ENOTFOUND: "dns",
  EAI_AGAIN: "dns",
  ETIMEDOUT: "timeout-connect",
};

function problemOf(code: HttpProblemCode, url: URL, asked: HttpRequest, cause?: unknown): HttpProblem {
  const words: Record<HttpProblemCode, string> = {
    refused: `Nothing answers at ${url.origin} (connection refused).`,
    unreachable: `${url.host} cannot be reached from here.`,
    reset: `The connection to ${url.host} broke off.`,
    dns: `There is no host named ${url.hostname} (or no network to ask).`,
    tls: `No secure connection to ${url.host}: ${wordsOf(cause)}.`,
    "not-http": `What answers at ${url.origin} does not speak HTTP.`,
    "bad-request": `The request to ${url.host} cannot be sent.`,
    "timeout-connect": `No connection to ${url.host} within ${durationInWords(asked.connectMs ?? defaults.connectMs)}.`,
    "timeout-first": `${url.host} took the request, but sent nothing for ${durationInWords(asked.firstByteMs ?? defaults.firstByteMs)}.`,
    "timeout-idle": `${url.host} fell silent for ${durationInWords(idleOf(asked))} in the middle of its answer.`,
    aborted: `The request to ${url.host} was stopped.`,
  };
  return new HttpProblem(code, `${words[code]}${onTheWay.has(code) ? proxyNote(url) : ""}`, cause);
}

/** Problems that a proxy can cause. */
const onTheWay: ReadonlySet<HttpProblemCode> = new Set([
  "refused",
  "unreachable",
  "reset",
  "dns",
  "not-http",
  "timeout-connect",
]);

/** Omits the user name and password that a proxy URL often contains. */
function proxyNote({ protocol, hostname }: URL): string {
  const lower = `${protocol.slice(0, -1)}_proxy`;
  const name = [lower, lower.toUpperCase()].find((one) => process.env[one]);
  if (name === undefined || isLoopback(hostname)) return "";
  const address = process.env[name] ?? "";
  const proxy = URL.canParse(address) ? new URL(address) : undefined;
  const shown = proxy ? `${proxy.protocol}//${proxy.host}` : "something that is no address";
  return ` ${name} is set to ${shown}: the proxy may be what fails.`;
}

/** OpenSSL's message for a peer that answers in plain text is a paragraph of source positions. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return "no reason was given";
  if ("code" in error && error.code === "EPROTO")
    return "what answers there does not speak TLS (try http://)";
  return error.message.replaceAll(/\s+/g, " ").slice(0, 200);
}
