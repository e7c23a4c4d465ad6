/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { builtins } from "../builtins.ts";
import { containerFunctions } from "../containers/doing.ts";
import { databaseClients } from "../databases/clients.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { copying } from "../files/copying.ts";
import { fileFunctions } from "../files/files.ts";
import { finding } from "../files/finding.ts";
import { looking } from "../files/looking.ts";
import { tar } from "../files/tar.ts";
import { gitFunctions } from "../git/doing.ts";
import { logins } from "../network/remote.ts";
import { requests, copiesTrees } from "../network/requests.ts";
import { joins, talking } from "../network/talking.ts";
import { managing } from "../packages/managing.ts";
import { shells } from "../shells.ts";
import { machine } from "../system/machine.ts";
import { permissions } from "../system/permissions.ts";
import { processes } from "../system/processes.ts";
import { editors } from "../text/editors.ts";
import { textFunctions } from "../text/text.ts";
import { running } from "../wrappers/running.ts";
import { manyFunctions } from "../wrappers/wrappers-many.ts";
import type { WordsDo } from "./does.ts";

export const functions: Readonly<Record<string, WordsDo>> = {
  ...shells,
  ...builtins,
  trees: copiesTrees,
  joins,
  ...logins,
  ...requests,
  ...elsewhere,
  ...editors,
  ...textFunctions,
  ...copying,
  ...fileFunctions,
  ...finding,
  ...looking,
  ...tar,
  ...machine,
  ...permissions,
  ...processes,
  ...containerFunctions,
  ...databaseClients,
  ...gitFunctions,
  ...managing,
  ...running,
  ...manyFunctions,
  ...talking,
  ...tools,
};
