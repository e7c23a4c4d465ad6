/**
 * Turns a route and its handler into a router's function: validates the input, shapes the output by the route table.
 */

import type { Context } from "hono";
import * as z from "zod/mini";
import type { ResourceBound } from "../base/bound.ts";
import { otherProgramBounds } from "../base/bounds.ts";
import { checkedValue } from "../base/checked-value.ts";
import { type Expected, errorMessage } from "../base/expected.ts";
import { NotAllowed, SignedOut } from "../hosting/people/personal-host.ts";
import { CursorAhead, NoSuchSession } from "../hosting/session-host.ts";
import { type ApiRoute, routes } from "../remote/api.ts";
import { BodyCutOff, contentProblem, readJson } from "./body.ts";
import { gatewayBounds, mostCodeBytes } from "./bounds.ts";
import type { Bearer } from "./devices.ts";
import { isAllowed } from "./gateway-context.ts";
import { methods, type GatewayRefusal, refusal, refusalBody } from "./refusal.ts";
import { streamOf } from "./stream.ts";
import { strictHeaders } from "./strict-headers.ts";

type QueryOf<R> = R extends { query: infer Q extends z.ZodMiniType } ? z.output<Q> : undefined;
type BodyOf<R> = R extends { body: { schema: infer B extends z.ZodMiniType } } ? z.output<B> : undefined;

type RouteRequest<R extends ApiRoute> = RouteParameters & { query: QueryOf<R>; body: BodyOf<R> };

type RouteParameters = {
  /** Whom the request comes from; nobody where no token is needed. */
  bearer: Bearer | undefined;
  /** Ids of the session and the call from the path; otherwise empty. */
  id: string;
  callId: string;
  /** Bytes in a JSON body. */
  bodyBytes: number;
  request: Request;
};

type BodyPieces = string | AsyncIterable<string>;
type AnswerAs<R, Status> = R extends { schema: infer S extends z.ZodMiniType }
  ? { status: Status; value: z.input<S> }
  : R extends { stream: string }
    ? { status: Status; pieces: BodyPieces }
    : { status: Status };
type RouteReplies<R extends ApiRoute> = { [S in keyof R["replies"]]: AnswerAs<R["replies"][S], S> };
type RouteRefusal = { refused: GatewayRefusal };
type RouteAnswer<R extends ApiRoute> = RouteReplies<R>[keyof R["replies"]] | RouteRefusal;
/**
 * Method syntax makes the parameter bivariant, so one function can call every handler; it has validated the input by
 * the route's schemas.
 */
export type RouteHandler<R extends ApiRoute> = {
  run(asked: RouteRequest<R>): Promise<RouteAnswer<R>> | RouteAnswer<R>;
}["run"];

/** The request without its route-specific types. */
type AnyRouteRequest = RouteParameters & { query: unknown; body: unknown };
type AnyRouteAnswer = { status: number; value?: unknown; pieces?: BodyPieces } | RouteRefusal;
type AnyRun = { run(asked: AnyRouteRequest): Promise<AnyRouteAnswer> | AnyRouteAnswer }["run"];

type RouteContext = { failed: (error: unknown) => void };

/** What the door gives along with an admitted request. */
export type AdmittedFrom = { Bindings: { bearer?: Bearer | undefined } };

/** `runFor`: the handler as this bearer has it. */
export function serveRoute(
  route: ApiRoute,
  runFor: (bearer: Bearer | undefined) => AnyRun,
  context: RouteContext,
) {
  return async ({ req, env }: Context<AdmittedFrom>): Promise<Response> => {
    try {
      const { bearer } = env;
      if (route.needs !== "none" && !isAllowed(bearer, route.needs)) throw new NotAllowed(route.needs);
      const parameters = { bearer, id: req.param("id"), callId: req.param("callId") };
      const asked = await readAsked(route, req.raw, parameters);
      return await responseOf(route, "refused" in asked ? asked : await runFor(bearer)(asked));
    } catch (error) {
      return refusedResponse(refusalFor(error, context));
    }
  };
}

const checkedAs = (schema: z.ZodMiniType | undefined, value: unknown, what: string): Expected<unknown> =>
  schema ? checkedValue(schema, value, what) : { ok: true, value: undefined };

