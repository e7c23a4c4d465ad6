/** Routes that read a session: live events, pages of facts, full results, changes, and context usage. */

import { mostPageFacts, mostFollowedFacts } from "../base/bounds.ts";
import { CursorAhead } from "../hosting/session-host.ts";
import type { Entry } from "../protocol/facts.ts";
import { context as contextSchema, review as reviewSchema } from "../remote/api-reports.ts";
import { slashCommands as slashSchema } from "../remote/api-values.ts";
import type { routes } from "../remote/api.ts";
import { gatewayBounds } from "./bounds.ts";
import { eventStream } from "./event-stream.ts";
import { eventJson } from "./following.ts";
import type { GatewayContext } from "./gateway-context.ts";
import { refusal } from "./refusal.ts";
import { badRequest, type RouteHandler } from "./route.ts";
import { conflict, noSuchSession } from "./session-routes.ts";
import { wholeNumber } from "./whole-number.ts";

type ReadingRoutes = typeof routes;
const { listEntries, queueBytes } = gatewayBounds;
const anyNumber = { from: 0, to: Number.MAX_SAFE_INTEGER, otherwise: 0 };
const usualFacts = { from: 1, to: listEntries.most, otherwise: mostPageFacts };

export function readingRoutes(gateway: GatewayContext) {
  const { host } = gateway;
  const facts: RouteHandler<ReadingRoutes["facts"]> = async ({ id, query }) => {
    const after = wholeNumber("after", query.after, anyNumber);
    const limit = wholeNumber("limit", query.limit, usualFacts);
    if (!after.ok) return badRequest(after.problem);
    if (!limit.ok) return badRequest(limit.problem);
    const value = await pageOf(gateway, id, { after: after.value, limit: limit.value });
    if (value.facts.length === 0 && !(await exists(gateway, id))) return { refused: noSuchSession(id) };
    return { status: 200, value };
  };
  const result: RouteHandler<ReadingRoutes["result"]> = async ({ id, callId }) => {
    if (!(await exists(gateway, id))) return { refused: noSuchSession(id) };
    const text = await host.result(id, callId);
    return text.ok
      ? { status: 200, pieces: text.value }
      : { refused: refusal(404, "no-such-result", text.problem) };
  };
  const review: RouteHandler<ReadingRoutes["review"]> = async ({ id, query }) => {
    const turn = wholeNumber("turn", query.turn, { ...anyNumber, from: 1 });
    if (!turn.ok) return badRequest(turn.problem);
    const found = await host.review(id, query.turn === undefined ? undefined : turn.value);
    return found.ok ? { status: 200, value: reviewSchema.parse(found.value) } : conflict(found.problem);
  };
  const context: RouteHandler<ReadingRoutes["context"]> = async ({ id }) => {
    const found = await host.context(id);
    return found.ok ? { status: 200, value: contextSchema.parse(found.value) } : conflict(found.problem);
  };
  const outcome: RouteHandler<ReadingRoutes["outcome"]> = async ({ id, body }) => {
    const found = await host.outcome(id, body);
    return found.ok ? { status: 200, value: found.value } : conflict(found.problem);
  };
  return { ...eventsRoute(gateway), ...slashRoutes(gateway), facts, result, review, context, outcome };
}

function slashRoutes({ host }: GatewayContext) {
  const slashCommands: RouteHandler<ReadingRoutes["slashCommands"]> = async ({ id }) => {
    const found = await host.slashCommands({ session: id });
    return found.ok ? { status: 200, value: slashSchema.parse(found.value) } : conflict(found.problem);
  };
  const workspaceCommands: RouteHandler<ReadingRoutes["workspaceCommands"]> = async ({
    query: { workspace },
  }) => {
    const found = await host.slashCommands(workspace === undefined ? {} : { workspace });
    return found.ok ? { status: 200, value: slashSchema.parse(found.value) } : badRequest(found.problem);
  };
  return { slashCommands, workspaceCommands };
}

/** Returns fewer facts than requested if they are long, because a page is held in memory as a whole. */
async function pageOf(
  { host }: GatewayContext,
  id: string,
  { after, limit }: { after: number; limit: number },
) {
  const facts: Entry[] = [];
  let length = 0;
  for (let cursor = after; ;) {
    const some = await host.facts(id, cursor, mostFollowedFacts);
    for (const entry of some) {
      if (facts.length >= limit || length > queueBytes.most) return { facts, more: true };
      facts.push(asStored(entry));
      length += eventJson(entry).length;
      cursor = entry.seq;
    }
    if (some.length === 0) return { facts, more: false };
  }
}

/** A fact that this version does not know is sent as it was read. */
const asStored = (entry: Entry): Entry =>
  entry.type === "unknown" ? Object.assign({ ...entry }, { toJSON: () => entry.original }) : entry;

function eventsRoute(gateway: GatewayContext) {
  const events: RouteHandler<ReadingRoutes["events"]> = async ({ id, query, request }) => {
    const last = request.headers.get("last-event-id");
    const after = wholeNumber("after", last || query.after, anyNumber);
    if (!after.ok) return badRequest(after.problem);
    if (!(await exists(gateway, id))) return { refused: noSuchSession(id) };
    if (!(await hasFact(gateway, id, after.value)))
      return { refused: refusal(409, "cursor-ahead", new CursorAhead(id, after.value).message) };
    const signal = AbortSignal.any([request.signal, gateway.closing]);
    const followed = gateway.host.follow(id, after.value, { signal, person: query.person === "1" });
    return { status: 200, pieces: eventStream(followed, gateway) };
  };
  return { events };
}

const hasFact = async ({ host }: GatewayContext, id: string, seq: number): Promise<boolean> =>
  seq === 0 || (await host.facts(id, seq - 1, 1)).length > 0;

/** Every session has a first fact. */
const exists = async ({ host }: GatewayContext, id: string): Promise<boolean> =>
  (await host.facts(id, 0, 1)).length > 0;
