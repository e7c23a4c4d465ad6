/** A connection to one server through the official SDK: its capabilities, and requests to it. No answer is trusted. */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type {
  Client,
  JSONRPCMessage,
  RequestOptions,
  StandardSchemaV1,
  Transport,
} from "@modelcontextprotocol/client";
import { inTime } from "../../base/async.ts";
import { isJsonObject, isObject, type JsonObject } from "../../base/json.ts";
import { addedServerBounds } from "../bounds.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { exitTimeMs, longestRestMs, toolServerBounds } from "./bounds.ts";
import { endingCancelled } from "./cancelled-requests.ts";
import { loginProvider } from "./login-provider.ts";
import type { LoginStore } from "./login-store.ts";
import { isNothingThere, isRefusedByHttp } from "./problems.ts";
import { loadSdk, type Sdk } from "./sdk.ts";
import type { McpServerSettings } from "./settings.ts";
import { StdioConnection, type StdioOptions } from "./stdio.ts";
import { plainLine } from "./words.ts";

/** What is needed to start it, with variables expanded. */
export type Start = {
  name: string;
  settings: McpServerSettings;
  workspace: string;
  /** The environment for programs, without the server's own `env`. */
  environment: Readonly<Record<string, string>>;
  version: string;
  logins: LoginStore;
  /** The marker in the program's environment that identifies all of its descendants. */
  run: string;
  started?: StdioOptions["started"];
};

export const listKinds = ["tools", "resources", "prompts"] as const;
export type ListKind = (typeof listKinds)[number];

export type Events = {
  /** A list changed. Called for every such notification, however frequent. */
  changed(kind: ListKind): void;
  /** Messages were skipped because there were too many. Called each time. */
  floods(): void;
  /** The connection ended by itself. */
  closed(how: string | undefined): void;
};

export type Connection = {
  /** The server's display name. */
  title: string;
  instructions: string | undefined;
  has: Readonly<Record<ListKind, boolean>>;
  /** Sends any request; the answer is not validated. */
  ask(method: string, params: JsonObject, options?: RequestOptions): Promise<JsonObject>;
  close(): Promise<void>;
};

/** Throws on failure, with everything stopped. `signal` cancels it. */
export async function connect(start: Start, events: Events, signal: AbortSignal): Promise<Connection> {
  const sdk = await loadSdk();
  let problem: unknown;
  for (const way of waysTo(start.settings)) {
    signal.throwIfAborted();
    try {
      return await connectBy(way, { sdk, start, events, signal });
    } catch (error) {
      problem ??= error;
      // If the older transport finds nothing either, the first error is more informative.
      if (way.by === "sse" && problem !== error && isNothingThere(error)) throw problem;
      if (!mayTryOther(error, way, sdk)) throw error;
    }
  }
  throw problem;
}

/** Tried in order: what nearly all servers speak, then version negotiation, then the older transport. */
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

/** Only if the server's answer shows that it did not understand the request. */
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
      await inTime(transport.terminateSession(), { ms: exitTimeMs }).catch(() => undefined);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  try {
    await client.connect(transport, { timeout: addedServerBounds.start.most, signal });
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
    title: plainLine(client.getServerVersion()?.title ?? client.getServerVersion()?.name ?? start.name, 80),
    instructions: client.getInstructions(),
    has: { tools: tools !== undefined, resources: resources !== undefined, prompts: prompts !== undefined },
    ask: (method, params, options) => client.request({ method, params }, anyAnswer, options),
    close,
  };
}

/** Many servers send change notifications without declaring them, which the SDK would ignore. */
function hearUnannounced(client: Client, events: Events): void {
  const can = client.getServerCapabilities() ?? {};
  for (const kind of listKinds)
    if (can[kind] && can[kind].listChanged !== true)
      client.setNotificationHandler(`notifications/${kind}/list_changed`, () => events.changed(kind));
}

/** Readers validate each item: a tool with a missing field must not cost a server all its tools. */
const anyAnswer: StandardSchemaV1<unknown, JsonObject> = {
  "~standard": {
    version: 1,
    vendor: "toolwright",
    validate: (value) => (isAnswer(value) ? { value } : { issues: [{ message: "it is not an object" }] }),
  },
};

/** The value was parsed from JSON, so any object is a JsonObject. */
const isAnswer = (value: unknown): value is JsonObject => isObject(value);

function clientFor({ speaks }: Way, { sdk, start, events }: Omit<Connecting, "signal">): Client {
  const changed = (kind: ListKind) => ({
    autoRefresh: false,
    debounceMs: 0, // debouncing would starve under constant notifications
    onChanged: () => events.changed(kind),
  });
  const isTold = start.settings.roots !== false;
  const client = new sdk.Client(
    { name: "toolwright", title: "Toolwright", version: start.version },
    {
      capabilities: isTold ? { roots: {} } : {},
      versionNegotiation: { mode: speaks, probe: { timeoutMs: toolServerBounds.firstWait.most } },
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
      {
        command: [command, ...args],
        env: { ...environment, ...env },
        cwd: resolve(workspace, cwd ?? "."),
        run,
      },
      { isMessage, floods: () => events.floods(), started },
    );
  }
  const url = new URL(settings.url ?? "");
  const { oauth, headers } = settings;
  const options = {
    fetch: endingCancelled(boundedFetch(url, { floods: () => events.floods(), headers })),
    authProvider: loginProvider(start.logins, { oauth }),
    ...(headers ? { requestInit: { headers } } : {}),
  };
  if (by === "sse") return new sdk.SSEClientTransport(url, options);
  return new sdk.StreamableHTTPClientTransport(url, {
    ...options,
    onInsufficientScope: "throw",
    reconnectionOptions: {
      initialReconnectionDelay: 1_000,
      maxReconnectionDelay: longestRestMs,
      reconnectionDelayGrowFactor: 2,
      maxRetries: 3,
    },
  });
}

/** Reads a list page by page, up to a limit; `isCut`: there is more. */
export async function listAll(
  connection: Pick<Connection, "ask">,
  method: string,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<{ items: JsonObject[]; isCut: boolean }> {
  const { most } = toolServerBounds.listEntries;
  const items: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const params: JsonObject = cursor === undefined ? {} : { cursor };
    const answer = await connection.ask(method, params, { signal, timeout: addedServerBounds.start.most });
    const listed = answer[key];
    if (!Array.isArray(listed)) throw new Error(`its answer to ${method} has no list of ${key}`);
    items.push(...listed.filter(isJsonObject));
    const next = answer["nextCursor"];
    if (items.length > most) return { items: items.slice(0, most), isCut: true };
    if (typeof next !== "string" || next === cursor) return { items, isCut: false };
    cursor = next;
  }
  return { items, isCut: true };
}

const mostPages = 100;
