/** What data cannot say, by the names that the data uses. */

import { tools } from "../builds/tools.ts";
import { containerFunctions } from "../containers/doing.ts";
import { databaseClients } from "../databases/clients.ts";
import { elsewhere } from "../elsewhere/elsewhere.ts";
import { fileFunctions } from "../files/files.ts";
import { finding } from "../files/find.ts";
import { gitFunctions } from "../git/doing.ts";
import { filtering } from "../languages/filters.ts";
import { javascript } from "../languages/javascript-programs.ts";
import { languages } from "../languages/languages.ts";
import { python } from "../languages/python-program.ts";
import { logins } from "../network/remote.ts";
import { requests, copiesTrees } from "../network/requests.ts";
import { joins, talking } from "../network/talking.ts";
import { managing } from "../packages/managing.ts";
import type { WordsDo } from "../program.ts";
import { builtins } from "../shells.ts";
import { system } from "../system/system.ts";
import { editors } from "../text/editors.ts";
import { printing } from "../text/printing.ts";
import { textFunctions } from "../text/text.ts";
import { running } from "../wrappers/running.ts";
import { manyFunctions } from "../wrappers/wrappers-many.ts";

export const functions: Readonly<Record<string, WordsDo>> = {
  ...builtins,
  trees: copiesTrees,
  joins,
  ...logins,
  ...requests,
  ...elsewhere,
  ...editors,
  ...printing,
  ...filtering,
  ...languages,
  ...javascript,
  python,
  ...textFunctions,
  ...fileFunctions,
  ...finding,
  ...system,
  ...containerFunctions,
  ...databaseClients,
  ...gitFunctions,
  ...managing,
  ...running,
  ...manyFunctions,
  ...talking,
  ...tools,
};
