/** An HTTP tool server for tests that requires a login, with its authorization service. */

import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { isObject, parseJson } from "../../../base/json.ts";

type OAuthServer = {
  /** Of the tool server. */
  url: string;
  /** The valid tokens; a removed token has expired. */
  tokens: Set<string>;
  /** The sessions that the tool server knows. */
  sessions: Set<string>;
  /** Requests to the authorization service, such as "POST /token refresh_token". */
  asked: string[];
  /** Invalidates all logins. */
  forget(): void;
  close(): Promise<void>;
};

type Service = Pick<OAuthServer, "tokens" | "asked" | "sessions"> & {
  origin: string;
  isOpen: boolean;
  authorize: string;
  codes: Map<string, { challenge: string; redirect: string }>;
  refreshes: Set<string>;
  count: number;
};

type OAuthRequest = { method: string; url: URL; body: string; bearer: string; session: string };
type OAuthAnswer = { status: number; body?: object; headers?: Record<string, string> };

/** `isOpen`: requires no login. `authorize`: the address that browsers are sent to. */
export async function oauthServer({ isOpen = false, authorize = "" } = {}): Promise<OAuthServer> {
  const service: Service = {
    tokens: new Set(),
    asked: [],
    sessions: new Set(),
    origin: "",
    isOpen,
    authorize,
    codes: new Map(),
    refreshes: new Set(),
    count: 0,
  };
  const server = createServer((request, response) => {
    const serve = async (): Promise<void> => {
      const { status, body, headers = {} } = answerTo(await askedIn(request, service), service);
      response.writeHead(status, { "content-type": "application/json", ...headers });
      response.end(body === undefined ? "" : JSON.stringify(body));
    };
    serve().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  service.origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
  return {
    url: `${service.origin}/mcp`,
    tokens: service.tokens,
    asked: service.asked,
    sessions: service.sessions,
    forget() {
      service.tokens.clear();
      service.refreshes.clear();
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function askedIn(request: IncomingMessage, { origin }: Service): Promise<OAuthRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(Buffer.from(piece));
  return {
    method: request.method ?? "",
    url: new URL(request.url ?? "/", origin),
    body: Buffer.concat(pieces).toString("utf8"),
    session: String(request.headers["mcp-session-id"] ?? ""),
    bearer: (request.headers.authorization ?? "").replace(/^Bearer /u, ""),
  };
}

function answerTo(asked: OAuthRequest, service: Service): OAuthAnswer {
  const { method, url, body } = asked;
  const { origin } = service;
  if (url.pathname === "/mcp") return toolAnswer(asked, service);
  const grant = url.pathname === "/token" ? ` ${new URLSearchParams(body).get("grant_type")}` : "";
  service.asked.push(`${method} ${url.pathname}${grant}`);
  if (url.pathname.startsWith("/.well-known/oauth-protected-resource"))
    return { status: 200, body: { resource: `${origin}/mcp`, authorization_servers: [origin] } };
  if (url.pathname.startsWith("/.well-known/oauth-authorization-server"))
    return { status: 200, body: metadataOf(service) };
  if (url.pathname === "/register")
    return { status: 201, body: { ...objectIn(body), client_id: "client-1" } };
  if (url.pathname === "/authorize") return sentBack(url.searchParams, service);
  return url.pathname === "/token" ? tokenFor(new URLSearchParams(body), service) : { status: 404, body: {} };
}

const metadataOf = ({ origin, authorize }: Service): object => ({
  issuer: origin,
  authorization_endpoint: authorize === "" ? `${origin}/authorize` : authorize,
  token_endpoint: `${origin}/token`,
  registration_endpoint: `${origin}/register`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
});

function sentBack(given: URLSearchParams, service: Service): OAuthAnswer {
  const redirect = given.get("redirect_uri") ?? "";
  service.count += 1;
  const code = `code-${service.count}`;
  service.codes.set(code, { challenge: given.get("code_challenge") ?? "", redirect });
  const back = new URL(redirect);
  back.searchParams.set("code", code);
  back.searchParams.set("state", given.get("state") ?? "");
  return { status: 302, headers: { location: back.href } };
}

function tokenFor(given: URLSearchParams, service: Service): OAuthAnswer {
  const grant = service.codes.get(given.get("code") ?? "");
  const proof = createHash("sha256")
    .update(given.get("code_verifier") ?? "")
    .digest("base64url");
  const isRight =
    given.get("grant_type") === "refresh_token"
      ? service.refreshes.delete(given.get("refresh_token") ?? "")
      : grant?.challenge === proof && grant.redirect === given.get("redirect_uri");
  if (!isRight) return { status: 400, body: { error: "invalid_grant" } };
  service.count += 1;
  const tokens = { access_token: `token-${service.count}`, refresh_token: `refresh-${service.count}` };
  service.tokens.add(tokens.access_token);
  service.refreshes.add(tokens.refresh_token);
  return { status: 200, body: { ...tokens, token_type: "Bearer", expires_in: 3600 } };
}

function toolAnswer({ method, body, bearer, session }: OAuthRequest, service: Service): OAuthAnswer {
  const { origin, tokens, isOpen, sessions } = service;
  const challenge = `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`;
  if (!isOpen && !tokens.has(bearer))
    return { status: 401, body: {}, headers: { "www-authenticate": challenge } };
  if (method !== "POST") return { status: 405, body: {} };
  const { id, method: asked } = objectIn(body);
  if (asked !== "initialize" && !sessions.has(session)) return { status: 404, body: {} };
  if (id === undefined) return { status: 202 };
  const headers: Record<string, string> = {};
  if (asked === "initialize") {
    service.count += 1;
    sessions.add(`session-${service.count}`);
    headers["mcp-session-id"] = `session-${service.count}`;
  }
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-06-18",
      capabilities: { tools: {} },
      serverInfo: { name: "closed", version: "1" },
    },
    "tools/list": { tools: [{ name: "whoami", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: `you came with ${bearer}` }] },
  };
  return { status: 200, body: { jsonrpc: "2.0", id, result: results[String(asked)] ?? {} }, headers };
}

function objectIn(body: string): Record<string, unknown> {
  const parsed = parseJson(body);
  return parsed.ok && isObject(parsed.value) ? parsed.value : {};
}
