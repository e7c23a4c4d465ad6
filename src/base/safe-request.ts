/**
 * Fetches URLs that a model requests: only from public addresses, each resolved once and connected to exactly as
 * checked, within fixed limits.
 */

import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { durationInWords } from "./amounts.ts";
import { untilAborted } from "./async.ts";
import { kib } from "./bound.ts";
import { bodyOf, type BodyLimits } from "./bounded-body.ts";
import { pageRequestBounds } from "./bounds.ts";
import { type Expected, refuse } from "./expected.ts";
import { whyNotPublic } from "./public-address.ts";
import { readWebAddress, shownAddress, wayOut, type WebAddress } from "./web-address.ts";

/** A decompressed page that may have grown by any factor, in bytes. */
const mostRatioFrom = 256 * kib;
/** Headers of a fetched page, in bytes. */
const mostHeaders = 32 * kib;
/** Silence of a server during a fetch, in milliseconds. */
const pageRequestSilenceMs = 10_000;

export type ResolvedAddress = { address: string; family: number };
/** Resolves a host name; the system's resolver by default. */
export type Resolve = (name: string) => Promise<readonly ResolvedAddress[]>;

export type SafeRequest = {
  url: string;
  signal: AbortSignal;
  accept: string;
  /** Hosts that may be fetched wherever they are. */
  named?: readonly string[] | undefined;
  resolve?: Resolve | undefined;
  limits?: Partial<SafeLimits> | undefined;
};

/** In milliseconds: for the whole request, redirects included, and for silence. */
type SafeLimits = BodyLimits & { wholeMs: number; silenceMs: number };

export type WebResponse = {
  /** The final URL, after redirects. */
  url: URL;
  status: number;
  /** The Content-Type as sent; empty if there is none. */
  type: string;
  bytes: Uint8Array;
};

const { page, ratio, time, redirects } = pageRequestBounds;
const usual: SafeLimits = {
  bytes: page.most,
  ratio: ratio.most,
  ratioFrom: mostRatioFrom,
  wholeMs: time.most,
  silenceMs: pageRequestSilenceMs,
};

/** The problem is a sentence for the model. Never throws; to detect an abort, check the signal. */
export async function fetchSafely(request: SafeRequest): Promise<Expected<WebResponse>> {
  const limits = { ...usual, ...request.limits };
  const late = AbortSignal.timeout(limits.wholeMs);
  const context = { ...request, limits, late, signal: AbortSignal.any([request.signal, late]) };
  const first = readWebAddress(request.url, request.named);
  if (!first.ok) return first;
  let address = first.value;
  for (let hops = 0; ; hops += 1) {
    const got = await fetchOne(address, context);
    if (!got.ok || !("redirectedTo" in got.value)) return withoutRedirect(got);
    if (hops >= redirects.most)
      return problem(`${shownAddress(request.url)} redirects more than ${redirects.most} times.`);
    const next = nextAddress(address, got.value.redirectedTo, request.named);
    if (!next.ok) return next;
    address = next.value;
  }
}

type SafeRequestContext = SafeRequest & { limits: SafeLimits; late: AbortSignal };
type Got = WebResponse | { redirectedTo: string };

const problem = (words: string): { ok: false; problem: string } => refuse(words);

function withoutRedirect(got: Expected<Got>): Expected<WebResponse> {
  if (!got.ok) return got;
  return "redirectedTo" in got.value ? problem("It redirects.") : { ok: true, value: got.value };
}

/** Only this host was approved: a redirect to another one needs a new request. */
function nextAddress(from: WebAddress, to: string, named: readonly string[] = []): Expected<WebAddress> {
  const origin = shownAddress(from.url.href);
  const target = URL.canParse(to, from.url.href) ? new URL(to, from.url.href).href : undefined;
  if (target === undefined) return problem(`${origin} redirects to something that is no address.`);
  const next = readWebAddress(target, named);
  if (!next.ok) return problem(`${origin} redirects elsewhere, which was not followed: ${next.problem}`);
  if (from.url.protocol === "https:" && next.value.url.protocol === "http:")
    return problem(
      `${origin} redirects to ${shownAddress(target)}, without encryption, which was not followed.`,
    );
  if (next.value.host !== from.host)
    return problem(
      `${origin} redirects to another host, which was not followed: fetch ${shownAddress(target)} if that is what you want.`,
    );
  return next;
}

async function fetchOne(address: WebAddress, context: SafeRequestContext): Promise<Expected<Got>> {
  const { url } = address;
  try {
    context.signal.throwIfAborted();
    const found = await addressesOf(address, context);
    if (!found.ok) return found;
    const incoming = await send(address, found.value, context);
    const { statusCode: status = 0, headers: told } = incoming;
    const { location } = told;
    if (redirecting.has(status) && location !== undefined) {
      incoming.destroy();
      return { ok: true, value: { redirectedTo: asUtf8(location) } };
    }
    const body = await bodyOf(incoming, context.limits, context.signal);
    if (!body.ok) return problem(`${shownAddress(url.href)} ${body.problem}`);
    const type = told["content-type"] ?? "";
    return { ok: true, value: { url, status, type, bytes: body.value } };
  } catch (error) {
    return problem(wordsOf(error, address, context));
  }
}

