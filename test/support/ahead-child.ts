/** A session whose first command never ends, while the second one runs before its turn; the test kills it. */

import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { findSandbox } from "../../src/safety/sandbox/sandbox.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { aheadCalls } from "./random-commands.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = ""] = process.argv.slice(2);
const store = await storeAt(database);
const { ask } = await testSession(scriptedModel([aheadCalls]), {
  store,
  workspace: workspaceAt(root),
  mode: "auto",
  sandbox: findSandbox,
});
await ask("Do the task.");
