/** Loaded when a core is first asked for: beginning one, and the client that talks to it. */

import { WebSocket } from "ws";
import { type Client, connect, type LiveConnection } from "../../../../src/client.ts";
import type { GatewayAddress } from "../common/relay/editor-end.ts";

export { beginCore } from "./begin-core.ts";
export { WebSocket };

export function clientOf(address: GatewayAddress): { client: Client; live: LiveConnection } {
  const client = connect({ ...address, WebSocket });
  return { client, live: client.live() };
}