/** The redirecting statuses; a 304 may also carry a Location. */
const redirecting: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Node decodes header bytes as Latin-1, but servers write URLs in UTF-8. */
const asUtf8 = (header: string): string => Buffer.from(header, "latin1").toString("utf8");

/** All addresses of the name must be public: of several, a non-public one could be used next time. */
async function addressesOf(
  { url, host, isNamed }: WebAddress,
  context: SafeRequestContext,
): Promise<Expected<readonly ResolvedAddress[]>> {
  const name = url.hostname.replace(/^\[|\]$/gu, "");
  const version = isIP(name);
  if (version !== 0) return { ok: true, value: [{ address: name, family: version }] };
  const answers = await untilAborted((context.resolve ?? systemResolver)(name), context.signal);
  if (answers.length === 0) return problem(`There is no host named ${name}.`);
  const is = answers.map(({ address }) => whyNotPublic(address)).find((one) => one !== undefined);
  if (is === undefined || isNamed) return { ok: true, value: answers };
  return problem(
    `${name} is not on the public web (its address is that of ${is}), and is not fetched. ${wayOut(host)}`,
  );
}

const systemResolver: Resolve = (name) =>
  process.getBuiltinModule("node:dns/promises").lookup(name, { all: true });

/** One connection for this request only: no proxy, no cookies, no keep-alive. */
function send(
  { url }: WebAddress,
  answers: readonly ResolvedAddress[],
  context: SafeRequestContext,
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const isSecure = url.protocol === "https:";
  const http = isSecure ? process.getBuiltinModule("node:https") : process.getBuiltinModule("node:http");
  const outgoing = http.request(url, {
    agent: new http.Agent({ keepAlive: false }),
    headers: {
      "user-agent": "toolwright",
      accept: context.accept,
      "accept-encoding": "gzip, deflate, br, zstd",
      connection: "close",
    },
    lookup: (_name, options, tell) => {
      const [first] = answers;
      if (options.all) tell(null, [...answers]);
      else tell(null, first?.address ?? "", first?.family);
    },
    maxHeaderSize: mostHeaders,
    signal: context.signal,
  });
  outgoing.setTimeout(context.limits.silenceMs, () => outgoing.destroy(new SilenceError()));
  outgoing.on("error", reject);
  // After a 101 (another protocol) Node closes the connection without an error.
  outgoing.on("close", () => reject(new OtherProtocol()));
  outgoing.on("response", (incoming) => {
    // The body alone only reports that it was cut off, not why.
    outgoing.on("error", (error) => {
      if (!incoming.complete) incoming.destroy(error);
    });
    resolve(incoming);
  });
  outgoing.end();
  return promise;
}

class SilenceError extends Error {
  override readonly name = "Silence";
}

class OtherProtocol extends Error {
  override readonly name = "OtherProtocol";
}

function wordsOf(error: unknown, { url, host }: WebAddress, { late, limits }: SafeRequestContext): string {
  if (late.aborted)
    return `${host} took longer than ${durationInWords(limits.wholeMs)}; it was given up.${noProxy()}`;
  if (error instanceof SilenceError)
    return `${host} sent nothing for ${durationInWords(limits.silenceMs)}; it was given up.${noProxy()}`;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const known = causes[code];
  if (known !== undefined) return `${host} ${known}.${noProxy()}`;
  if (code === "HPE_HEADER_OVERFLOW") return `${host} sent more headers than are read.`;
  if (error instanceof OtherProtocol || code.startsWith("HPE_"))
    return `What answers at ${url.origin} does not speak HTTP as it should.`;
  if (code === "EPROTO")
    return `There is no secure connection to ${host}: what answers there speaks no TLS, or none that is safe.`;
  const why = error instanceof Error ? error.message.replaceAll(/\s+/gu, " ").slice(0, 200) : String(error);
  if (/CERT|SSL|TLS|SIGNATURE|EPROTO/u.test(code)) return `There is no secure connection to ${host}: ${why}.`;
  return `The connection to ${host} broke off (${why}).`;
}

const causes: Readonly<Record<string, string>> = {
  ENOTFOUND: "has no address: there is no such host, or no network to ask",
  EAI_AGAIN: "has no address: there is no such host, or no network to ask",
  ENODATA: "has no address",
  ECONNREFUSED: "refuses the connection",
  EHOSTUNREACH: "cannot be reached from here",
  ENETUNREACH: "cannot be reached from here",
  EADDRNOTAVAIL: "cannot be reached from here",
  ETIMEDOUT: "does not answer",
};

/** A proxy would resolve the name again, where its addresses cannot be checked. */
function noProxy(): string {
  const names = ["https_proxy", "http_proxy", "all_proxy"].flatMap((name) => [name, name.toUpperCase()]);
  return names.some((name) => process.env[name])
    ? " (A proxy is set here; it is not used, because only who resolves a name can check where it leads.)"
    : "";
}
