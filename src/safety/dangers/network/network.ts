/** Programs that talk to other hosts. */

import type { Program } from "../program.ts";
import { curl } from "./curl.ts";
import { downloads } from "./downloads.ts";
import { lookups } from "./lookups.ts";
import { mail } from "./mail.ts";
import { openssl } from "./openssl.ts";
import { servers } from "./servers.ts";
import { sockets } from "./sockets.ts";

export const network: readonly Program[] = [
  ...curl,
  ...downloads,
  ...lookups,
  ...sockets,
  ...openssl,
  ...mail,
  ...servers,
];
