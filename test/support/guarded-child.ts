/** Runs a program without a sandbox, as one kind of work does, until the test kills this process. */

import { startProcess } from "../../src/addons/languages/server-process.ts";
import { scriptedModel } from "../../src/providers/scripted-model.ts";
import { testSession } from "../../src/testing/session.ts";
import { workspaceAt } from "./workspace-at.ts";

const finished = () => Promise.resolve({ warnings: [], changes: [] });
const [kind, root = "", command = ""] = process.argv.slice(2);
if (kind === "language server") {
  const line = ["/bin/sh", "-c", command];
  const server = await startProcess(
    { command: line, env: { ...process.env }, finished },
    { directory: root, what: "a language server", started: undefined },
  );
  await server.ended;
} else {
  const model = scriptedModel([[{ call: "run_command", with: { command } }]]);
  const { ask } = await testSession(model, { workspace: workspaceAt(root) });
  await ask("Do it.");
}
