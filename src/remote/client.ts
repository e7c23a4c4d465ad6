/**
 * The typed client of a gateway: a method for each route, and a live connection for many sessions. It also runs in
 * browsers.
 */

import { isObject } from "../base/json.ts";
import { type RouteName, type ApiRoute, routes } from "./api.ts";
import { unknownOutcome } from "./asked-commands.ts";
import { ask, type ApiRequest, type GatewayEndpoint, pathNames, valueOf } from "./asking.ts";
import { gatewayConnectMs } from "./bounds.ts";
import type { GatewayMethods } from "./client-types.ts";
import { piecesOf } from "./event-stream.ts";
import { followedEvents, type EventStreamContext } from "./followed-events.ts";
import { clientCodes, GatewayError } from "./gateway-error.ts";
import { LiveConnection } from "./live.ts";
import type { SocketMaker } from "./socket.ts";

/** The gateway's address and the client's credentials. @public */
export type ConnectOptions = {
  /** Like "http://127.0.0.1:4141"; in the gateway's own page `location.origin`. */
  url: string;
  /** Only `exchange` works without a token. */
  token?: string;
  /** The platform's `fetch` by default. */
  fetch?: typeof globalThis.fetch;
  WebSocket?: SocketMaker;
  /** Source of "online" events: the browser's window by default. */
  network?: EventTarget;
  /** Returns numbers from 0 to 1, for the delays between retries. */
  random?: () => number;
};

/** A client of one gateway. @public */
export type Client = GatewayMethods & {
  /** Starts connecting at once; the caller must close it. */
  live(): LiveConnection;
};

/** Sends no request yet. Throws a TypeError if the address is invalid. @public */
export function connect(options: ConnectOptions): Client {
  const { token, random } = options;
  const url = new URL(options.url).href.replace(/\/+$/u, "");
  const gateway = { url, token, random, fetch: options.fetch ?? globalThis.fetch };
  const names: RouteName[] = Object.keys(routes).filter(isRouteName);
  // The route table determines these types, but the compiler cannot follow them through a loop.
  const methods: GatewayMethods = Object.fromEntries(
    names.map((name): readonly unknown[] => [name, methodOf(routes[name], gateway)]),
  );
  return { ...methods, live: () => liveOf(methods, gateway, options) };
}

const isRouteName = (name: string): name is RouteName => Object.hasOwn(routes, name);

/** `given`: the path parameters, then the body or the query, then the options. */
function methodOf(route: ApiRoute, gateway: EventStreamContext): (...given: unknown[]) => unknown {
  const names = pathNames(route.path);
  return (...given) => {
    const rest = given.slice(names.length);
    const payload = route.body || route.query ? rest.shift() : undefined;
    const options: unknown = rest[0];
    const asked: ApiRequest = {
      path: given.slice(0, names.length).map(String),
      signal: isObject(options) && options["signal"] instanceof AbortSignal ? options["signal"] : undefined,
      ...(route.body ? { body: payload } : {}),
      ...(route.query && isObject(payload) ? { query: payload } : {}),
    };
    return answerTo(route, asked, gateway);
  };
}

function answerTo(route: ApiRoute, asked: ApiRequest, gateway: EventStreamContext): unknown {
  const streams = Object.values(route.replies).map(({ stream }) => stream);
  if (streams.includes("text/event-stream")) return followedEvents(asked, gateway);
  if (streams.includes("application/x-ndjson")) return pieces(route, asked, gateway);
  return ask(route, asked, gateway).then((response) => valueOf(route, response));
}

async function* pieces(
  route: ApiRoute,
  asked: ApiRequest,
  gateway: GatewayEndpoint,
): AsyncGenerator<Uint8Array, void> {
  const response = await ask(route, asked, gateway);
  yield* piecesOf(response.body);
}

function liveOf(methods: GatewayMethods, { url }: GatewayEndpoint, options: ConnectOptions): LiveConnection {
  const { token, WebSocket = globalThis.WebSocket, network = browserWindow() } = options;
  if (token === undefined) throw new TypeError("A live connection needs a token.");
  if (typeof WebSocket !== "function")
    throw new TypeError("There is no WebSocket here: give one to connect.");
  return new LiveConnection({
    url,
    token,
    WebSocket,
    network,
    random: options.random,
    refusal: () => refusal(methods),
    request: (session, command) =>
      methods.command(session, command).catch((error: unknown) => {
        throw error instanceof GatewayError && error.code === clientCodes.unreachable
          ? unknownOutcome(error)
          : error;
      }),
  });
}

function browserWindow(): EventTarget | undefined {
  const place: unknown = globalThis;
  return place instanceof EventTarget ? place : undefined;
}

/** Why the token is refused; undefined if it is accepted. */
async function refusal(methods: GatewayMethods): Promise<string | undefined> {
  try {
    await methods.health({ signal: AbortSignal.timeout(gatewayConnectMs) });
    return undefined;
  } catch (error) {
    const isRefused = error instanceof GatewayError && [401, 403].includes(error.status);
    return isRefused ? error.message : undefined;
  }
}
