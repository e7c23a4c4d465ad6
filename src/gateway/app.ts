/** The gateway as a function from request to reply: a router filled from the API's route table. */

import { Hono } from "hono";
import { type RouteName, routes } from "../remote/api.ts";
import { aboutRoutes } from "./about-routes.ts";
import { noSuchRoute } from "./door.ts";
import { type GatewayContext, logFailure } from "./gateway-context.ts";
import { readingRoutes } from "./reading-routes.ts";
import { refusedResponse, type RouteHandler, serveRoute } from "./route.ts";
import { sessionRoutes } from "./session-routes.ts";

/** A route without a handler does not compile. */
type Handlers = { [Name in RouteName]: RouteHandler<(typeof routes)[Name]> };

/** The caller must already have admitted the request. */
export function gatewayApp(gateway: GatewayContext): Hono {
  const handlers: Handlers = {
    ...aboutRoutes(gateway),
    ...sessionRoutes(gateway),
    ...readingRoutes(gateway),
  };
  const app = new Hono();
  const failed = (error: unknown): void => logFailure(gateway, "a request failed", error);
  for (const name of routeNames) {
    const { method, path } = routes[name];
    app.on(method, path, serveRoute(routes[name], handlers[name], { failed }));
  }
  app.notFound(() => refusedResponse(noSuchRoute));
  return app;
}

const routeNames = Object.keys(routes).filter((name): name is RouteName => name in routes);
