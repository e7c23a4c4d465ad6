/**
 * A process whose session runs subagents: it kills itself after a given number of stored facts, of whichever session.
 */

import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { killed, playing } from "./subagents-script.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = "", killAt = "0"] = process.argv.slice(2);
const store = await storeAt(database);
const append = store.append.bind(store);
let stored = 0;
store.append = async (session, epoch, entries) => {
  await append(session, epoch, entries);
  stored += entries.length;
  if (stored >= Number(killAt)) process.kill(process.pid, "SIGKILL");
};
const { ask } = await testSession(playing(killed), {
  store,
  mode: "accept-edits",
  subagents: {},
  workspace: workspaceAt(root),
});
await ask("Work.");
process.stdout.write(`${stored}\n`);
process.exit();
