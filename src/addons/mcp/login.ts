/** Logs a person in at a server, through the browser, which returns to an address on this machine. */

import { timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { randomHex } from "../../base/crypto.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import { addedServerBounds } from "../bounds.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { toolServerBounds } from "./bounds.ts";
import { type LoggingIn, loginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import { problemOf } from "./problems.ts";
import { loadSdk } from "./sdk.ts";
import type { McpServerSettings } from "./settings.ts";
import { plainLine } from "./words.ts";

type LoginContext = {
  logins: LoginStore;
  /** Shows the address to a person, and may open it. */
  show: (address: string) => void;
  signal: AbortSignal;
};

/** `isNew` is false if the server requires no login. The stored login stays until the new one is complete. */
export async function logIn(
  settings: McpServerSettings,
  { logins, show, signal }: LoginContext,
): Promise<Expected<{ isNew: boolean }>> {
  if (settings.url === undefined)
    return refuse("it runs on this machine and knows no login; its keys stand in its `env`");
  const state = randomHex(16);
  const ends = AbortSignal.any([signal, AbortSignal.timeout(toolServerBounds.login.most)]);
  const listening = await listen(settings.oauth?.callbackPort ?? 0).catch((error: unknown) => String(error));
  if (typeof listening === "string")
    return refuse(`the browser could not come back to this machine (${listening})`);
  const { server, redirectUrl } = listening;
  try {
    const back = comesBack(server, { state, signal: ends });
    back.catch(() => undefined); // avoids an unhandled rejection if nothing awaits it
    const isNew = await withServer(settings, {
      logins,
      loggingIn: { redirectUrl, state, show: (address) => show(address.href) },
      back,
      signal: ends,
    });
    return { ok: true, value: { isNew } };
  } catch (error) {
    signal.throwIfAborted();
    if (ends.aborted) return refuse("the browser did not come back in time: try again");
    return refuse(problemOf(error).words);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

type Going = {
  logins: LoginStore;
  loggingIn: LoggingIn;
  back: Promise<URLSearchParams>;
  signal: AbortSignal;
};

async function withServer(settings: McpServerSettings, going: Going): Promise<boolean> {
  const sdk = await loadSdk();
  const { oauth, headers, url = "", type } = settings;
  const authProvider = loginProvider(going.logins, {
    oauth,
    loggingIn: going.loggingIn,
  });
  const options = {
    fetch: boundedFetch(new URL(url), { headers }),
    authProvider,
    ...(headers ? { requestInit: { headers } } : {}),
  };
  const open = () =>
    type === "sse"
      ? new sdk.SSEClientTransport(new URL(url), options)
      : new sdk.StreamableHTTPClientTransport(new URL(url), options);
  const connectOnce = async (transport: ReturnType<typeof open>): Promise<void> => {
    const client = new sdk.Client({ name: "toolwright", version: "0" });
    try {
      await client.connect(transport, { timeout: addedServerBounds.start.most, signal: going.signal });
    } finally {
      await client.close().catch(() => undefined);
    }
  };
  const first = open();
  try {
    await connectOnce(first);
    return false;
  } catch (error) {
    if (problemOf(error).kind !== "login") throw error;
  }
  const params = await going.back;
  await first.finishAuth(params);
  await connectOnce(open());
  return true;
}

async function listen(port: number): Promise<{ server: Server; redirectUrl: string }> {
  const server = createServer({ requestTimeout: toolServerBounds.call.most, maxHeaderSize: mostHead });
  server.maxConnections = mostConnections;
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const at = typeof address === "object" && address ? address.port : port;
  return { server, redirectUrl: `http://127.0.0.1:${at}/callback` };
}

const mostHead = 16_384;
const mostConnections = 16;

/** Only the browser we opened knows the state; other requests learn nothing and change nothing. */
function comesBack(
  server: Server,
  { state, signal }: { state: string; signal: AbortSignal },
): Promise<URLSearchParams> {
  const { promise, resolve, reject } = Promise.withResolvers<URLSearchParams>();
  signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  server.on("request", (request, response) => {
    const address = URL.canParse(request.url ?? "", "http://127.0.0.1")
      ? new URL(request.url ?? "", "http://127.0.0.1")
      : undefined;
    const answer = (status: number, words: string): void => {
      response.writeHead(status, {
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": "default-src 'none'",
        connection: "close",
      });
      response.end(`<!doctype html><title>Toolwright</title><p>${words}</p>`);
    };
    if (request.method !== "GET" || address?.pathname !== "/callback")
      return answer(404, "There is nothing here.");
    const params = address.searchParams;
    if (!isSame(params.get("state") ?? "", state))
      return answer(400, "This is not the login that was begun.");
    const refusal = params.get("error");
    if (refusal !== null) {
      answer(200, "The login was refused. You can close this page.");
      const why = plainLine(params.get("error_description") ?? refusal, 300);
      return reject(new Error(`the service refused the login: ${why}`));
    }
    if (params.get("code") === null) return answer(400, "This is not the login that was begun.");
    answer(200, "You are logged in. You can close this page.");
    return resolve(params);
  });
  return promise;
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
