/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { containerFunctions } from "../containers/doing.ts";
import { databaseClients } from "../databases/clients.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { fileFunctions } from "../files/files.ts";
import { finding } from "../files/find.ts";
import { gitFunctions } from "../git/doing.ts";
import { logins } from "../network/remote.ts";
import { requests } from "../network/requests.ts";
import { joins } from "../network/sockets.ts";
import { talking } from "../network/talking.ts";
import { copiesTrees } from "../network/trees.ts";
import { managing } from "../packages/managing.ts";
import { builtins } from "../shells.ts";
import { system } from "../system/system.ts";
import { editors } from "../text/editors.ts";
import { textFunctions } from "../text/text.ts";
import { changing } from "../wrappers/changing.ts";
import { running } from "../wrappers/running.ts";
import type { WordsDo } from "./does.ts";

export const functions: Readonly<Record<string, WordsDo>> = {
  ...builtins,
  trees: copiesTrees,
  joins,
  ...logins,
  ...requests,
  ...elsewhere,
  ...editors,
  ...textFunctions,
  ...fileFunctions,
  ...finding,
  ...system,
  ...containerFunctions,
  ...databaseClients,
  ...gitFunctions,
  ...managing,
  ...changing,
  ...running,
  ...talking,
  ...tools,
};
