/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { containerFunctions } from "../containers/doing.ts";
import { innerMachines } from "../containers/inner.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { packing } from "../files/packing.ts";
import { gitFunctions } from "../git/doing.ts";
import { logins } from "../network/remote.ts";
import { requests } from "../network/requests.ts";
import { joins } from "../network/sockets.ts";
import { talking } from "../network/talking.ts";
import { copiesTrees } from "../network/trees.ts";
import { managing } from "../packages/managing.ts";
import { machine } from "../system/machine.ts";
import { lookingFunctions } from "../text/looking-functions.ts";
import { running } from "../wrappers/running.ts";
import type { WordsDo } from "./does.ts";

export const functions: Readonly<Record<string, WordsDo>> = {
  trees: copiesTrees,
  joins,
  ...logins,
  ...requests,
  ...elsewhere,
  ...lookingFunctions,
  ...machine,
  ...containerFunctions,
  ...gitFunctions,
  ...managing,
  ...innerMachines,
  ...packing,
  ...running,
  ...talking,
  ...tools,
};
