/**
 * A connection to one server, by the official SDK: what it offers, and asking it. Nothing it answers is taken on trust.
 */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Client,
  JSONRPCMessage,
  RequestOptions,
  StandardSchemaV1,
  Transport,
} from "@modelcontextprotocol/client";
import { bounds } from "../../base/bounds.ts";
import { isJsonObject, isObject, type Json, type JsonObject } from "../../base/json.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { type LoggingIn, loginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import { isNothingThere, isRefusedByHttp } from "./problems.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import type { McpServerSettings } from "./settings.ts";
import { StdioConnection } from "./stdio.ts";
import { plainLine } from "./words.ts";

/** As it is started: expanded, and for what is beside it. */
export type Start = {
  name: string;
  settings: McpServerSettings;
  workspace: string;
  /** Of a program, without its own. */
  environment: Readonly<Record<string, string>>;
  version: string;
  logins: LoginStore;
  loggingIn?: LoggingIn;
  /** The mark of a program, by which all that comes of it is known. */
  run: string;
  started?: (pid: number, marker: string) => void;
};

export type ListKind = "tools" | "resources" | "prompts";

export type Events = {
  /** A list of its has changed. Told as often as it says so. */
  changed(kind: ListKind): void;
  /** It says more than is read. Told as often as it does. */
  floods(): void;
  /** It has ended by itself. */
  closed(how: string | undefined): void;
};

export type Connection = {
  client: Client;
  /** What it calls itself. */
  title: string;
  instructions: string | undefined;
  has: Readonly<Record<ListKind, boolean>>;
  /** Any request, with an answer that nobody has checked. */
  ask(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  close(): Promise<void>;
};

/** Throws what went wrong; nothing is left running then. `signal` gives it up. */
export async function connect(start: Start, events: Events, signal: AbortSignal): Promise<Connection> {
  const sdk = await loadSdk();
  let problem: unknown;
  for (const way of waysTo(start.settings)) {
    signal.throwIfAborted();
    try {
      return await connectBy(way, { sdk, start, events, signal });
    } catch (error) {
      problem ??= error;
      // Where the older way leads nowhere either, the first answer tells more.
      if (way.by === "sse" && problem !== error && isNothingThere(error)) throw problem;
      if (!mayTryOther(error, way, sdk)) throw error;
    }
  }
  throw problem;
}

/** The first is what nearly all speak; then the newest, then what was before. */
type Way = { by: "stdio" | "http" | "sse"; speaks: "legacy" | "auto" };

function waysTo({ type, command }: McpServerSettings): Way[] {
  if (command !== undefined)
    return [
      { by: "stdio", speaks: "legacy" },
      { by: "stdio", speaks: "auto" },
    ];
  if (type === "sse") return [{ by: "sse", speaks: "legacy" }];
  return [
    { by: "http", speaks: "legacy" },
    { by: "http", speaks: "auto" },
    { by: "sse", speaks: "legacy" },
  ];
}

/** Only where the server has answered that it does not know what was asked. */
function mayTryOther(error: unknown, { by }: Way, { ProtocolError }: Sdk): boolean {
  if (error instanceof ProtocolError) return true;
  return by === "http" && isRefusedByHttp(error);
}

type Connecting = { sdk: Sdk; start: Start; events: Events; signal: AbortSignal };

async function connectBy(way: Way, { sdk, start, events, signal }: Connecting): Promise<Connection> {
  const transport = transportBy(way, sdk, { start, events });
  const client = clientFor(way, { sdk, start, events });
  const close = async (): Promise<void> => {
    Object.assign(client, { onclose: undefined });
    if (transport instanceof sdk.StreamableHTTPClientTransport && transport.sessionId !== undefined)
      await inTime(transport.terminateSession());
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, { timeout: bounds.servers.start.most, signal });
  } catch (error) {
    const how = transport instanceof StdioConnection ? transport.end : undefined;
    await close();
    throw how === undefined ? error : new Error(how, { cause: error });
  }
  Object.assign(client, {
    onclose: () => events.closed(transport instanceof StdioConnection ? transport.end : undefined),
  });
  const { tools, resources, prompts } = client.getServerCapabilities() ?? {};
  hearUnannounced(client, events);
  return {
    client,
    title: plainLine(client.getServerVersion()?.title ?? client.getServerVersion()?.name ?? start.name, 80),
    instructions: client.getInstructions(),
    has: { tools: tools !== undefined, resources: resources !== undefined, prompts: prompts !== undefined },
    ask: (method, params, options) => client.request({ method, params }, anyAnswer, options),
    close,
  };
}

