/** What the parts of an Agent Client Protocol agent share. */

import type { Expected } from "../base/expected.ts";
import type { SessionHost } from "../hosting/session-host.ts";
import type { ModelsToChoose } from "../runtime/models/models.ts";

/** How a program reaches a gateway over the same sessions: like "http://127.0.0.1:4747", and its token. */
type GatewayAccess = { url: string; token: string };

export type AcpContext = {
  /** The agent does not close the host. */
  host: SessionHost;
  version: string;
  models(): Promise<ModelsToChoose>;
  /** Opens a gateway on the loopback at its first call; it ends with the agent. */
  gateway(): Promise<Expected<GatewayAccess>>;
  /** Logs one line for people. */
  log(line: string): void;
};
