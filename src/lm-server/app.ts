/** The language-model server as a function from requests to replies: authorises, dispatches and logs. */

import type { HttpBindings } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { getPath } from "hono/utils/url";
import { otherProgramBounds } from "../base/bounds.ts";
import { readJsonBody } from "../base/json-body.ts";
import type { Prompt } from "../providers/provider.ts";
import type { ClientRequest, ModelInventory } from "../wires/model-list.ts";
import type { Wire } from "../wires/wire.ts";
import { answer } from "./exchange.ts";
import { type ReceivedRequest, checkPlace, clientOf, type GuardOptions } from "./guard.ts";
import { withoutKeys } from "./key-path.ts";
import { ownerName, type LimitedClient } from "./limits.ts";
import type { Meter } from "./meter.ts";
import type { Metrics } from "./metrics.ts";
import { type ModelPool, servedTo } from "./models.ts";
import { forPage, isPreflight, pageOf, preflight } from "./pages.ts";
import { RequestRefusal, refusalResponse } from "./refusal.ts";
import { type WireCandidate, likelyWire, routesOfWires } from "./routes.ts";
import type { Visit, Visits } from "./visits.ts";

export type AppOptions = GuardOptions & {
  models: ModelPool;
  meter: Meter;
  metrics: Metrics;
  visits: Visits;
  /** Estimates a prompt's tokens. */
  count: (prompt: Prompt) => number;
  /** Aborted when the server stops. */
  closing: AbortSignal;
};

/** Present for requests from the network, absent for those made in this process. */
type AppEnvironment = { Bindings: Partial<HttpBindings> };
export type LmApp = Hono<AppEnvironment>;

/** Its `routes` are the complete list. */
export function lmApp(options: AppOptions): LmApp {
  const app: LmApp = new Hono({ getPath: (request) => tidyPath(getPath(request)) });
  const routes = routesOfWires();
  const shown = (path: string): string =>
    withoutKeys(path, (text) => options.clients.find([text]) !== undefined);
  const nothingAt = (path: string): RequestRefusal =>
    new RequestRefusal(404, `There is nothing at ${shown(path)}.`);
  const serve = (
    context: Context<AppEnvironment>,
    attending: Pick<RequestContext, "give" | "wireOf" | "route">,
  ) => attend(context, { options, shown, ...attending });
  const nearest = (question: ClientRequest): Wire => likelyWire(question, routes);

  app.get("/", (context) => serve(context, { give: greet, wireOf: nearest, route: "/" }));
  app.get("/metrics", (context) => serve(context, { give: measure, wireOf: nearest, route: "/metrics" }));
  for (const { method, path, candidates } of routes) {
    const meant = (question: ClientRequest): WireCandidate | undefined =>
      candidates.find(({ isAsked }) => isAsked(question));
    const give: Give = (place) => {
      const candidate = meant(place.question);
      if (!candidate) throw nothingAt(place.question.path);
      return reply(candidate, place);
    };
    const wireOf = (question: ClientRequest): Wire => meant(question)?.wire ?? nearest(question);
    app.on(method, path, (context) => serve(context, { give, wireOf, route: path }));
  }
  app.notFound((context) => {
    const { method, path } = context.req;
    const other = ["GET", "POST"].find((one) => one !== method && app.router.match(one, path)[0].length > 0);
    const why = other
      ? new RequestRefusal(405, `${shown(path)} is asked with ${other}.`, { allow: other })
      : nothingAt(path);
    return serve(context, { give: () => Promise.reject(why), wireOf: nearest, route: undefined });
  });
  return app;
}

/** A slash at the end, and a prefix that stands in the base URL and in the client's own path, are forgiven. */
const tidyPath = (path: string): string =>
  path.replace(/^(\/v1|\/v1beta|\/v2|\/api)\1+(?=\/)/, "$1").replace(/(?<=[^/])\/$/, "");

const greet: Give = async ({ visit }) => {
  visit.over(200);
  return new Response("Toolwright's language-model server is running.\n");
};

/** Tells of every client, so it is only for the owner. */
const measure: Give = async ({ visit, client, options }) => {
  if (client.name !== ownerName)
    throw new RequestRefusal(403, "The figures of this server need its own token.");
  visit.over(200);
  return new Response(options.metrics.text(options.visits.running()), {
    headers: { "content-type": "text/plain; version=0.0.4; charset=utf-8" },
  });
};

/** A request that is ready to be answered. */
type AnswerableRequest = {
  context: Context<AppEnvironment>;
  question: ClientRequest;
  visit: Visit;
  client: LimitedClient;
  /** Those that the client may ask for. */
  models: ModelPool;
  options: AppOptions;
};
/** Produces the reply; ends the visit once the reply is complete. */
type Give = (place: AnswerableRequest) => Promise<Response>;