/** Of a route that takes none. Whoever looks whether the gateway lives may have one against caches. */
const queryOf = ({ needs }: ApiRoute): z.ZodMiniType | undefined =>
  needs === "none" ? undefined : z.object({});

type GivenParameters = Pick<RouteParameters, "bearer"> & {
  id: string | undefined;
  callId: string | undefined;
};

async function readAsked(
  route: ApiRoute,
  request: Request,
  { bearer, id = "", callId = "" }: GivenParameters,
): Promise<AnyRouteRequest | RouteRefusal> {
  const given = Object.fromEntries(new URL(request.url).searchParams);
  const query = checkedAs(route.query ?? queryOf(route), given, "The query");
  if (!query.ok) return badRequest(query.problem);
  const body = await readBody(route, request);
  if ("refused" in body) return body;
  return { bearer, id, callId, request, query: query.value, body: body.value, bodyBytes: body.bytes };
}

const { bodyBytes } = gatewayBounds;

async function readBody(
  route: ApiRoute,
  request: Request,
): Promise<{ value: unknown; bytes: number } | RouteRefusal> {
  const { body } = route;
  if (route.method !== "POST") return { value: undefined, bytes: 0 };
  if (body?.stream !== undefined) {
    const refused = contentProblem(request, body.stream);
    return refused ? { refused } : { value: undefined, bytes: 0 };
  }
  const read = await readJson(request, mostOf(route));
  if (!read.ok) return read;
  const value = checkedAs(body?.schema, read.value, "The body");
  return value.ok ? { value: value.value, bytes: read.bytes } : badRequest(value.problem);
}

/** Only messages may contain images. */
function mostOf({ needs, path }: ApiRoute): Pick<ResourceBound, "most" | "unit"> {
  if (needs === "none") return { most: mostCodeBytes, unit: "bytes" };
  return saying.has(path) ? otherProgramBounds.message : bodyBytes;
}

const saying: ReadonlySet<string> = new Set([routes.command.path, routes.create.path]);

export const badRequest = (problem: string): RouteRefusal => ({
  refused: refusal(400, "bad-request", problem),
});

async function responseOf(route: ApiRoute, answer: AnyRouteAnswer): Promise<Response> {
  if ("refused" in answer) return refusedResponse(answer.refused);
  const { status, value, pieces } = answer;
  if (pieces !== undefined) {
    const type = route.replies[status]?.stream ?? "text/plain; charset=utf-8";
    const body = typeof pieces === "string" ? pieces : await streamOf(pieces);
    return new Response(body, { status, headers: { ...strictHeaders, "content-type": type } });
  }
  if (value === undefined) return new Response(null, { status, headers: strictHeaders });
  return jsonResponse(status, JSON.stringify(value));
}

export const refusedResponse = (refused: GatewayRefusal): Response =>
  jsonResponse(refused.status, refusalBody(refused), refused);

function jsonResponse(status: number, body: string, refused?: GatewayRefusal): Response {
  const headers = { ...strictHeaders, ...headersOf(refused), "content-type": "application/json" };
  return new Response(body, { status, headers });
}

/** The headers that belong to a status. */
export function headersOf(refused: GatewayRefusal | undefined): Record<string, string> {
  if (refused?.status === 405) return { allow: methods.join(", ") };
  if (refused?.status === 401) return { "www-authenticate": "Bearer" };
  return refused?.status === 429 || refused?.status === 503 ? { "retry-after": "1" } : {};
}

/** Maps expected failures of lower layers by name; any other error is internal. */
function refusalFor(error: unknown, { failed }: RouteContext): GatewayRefusal {
  const message = errorMessage(error);
  if (error instanceof BodyCutOff) return refusal(400, "bad-request", message);
  if (error instanceof NoSuchSession) return refusal(404, "no-such-session", message);
  if (error instanceof NotAllowed) return refusal(403, "not-allowed", message);
  if (error instanceof SignedOut) return refusal(401, "unauthorized", message);
  if (error instanceof CursorAhead) return refusal(409, "cursor-ahead", message);
  if (error instanceof Error && error.name === "SessionHeld") return refusal(409, "session-held", message);
  if (error instanceof Error && storeErrors.has(error.name)) return refusal(503, "store", message);
  failed(error);
  return refusal(500, "failed", `That went wrong in the gateway, and its log says more: ${message}`);
}

const storeErrors: ReadonlySet<string> = new Set(["StoreError", "StaleEpoch"]);
