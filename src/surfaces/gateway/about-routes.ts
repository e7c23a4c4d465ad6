/** Routes about the gateway itself: health, metrics, the OpenAPI document, models and sign-in. */

import type { routes } from "../remote/api.ts";
import { browserName } from "./browser-name.ts";
import { metricsText } from "./counts.ts";
import { senderOf } from "./door.ts";
import { refusal } from "./refusal.ts";
import type { GatewayRoom } from "./room.ts";
import type { Run } from "./route.ts";

type Routes = typeof routes;

export function aboutRoutes(room: GatewayRoom) {
  const { host, keys, counts, clock } = room;
  const health: Run<Routes["health"]> = () => {
    const { open, working } = host.figures();
    const value = {
      status: room.isStopping() ? ("stopping" as const) : ("ok" as const),
      version: room.version,
      workspace: host.workspace,
      mode: host.mode,
      uptimeMs: Math.round(clock.now - room.startedAt),
      sessions: { open, working },
      connections: room.connections.size,
    };
    return { status: room.isStopping() ? 503 : 200, value };
  };
  const metrics: Run<Routes["metrics"]> = () => {
    const uptimeMs = clock.now - room.startedAt;
    const gauges = { connections: room.connections.size, sockets: room.sockets(), uptimeMs };
    return { status: 200, pieces: metricsText(counts, { ...gauges, figures: host.figures() }) };
  };
  const openapi: Run<Routes["openapi"]> = () => ({ status: 200, value: room.openapi() });
  const exchange: Run<Routes["exchange"]> = async ({ body: { code, has }, request }) => {
    const name = browserName(request.headers.get("user-agent") ?? "");
    const token = await keys.exchange(code, { name, has });
    return token === undefined ? { refused: noCode } : { status: 200, value: { token } };
  };
  const newCode: Run<Routes["newCode"]> = () => ({ status: 201, value: { code: keys.newCode() } });
  const models: Run<Routes["models"]> = async () => ({ status: 200, value: await room.models() });
  return { health, metrics, openapi, exchange, newCode, models, ...deviceRoutes(room) };
}

function deviceRoutes({ keys, devices: signedIn }: GatewayRoom) {
  const asks = (request: Request): string | undefined => {
    const sender = senderOf({ keys }, request);
    return sender?.type === "device" ? sender.id : undefined;
  };
  const devices: Run<Routes["devices"]> = ({ request }) => {
    const own = asks(request);
    return {
      status: 200,
      value: { devices: signedIn.list().map((one) => ({ ...one, isThis: one.id === own })) },
    };
  };
  const revoke: Run<Routes["revoke"]> = async ({ id, request }) => {
    const revoked = await signedIn.revoke(id === "this" ? (asks(request) ?? "") : id);
    if (!revoked.ok) return { refused: refusal(500, "not-kept", revoked.problem) };
    return revoked.value ? { status: 204 } : { refused: noDevice };
  };
  return { devices, revoke };
}

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
