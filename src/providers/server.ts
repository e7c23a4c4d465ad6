/** Requests to a model server, and its failures in words that a person can act on. */

import { durationInWords } from "../base/amounts.ts";
import { sleep } from "../base/async.ts";
import { mib } from "../base/bound.ts";
import { httpBounds } from "../base/bounds.ts";
import { HttpProblem, readAll, request, type HttpReply } from "../base/http.ts";
import { isObject, parseJson, type Json, type JsonObject } from "../base/json.ts";
import type { Ask } from "../protocol/messages.ts";
import { ModelError, type ModelErrorKind } from "../protocol/model-events.ts";
import { loadWire } from "../wires/load.ts";
import type { WireName } from "../wires/wire.ts";
import { providerBounds } from "./bounds.ts";
import { decompressReply } from "./decompress-reply.ts";

export type Server = {
  /** The provider's name, as in "provider/model". */
  provider: string;
  wire: WireName;
  /** With the version prefix that the wire expects, without a trailing slash. */
  baseUrl: string;
  key?: string | undefined;
  /** Names of the environment variables that may hold a key. */
  keyNames: readonly string[];
  /** Where the key is from, in words. */
  keyFrom?: string | undefined;
  /** Sent with every request, overriding those of the wire; names in lower case. They may hold secrets. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** On this computer or in the local network: slow replies are normal. */
  local: boolean;
  /** What to do if there is no reply; a sentence. */
  unreachableAdvice: string;
  /** Told what a request waits for, in a sentence. */
  told?: ((words: string) => void) | undefined;
  /** Adapts a request body for a server that departs from its wire. */
  adjust?: ((body: JsonObject, ask?: Ask) => JsonObject) | undefined;
};

/** Milliseconds. `firstTokenMs` covers everything up to the first content of an answer. */
export type Timeouts = { connectMs: number; firstTokenMs: number; idleMs: number };

/** A local server may process a long prompt for minutes, and holds a long call back until it is complete. */
export const timeoutsFor = ({ local }: Server): Timeouts =>
  local ? timeouts(providerBounds.localSilence.most) : timeouts(httpBounds.silence.most);

const timeouts = (silence: number): Timeouts => ({
  connectMs: httpBounds.connectTime.most,
  firstTokenMs: silence,
  idleMs: silence,
});

/** Sends one request to the server. Throws ModelError, or the signal's reason if aborted. */
export async function callServer(
  server: Server,
  path: string,
  asked: Partial<Omit<Parameters<typeof request>[0], "url">>,
): Promise<HttpReply> {
  const { key, baseUrl } = server;
  const wire = await loadWire(server.wire);
  const content: Record<string, string> =
    asked.body === undefined ? {} : { "content-type": "application/json" };
  const headers = { ...content, ...wire.headers(key), ...asked.headers, ...server.headers };
  const reply = decompressReply(await request({ ...asked, url: baseUrl + path, headers }));
  if (reply.status >= 200 && reply.status < 300) return reply;
  if (reply.status >= 300 && reply.status < 400) throw redirectError(reply);
  const body = await readAll(reply.body, maxErrorBytes);
  throw wire.decodeError(reply.status, reply.headers, body);
}

/** `withinMs`: the longest for everything, from the connection to the end of the document. */
export type DocumentWait = { signal?: AbortSignal; withinMs?: number };

type DocumentRequest = DocumentWait & { body?: JsonObject };

/** Requests a JSON document from the server. One that is still loading its model is waited for. Throws ModelError. */
export async function fetchJson(
  server: Server,
  path: string,
  { withinMs = providerBounds.localSilence.most, ...asked }: DocumentRequest = {},
): Promise<Json> {
  const endsAt = performance.now() + withinMs;
  for (let waits = 0; ; waits += 1) {
    try {
      return await fetchOnce(server, path, {
        ...asked,
        withinMs: Math.max(1, Math.ceil(endsAt - performance.now())),
      });
    } catch (error) {
      if (!isLoading(error) || performance.now() + loadingPause > endsAt) throw error;
      if (waits === 0) server.told?.(`${server.provider} is still loading its model: it is waited for.`);
      await sleep(loadingPause, asked.signal);
    }
  }
}

/** As llama-server says it, whatever it is asked. */
export const isLoading = (error: unknown): error is ModelError =>
  error instanceof ModelError && error.status === 503 && /loading model/iu.test(error.said ?? error.message);

const loadingPause = 250;

