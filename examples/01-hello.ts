/** The shortest whole run: a scripted model writes a file, and the program prints the result. */

import { equal } from "node:assert/strict";
import { scriptedModel, testSession } from "toolwright/testing";

const model = scriptedModel([
  [{ call: "write_file", with: { path: "hello.txt", content: "hello\n" } }],
  [{ say: "Written." }],
]);
const { session, workspace, ask, close } = await testSession(model, { mode: "accept-edits" });

await ask("Say hello in a file.");

equal(await workspace.read("hello.txt"), "hello\n");
equal(session.state.turns[0]?.text, "Written.");
console.log("The model wrote hello.txt and said:", session.state.turns[0]?.text);
await close();
