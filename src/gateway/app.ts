/** The gateway as a function from request to reply: a router filled from the API's route table. */

import { Hono } from "hono";
import { type RouteName, routes } from "../remote/api.ts";
import { aboutRoutes } from "./about-routes.ts";
import type { Bearer } from "./devices.ts";
import { noSuchRoute } from "./door.ts";
import { type GatewayContext, gatewayFor, logFailure } from "./gateway-context.ts";
import { loginPaths, loginReplies } from "./login.ts";
import { readingRoutes } from "./reading-routes.ts";
import { type AdmittedFrom, refusedResponse, type RouteHandler, serveRoute } from "./route.ts";
import { sessionRoutes } from "./session-routes.ts";
import { strictHeaders } from "./strict-headers.ts";

/** A route without a handler does not compile. */
type Handlers = { [Name in RouteName]: RouteHandler<(typeof routes)[Name]> };

/** The caller must already have admitted the request. */
export function gatewayApp(gateway: GatewayContext): Hono<AdmittedFrom> {
  const handlers = handlersOf(gateway);
  const app = new Hono<AdmittedFrom>();
  const failed = (error: unknown): void => logFailure(gateway, "a request failed", error);
  for (const name of routeNames) {
    const { method, path } = routes[name];
    const runFor = (bearer: Bearer | undefined) =>
      bearer?.type === "person" ? handlersOf(gatewayFor(gateway, bearer))[name] : handlers[name];
    app.on(method, path, serveRoute(routes[name], runFor, { failed }));
  }
  const { team, origin, log } = gateway;
  const reply = team?.login && loginReplies({ setup: team.login, people: team.people, origin, log });
  for (const path of loginPaths(team?.login))
    app.get(
      path,
      ({ req }) => reply?.(req.raw) ?? new Response(null, { status: 204, headers: strictHeaders }),
    );
  app.notFound(() => refusedResponse(noSuchRoute));
  return app;
}

const handlersOf = (gateway: GatewayContext): Handlers => ({
  ...aboutRoutes(gateway),
  ...sessionRoutes(gateway),
  ...readingRoutes(gateway),
});

const routeNames = Object.keys(routes).filter((name): name is RouteName => name in routes);