/** Many tell of changes without having said that they would; then the SDK does not listen. */
function hearUnannounced(client: Client, events: Events): void {
  const can = client.getServerCapabilities() ?? {};
  for (const kind of ["tools", "resources", "prompts"] as const)
    if (can[kind] && can[kind].listChanged !== true)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => events.changed(kind));
}

/** Checked by whoever reads it: servers that forget a field of one tool must not lose all their tools. */
const anyAnswer: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "toolwright",
    validate: (value) => (isAnswer(value) ? { value } : { issues: [{ message: "it is not an object" }] }),
  },
};

/** It came out of JSON. */
const isAnswer = (value: unknown): value is JsonObject => isObject(value);

async function inTime(work: Promise<unknown>): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = setTimeout(late.resolve, bounds.servers.goodbye.most);
  await Promise.race([work.catch(() => undefined), late.promise]);
  clearTimeout(timer);
}

function clientFor({ speaks }: Way, { sdk, start, events }: Omit<Connecting, "signal">): Client {
  const changed = (kind: ListKind) => ({
    autoRefresh: false,
    debounceMs: 0, // a server that goes on saying so would never be asked
    onChanged: () => events.changed(kind),
  });
  const isTold = start.settings.roots !== false;
  const client = new sdk.Client(
    { name: "toolwright", title: "Toolwright", version: start.version },
    {
      capabilities: isTold ? { roots: {} } : {},
      versionNegotiation: { mode: speaks, probe: { timeoutMs: bounds.servers.firstWait.most } },
      listChanged: { tools: changed("tools"), resources: changed("resources"), prompts: changed("prompts") },
    },
  );
  const roots = [{ uri: pathToFileURL(start.workspace).href, name: "workspace" }];
  if (isTold) client.setRequestHandler("roots/list", () => ({ roots }));
  return client;
}

function transportBy(
  { by }: Way,
  sdk: Sdk,
  { start, events }: Pick<Connecting, "start" | "events">,
): Transport {
  const { settings, workspace, environment, run, started } = start;
  if (by === "stdio") {
    const { command = "", args = [], env = {}, cwd } = settings;
    const isMessage = (value: unknown): value is JSONRPCMessage =>
      sdk.isJSONRPCRequest(value) || sdk.isJSONRPCNotification(value) || sdk.isJSONRPCResponse(value);
    return new StdioConnection(
      { command, args, env: { ...environment, ...env }, cwd: resolve(workspace, cwd ?? "."), run },
      { isMessage, floods: () => events.floods(), ...(started ? { started } : {}) },
    );
  }
  const url = new URL(settings.url ?? "");
  const { oauth, headers } = settings;
  const options = {
    fetch: boundedFetch(url, { floods: () => events.floods(), headers }),
    authProvider: loginProvider(start.logins, {
      ...(oauth ? { oauth } : {}),
      ...(start.loggingIn ? { loggingIn: start.loggingIn } : {}),
    }),
    ...(headers ? { requestInit: { headers } } : {}),
  };
  if (by === "sse") return new sdk.SSEClientTransport(url, options);
  return new sdk.StreamableHTTPClientTransport(url, {
    ...options,
    onInsufficientScope: "throw",
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: bounds.servers.rest.most,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
}

/** All of a list, page by page, up to a bound; `isCut`: there is more. */
export async function listAll(
  connection: Pick<Connection, "ask">,
  method: string,
  { key, most, signal }: { key: string; most: number; signal: AbortSignal },
): Promise<{ items: JsonObject[]; isCut: boolean }> {
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params: JsonObject = cursor === undefined ? {} : { cursor };
    const answer = await connection.ask(method, params, { signal, timeout: bounds.servers.start.most });
    const listed = answer[key];
    if (!Array.isArray(listed)) throw new Error(`its answer to ${method} has no list of ${key}`);
    items.push(...listed.filter(isObjectHere));
    const next = answer["nextCursor"];
    if (items.length > most) return { items: items.slice(0, most), isCut: true };
    if (typeof next !== "string" || next === cursor) return { items, isCut: false };
    cursor = next;
  }
  return { items, isCut: true };
}

const mostPages = 100;
const isObjectHere = (value: Json): value is JsonObject => value !== null && isJsonObject(value);
