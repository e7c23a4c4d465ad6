/** Runs the recorded task in a separate process and kills itself, without warning, when the chosen fact is reported. */

import { storeAt } from "../../src/session/testing/store-at.ts";
import { testSession } from "../../src/testing/session.ts";
import { crashModel } from "./crash-script.ts";
import { workspaceAt } from "./workspace-at.ts";

const [database = "", root = "", killAt = "0"] = process.argv.slice(2);
const store = await storeAt(database);
const workspace = workspaceAt(root);
const { session, ask } = await testSession(crashModel(0), { store, workspace, mode: "ask" });
session.log.listen((event) => {
  if ("seq" in event && event.seq === Number(killAt)) process.kill(process.pid, "SIGKILL");
});
if (session.state.seq >= Number(killAt)) process.kill(process.pid, "SIGKILL");
await ask("Do the task.");
process.stdout.write(`${session.state.seq}\n`);
await store.close();
