/** A session whose command and terminal leave programs running, in a separate process that the test kills. */

import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = "", command = ""] = process.argv.slice(2);
const workspace = workspaceAt(root);
const model = scriptedModel([
  [{ call: "terminal", with: { action: "start", command: "echo $$ >terminal; exec sleep 1003" } }],
  [{ call: "run_command", with: { command } }],
]);
const { ask } = await testSession(model, { store: await storeAt(database), workspace });
await ask("Do it.");
