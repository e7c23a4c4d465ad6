/** Routes about the gateway itself: health, metrics, the OpenAPI document, models and sign-in. */

import { tokenId } from "../hosting/people/people.ts";
import { NotAllowed } from "../hosting/people/personal-host.ts";
import type { routes } from "../remote/api.ts";
import { browserName } from "./browser-name.ts";
import { metricsText } from "./counts.ts";
import type { Bearer } from "./devices.ts";
import { type GatewayContext, isAllowed } from "./gateway-context.ts";
import { browserIn } from "./login.ts";
import { refusal } from "./refusal.ts";
import type { RouteHandler } from "./route.ts";

type AboutRoutes = typeof routes;

const alive: RouteHandler<AboutRoutes["alive"]> = () => ({ status: 200, value: { status: "ok" } });

export function aboutRoutes(gateway: GatewayContext) {
  const { host, keys, counts, clock, readiness } = gateway;
  const standing = async () => {
    if (gateway.isStopping()) return { status: "stopping" as const };
    const problem = await readiness.problem();
    return problem === undefined ? { status: "ok" as const } : { status: "unready" as const, problem };
  };
  const ready: RouteHandler<AboutRoutes["ready"]> = async () => {
    const { status } = await standing();
    return { status: status === "ok" ? 200 : 503, value: { status } };
  };
  const health: RouteHandler<AboutRoutes["health"]> = async ({ bearer }) => {
    const { open, working } = host.figures();
    const now = await standing();
    const value = {
      ...now,
      version: gateway.version,
      workspace: host.workspace,
      mode: host.mode,
      uptimeMs: Math.round(clock.now - gateway.startedAt),
      sessions: { open, working },
      connections: isAllowed(bearer, "manage") ? gateway.connections.size : 0,
    };
    return { status: now.status === "ok" ? 200 : 503, value };
  };
  const metrics: RouteHandler<AboutRoutes["metrics"]> = async () => {
    const uptimeMs = clock.now - gateway.startedAt;
    const gauges = { connections: gateway.connections.size, sockets: gateway.sockets(), uptimeMs };
    const [queues, { status }] = await Promise.all([host.queues(), standing()]);
    const told = { ...gauges, figures: host.figures(), queues, isReady: status === "ok" };
    return { status: 200, pieces: metricsText(counts, told) };
  };
  const openapi: RouteHandler<AboutRoutes["openapi"]> = () => ({ status: 200, value: gateway.openapi() });
  const exchange: RouteHandler<AboutRoutes["exchange"]> = async ({ body: { code, has }, request }) => {
    const name = browserName(request.headers.get("user-agent") ?? "");
    const loggedIn = browserIn(gateway.origin(), request.headers.get("cookie") ?? "");
    const token = await keys.exchange(code, { name, has, loggedIn });
    return token === undefined ? { refused: noCode } : { status: 200, value: { token } };
  };
  const newCode: RouteHandler<AboutRoutes["newCode"]> = () => ({
    status: 201,
    value: { code: keys.newCode() },
  });
  const models: RouteHandler<AboutRoutes["models"]> = async () => ({
    status: 200,
    value: await gateway.models(),
  });
  return { alive, ready, health, metrics, openapi, exchange, newCode, models, ...deviceRoutes(gateway) };
}

/** A person has tokens in place of browsers. */
function deviceRoutes({ devices: signedIn, team }: GatewayContext) {
  const tokensOf = async ({ person, token }: PersonBearer) => {
    const all = (await team?.people.tokens()) ?? [];
    const own = all.filter((one) => one.person === person.id);
    return own.map(({ id, title, since }) => ({
      id,
      name: title,
      since,
      seen: since,
      isThis: id === tokenId(token),
    }));
  };
  const devices: RouteHandler<AboutRoutes["devices"]> = async ({ bearer }) => {
    if (bearer?.type === "person") return { status: 200, value: { devices: await tokensOf(bearer) } };
    const own = bearer?.type === "device" ? bearer.id : undefined;
    return {
      status: 200,
      value: { devices: signedIn.list().map((one) => ({ ...one, isThis: one.id === own })) },
    };
  };
  const revoke: RouteHandler<AboutRoutes["revoke"]> = async ({ id, bearer }) => {
    if (bearer?.type === "person") {
      const found = (await tokensOf(bearer)).find((one) => (id === "this" ? one.isThis : one.id === id));
      if (!found) return { refused: noDevice };
      if (!found.isThis && bearer.person.most !== "manage") throw new NotAllowed("manage");
      await team?.people.actingAs(bearer.person.id).revokeToken(found.id);
      return { status: 204 };
    }
    const own = bearer?.type === "device" ? bearer.id : "";
    const revoked = await signedIn.revoke(id === "this" ? own : id);
    if (!revoked.ok) return { refused: refusal(500, "not-kept", revoked.problem) };
    return revoked.value ? { status: 204 } : { refused: noDevice };
  };
  return { devices, revoke };
}

type PersonBearer = Extract<Bearer, { type: "person" }>;

const noDevice = refusal(
  404,
  "no-such-device",
  "No browser with this id is signed in: GET /devices and `toolwright serve devices` list them.",
);

const noCode = refusal(
  401,
  "code-not-valid",
  "This code was used already, is older than ten minutes, or was never given: `toolwright serve link` prints an address with a new one.",
);
