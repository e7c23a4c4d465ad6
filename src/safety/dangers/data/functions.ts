/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { machine } from "../system/machine.ts";
import type { Does } from "./does.ts";

export const functions: Readonly<Record<string, Does>> = { ...elsewhere, ...machine, ...tools };
