/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { containerFunctions } from "../containers/doing.ts";
import { databaseClients } from "../databases/clients.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { packing } from "../files/packing.ts";
import { gitFunctions } from "../git/doing.ts";
import { curl } from "../network/curl.ts";
import { wget } from "../network/downloads.ts";
import { copiesTrees } from "../network/rsync.ts";
import { talking } from "../network/talking.ts";
import { keepers } from "../network/versions.ts";
import { managing } from "../packages/managing.ts";
import { machine } from "../system/machine.ts";
import { lookingFunctions } from "../text/looking-functions.ts";
import { changing } from "../wrappers/changing.ts";
import { running } from "../wrappers/running.ts";
import type { WordsDo } from "./does.ts";

export const functions: Readonly<Record<string, WordsDo>> = {
  "curl request": (_, use) => curl(use),
  "wget request": (_, use) => wget(use),
  trees: (_, use) => copiesTrees(use),
  ...elsewhere,
  ...lookingFunctions,
  ...machine,
  ...containerFunctions,
  ...databaseClients,
  ...gitFunctions,
  ...managing,
  ...keepers,
  ...packing,
  ...changing,
  ...running,
  ...talking,
  ...tools,
};
