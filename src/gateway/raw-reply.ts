/** Replies written directly to a connection, without Node's HTTP layer: to upgrades and to invalid HTTP. */

import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type GatewayRefusal, refusalBody } from "./refusal.ts";
import { headersOf } from "./route.ts";
import { strictHeaders } from "./strict-headers.ts";

/** Closes the connection after the reply. */
export function refuseRaw(socket: Duplex, refused: GatewayRefusal): void {
  if (!socket.writable) return void socket.destroy();
  const body = refusalBody(refused);
  const headers = {
    ...strictHeaders,
    ...headersOf(refused),
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${refused.status} ${STATUS_CODES[refused.status] ?? ""}\r\n${lines.join("")}\r\n${body}`,
  );
}
