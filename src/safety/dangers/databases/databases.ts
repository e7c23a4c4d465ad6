/** Database clients and tools. */

import type { Program } from "../program.ts";
import { dumps } from "./database-tools.ts";
import { sqlClients } from "./sql-clients.ts";
import { stores } from "./stores.ts";

export const databases: readonly Program[] = [...sqlClients, ...dumps, ...stores];