type RequestContext = {
  options: AppOptions;
  give: Give;
  /** A path as it may be logged. */
  shown: (path: string) => string;
  /** The wire format for refusals. */
  wireOf: (question: ClientRequest) => Wire;
  /** The route's path in the table; undefined for unknown paths. */
  route: string | undefined;
};

async function attend(context: Context<AppEnvironment>, attending: RequestContext): Promise<Response> {
  const { options, shown } = attending;
  const question = questionOf(context);
  const { method } = context.req;
  const visit = options.visits.arrive({ method, path: shown(question.path), header: question.header });
  const asked = askedOf(context, question);
  const page = pageOf(asked.raw, options.origins);
  const response = await admitRequest({ context, question, visit, asked, page }, attending);
  for (const name of idHeaders) response.headers.set(name, visit.id);
  return forPage(response, page);
}

/** The headers that OpenAI's and Anthropic's clients show for a failure. */
const idHeaders = ["x-request-id", "request-id"];

type IncomingRequest = Pick<AnswerableRequest, "context" | "question" | "visit"> & {
  asked: ReceivedRequest;
  page: string | undefined;
};

async function admitRequest(
  { asked, page, ...place }: IncomingRequest,
  attending: RequestContext,
): Promise<Response> {
  const { options, give, wireOf, route } = attending;
  const { context, question, visit } = place;
  try {
    checkPlace(asked, options);
    if (page !== undefined && isPreflight(context.req.method, asked.raw)) {
      visit.over(204);
      return preflight(asked.raw);
    }
    const client = clientOf(asked, options.clients);
    visit.note({ client: client.name });
    visit.heard?.accepted(route);
    visit.begin();
    const models = servedTo(options.models, client.limits.models);
    return await give({ ...place, client, models, options });
  } catch (thrown) {
    const response = refusalResponse(wireOf(question), thrown);
    const isGone = context.req.raw.signal.aborted;
    if (isGone) visit.note({ broken: true });
    else visit.failed(thrown);
    visit.over(isGone ? clientGone : response.status);
    return response;
  }
}

/** Follows the convention of other servers' logs; never sent to a client. */
const clientGone = 499;

async function reply({ wire, tell }: WireCandidate, place: AnswerableRequest): Promise<Response> {
  const { context, question, visit, client, models, options } = place;
  const { req, env } = context;
  const body =
    req.method === "POST" ? await readBody(req.raw, { ofAnyType: wire.takesAnyType === true }) : undefined;
  if (tell) {
    const told = await tell({ ...question, body }, tellerOf(models, options));
    visit.over(200);
    return Response.json(told);
  }
  const tab = options.meter.open(client);
  visit.after(() => tab.close());
  const { outgoing, incoming } = env;
  return answer({
    wire,
    body,
    path: question.path,
    target: `${question.path}?${question.query.toString()}`,
    signal: AbortSignal.any([req.raw.signal, options.closing]),
    trail:
      outgoing && incoming?.httpVersion !== "1.0"
        ? (name, value) => outgoing.addTrailers({ [name]: value })
        : undefined,
    cut: outgoing ? () => void outgoing.destroy() : undefined,
    models,
    tab,
    count: options.count,
    visit,
  });
}

const tellerOf = (models: ModelPool, { count }: AppOptions): ModelInventory => ({
  models: () => models.listed,
  describe: (name) => models.describe(name),
  count: async (ask) => Math.round(count(ask) * (await models.scale(ask.model))),
});

function questionOf({ req }: Context<AppEnvironment>): ClientRequest {
  const { search } = new URL(req.url);
  return {
    path: req.path,
    query: new URLSearchParams(search),
    header: (name) => req.header(name),
    body: undefined,
  };
}

/** The request's raw headers and target; a request made in this process has no raw form and a fixed host. */
function askedOf({ req, env }: Context<AppEnvironment>, { query }: ClientRequest): ReceivedRequest {
  const { headers, url } = req.raw;
  const { incoming } = env ?? {};
  const { host, pathname } = new URL(url);
  const made = headers.has("host") ? [] : ["host", host];
  return {
    raw: incoming?.rawHeaders ?? [...made, ...[...headers].flat()],
    target: incoming ? incoming.url : pathname,
    headers,
    query,
  };
}

/**
 * Throws Refusal. An empty body gives undefined, which every wire refuses in its own words. `ofAnyType`: whatever its
 * content type says, as a plain `curl -d` sends it.
 */
async function readBody(request: Request, { ofAnyType }: { ofAnyType: boolean }): Promise<unknown> {
  const type = request.headers.get("content-type");
  if (!ofAnyType && type !== null && !/^application\/(?:[\w.+-]+\+)?json\b/i.test(type))
    throw new RequestRefusal(415, "The body must be JSON: send it with content-type application/json.");
  const read = await readJsonBody(request, { most: otherProgramBounds.message, levels: mostLevels });
  if (!read.ok) throw new RequestRefusal(read.status, read.problem);
  return read.value;
}

/** Tool schemas are the deepest JSON that regular clients send. */
const mostLevels = 64;