async function fetchOnce(
  server: Server,
  path: string,
  { body, signal, withinMs }: DocumentRequest & { withinMs: number },
): Promise<Json> {
  const late = AbortSignal.timeout(withinMs);
  try {
    const reply = await callServer(server, path, {
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, late]) : late,
      firstByteMs: patience,
      idleMs: patience,
    });
    const parsed = parseJson(await readAll(reply.body, maxDocumentBytes));
    if (parsed.ok) return parsed.value;
    throw new ModelError(
      "malformed",
      `What answers at ${new URL(server.baseUrl).origin} is not ${server.provider}: it sent no JSON.`,
      { advice: "Check the base URL." },
    );
  } catch (error) {
    throw late.aborted ? tooLate(server, withinMs) : explainFailure(error, server);
  }
}

function tooLate({ baseUrl, unreachableAdvice }: Server, withinMs: number): ModelError {
  const words = `${new URL(baseUrl).host} gave no answer within ${durationInWords(withinMs)}.`;
  return new ModelError("timeout", words, { advice: `${unreachableAdvice}, ${another}` });
}

/** Silence of a model server that is asked for its models, in milliseconds. */
const patience = 30_000;
/** The text of a model server's error, in bytes. */
const maxErrorBytes = mib;
/** A list of models, or another document of a model server, in bytes. */
const maxDocumentBytes = 32 * mib;

function redirectError({ status, headers }: HttpReply): ModelError {
  const place = headers["location"];
  const to = place ? `to ${place.slice(0, 200)}` : "elsewhere";
  const advice = place ? "Use that as the base URL." : "Check the base URL.";
  return new ModelError("bad-request", `The server sends us ${to} (${status}).`, { advice, status });
}

/**
 * Converts a failure into the single error of an answer: with advice, without the key. Unexpected errors stay
 * unchanged.
 */
export function explainFailure(error: unknown, server: Server, midStream = false): unknown {
  if (error instanceof HttpProblem) {
    const advice = adviceFor(error, server);
    const fault = midStream ? ("incomplete_stream" as const) : undefined;
    const message = withoutSecrets(error.message, server);
    return new ModelError(kindOf(error), message, { advice, midStream, fault, cause: error });
  }
  if (!(error instanceof ModelError)) return error;
  return error.with({
    message: withoutSecrets(error.message, server),
    advice: keyAdvice(error, server) ?? error.advice,
    said: error.said === undefined ? undefined : withoutSecrets(error.said, server),
    midStream: midStream || error.midStream,
    // Any other cause may hold a secret.
    cause: error.cause instanceof HttpProblem ? error.cause : undefined,
  });
}

function kindOf({ code }: HttpProblem): ModelErrorKind {
  if (code.startsWith("timeout")) return "timeout";
  return code === "bad-request" || code === "not-http" ? "bad-request" : "network";
}

const another = "or choose another model.";

function adviceFor({ code }: HttpProblem, server: Server): string | undefined {
  switch (code) {
    case "refused":
    case "timeout-connect":
      return `${server.unreachableAdvice}, ${another}`;
    case "dns":
    case "unreachable":
      return `Check the network and the base URL, ${another}`;
    case "tls":
      return "If a proxy or a private authority signs here, name its certificate in NODE_EXTRA_CA_CERTS.";
    case "not-http":
      return `Check the base URL of ${server.provider}.`;
    case "bad-request":
      return "Check the base URL and the key.";
    case "reset":
    case "timeout-first":
    case "timeout-idle":
      return "Try again in a moment.";
    case "aborted":
      return undefined;
    default:
      return code satisfies never;
  }
}

function keyAdvice({ kind }: ModelError, { key, keyNames, keyFrom }: Server): string | undefined {
  const from = keyFrom ?? keyNames.join(" or ");
  if (kind !== "auth" || from === "") return undefined;
  return key === undefined ? `No key was sent: set ${from}.` : `Is ${from} right?`;
}

/** Servers like to repeat the key that they refuse. Texts too short to be a key are not replaced. */
function withoutSecrets(text: string, { key, headers = {} }: Server): string {
  const secrets = [key ?? "", ...Object.values(headers)].filter((secret) => secret.length >= 8);
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((left, secret) => left.replaceAll(secret, "[key]"), text);
}

/** Whether a whole JSON reply with status 200 contains an error. */
export const hasError = (value: unknown): boolean =>
  isObject(value) && Object.hasOwn(value, "error") && value["error"] !== null && value["error"] !== undefined;
