/** Builds the gateway's OpenAPI 3.1 document from the route table that also validates input. */

import type { Json, JsonObject } from "../base/json.ts";
import { problemReply, type Reply, type ApiRoute, type RouteName, routes } from "./api.ts";
import { pathNames } from "./asking.ts";
import { socketPath } from "./frames.ts";
import { queryParameters, reference, schemaComponents } from "./openapi-schemas.ts";

/** `url`: the gateway's address. */
type DocumentOf = { version: string; url: string };

export function openApiDocument({ version, url }: DocumentOf): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<ApiRoute>(routes)) {
    const path = route.path.replaceAll(/:(\w+)/gu, "{$1}");
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(name, route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Toolwright gateway",
      version,
      description: `Sessions of a coding agent. Everything here, and many sessions at once, also goes over a WebSocket at ${socketPath}.`,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "The gateway's token, or one for a code." },
      },
      responses: Object.fromEntries(
        Object.entries(problems).map(([status, says]) => [problemName(status), problemResponse(says)]),
      ),
      schemas: schemaComponents(),
    },
  };
}

/** What each status means when the reply is a `problem`. */
const problems: Readonly<Record<string, string>> = {
  400: "What was asked cannot be understood.",
  401: "The token is missing or not known.",
  403: "Asked by a name, or from a page, that is not allowed.",
  404: "There is no such thing.",
  409: "It cannot be done as things are now.",
  413: "What was sent is too large.",
  415: "What was sent is of another content type.",
  429: "Too much was asked in a short time.",
  500: "It went wrong in the gateway.",
  503: "The gateway is stopping, or too busy.",
  default: problemReply.says,
};

const problemName = (status: string): string => `Problem${status}`;
const problemResponse = (says: string): JsonObject => ({
  description: says,
  content: { "application/json": { schema: reference(problemReply.schema) } },
});

/** A bare verb may be a reserved word or clash with a method of a generated client. */
export const operationId = (name: string): string => (verbs.has(name) ? `${name}Session` : name);
const verbs: ReadonlySet<string> = new Set<RouteName>(["create", "import", "export", "remove", "fork"]);

function operation(name: string, route: ApiRoute): JsonObject {
  const parameters = [
    ...pathNames(route.path).map(pathParameter),
    ...(route.query ? queryParameters(route.query) : []),
  ];
  const { body } = route;
  return {
    operationId: operationId(name),
    summary: route.says,
    ...(route.needs === "none" ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(body ? { requestBody: { required: true, content: contentOf(body, examples[name]) } } : {}),
    ...(!body && route.method === "POST" ? { requestBody: emptyBody } : {}),
    responses: responsesOf(route),
  };
}

const pathParameter = (name: string): JsonObject => ({
  name,
  in: "path",
  required: true,
  description: name === "callId" ? "The id of a call." : "The id of a session.",
  schema: { type: "string" },
});

function responsesOf(route: ApiRoute): JsonObject {
  const own = Object.entries(route.replies).map(([status, reply]): [string, JsonObject] => [
    status,
    { description: reply.says, ...(isEmpty(reply) ? {} : { content: replyContent(status, reply) }) },
  ]);
  const others = problemStatuses(route)
    .filter((status) => !(status in route.replies))
    .map((status): [string, JsonObject] => [
      status,
      { $ref: `#/components/responses/${problemName(status)}` },
    ]);
  return Object.fromEntries([...own, ...others]);
}

const isEmpty = ({ schema, stream }: Reply): boolean => schema === undefined && stream === undefined;

/** A refusal with its own schema may still be a `problem` instead. */
function replyContent(status: string, reply: Reply): JsonObject {
  if (!reply.schema || Number(status) < 400) return contentOf(reply);
  const either = [reference(reply.schema), reference(problemReply.schema)];
  return { "application/json": { schema: { anyOf: either } } };
}

/** The body may be left out, but no other content type is accepted. */
const emptyBody: JsonObject = {
  required: false,
  content: { "application/json": { schema: { type: "object" }, example: {} } },
};

function problemStatuses({ path, method, needs }: ApiRoute): string[] {
  return Object.keys(problems).filter((status) => {
    if (status === "404") return path.includes(":");
    if (status === "409") return path.includes(":") || method === "POST";
    if (status === "413" || status === "415") return method === "POST";
    return needs === "none" ? status !== "403" : true;
  });
}

function contentOf({ schema, stream }: Pick<Reply, "schema" | "stream">, example?: Json): JsonObject {
  if (stream !== undefined) return { [stream]: { schema: { type: "string" } } };
  if (!schema) return {};
  return { "application/json": { schema: reference(schema), ...(example === undefined ? {} : { example }) } };
}

const examples: Readonly<Partial<Record<string, Json>>> = {
  exchange: { code: "kR3v0dM1x9" },
  lendToolServers: {
    workspace: "/home/ada/project",
    servers: {
      editor: { url: "http://127.0.0.1:41234/mcp", headers: { authorization: "Bearer …" }, reads: true },
    },
  },
  create: { workspace: "/home/ada/project", mode: "staged", title: "The failing test" },
  command: { type: "send", content: [{ type: "text", text: "Make the tests pass." }] },
  fork: { beforeTurn: 3 },
  outcome: { as: "push", to: "mend-the-shop" },
  share: { person: "bob@example.org", right: "read" },
} satisfies { [Name in RouteName]?: Json };
