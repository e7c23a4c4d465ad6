/** Programs that reach other hosts and whose words say much about what is sent where. */

import type { Program } from "../program.ts";
import { openssl } from "./openssl.ts";
import { logins } from "./remote.ts";
import { sockets } from "./sockets.ts";

export const network: readonly Program[] = [...logins, ...openssl, ...sockets];
