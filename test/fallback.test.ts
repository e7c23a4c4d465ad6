/** The built command when its model fails for good, and another one is named to go on. */

import { expect, test } from "vitest";
import { ModelError } from "../src/protocol/model-events.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { newHome, put, runCommand, type Home } from "./support/command.ts";
import { serve } from "./support/roads.ts";
import { lastEnd, wholeSession } from "./support/whole-log.ts";

const refused = new ModelError("auth", "The key was refused.");

/** Two servers of the user's own: the first one's model reads a file and then fails, the second one's answers. */
async function placeWithTwo(): Promise<{ home: Home; flags: string[] }> {
  const home = await newHome({ "a.txt": "alpha\n" });
  const one = scriptedModel((_, round) =>
    round === 1 ? [{ call: "read_file", with: { path: "a.txt" } }] : [{ fail: refused }],
  );
  const two = scriptedModel(({ messages }) => [
    { say: JSON.stringify(messages).includes("alpha") ? "It says alpha." : "It was lost." },
  ]);
  const [first, second] = await Promise.all([serve(one), serve(two)]);
  const providers = {
    one: { baseUrl: `${first.url}/v1`, models: ["m"] },
    two: { baseUrl: `${second.url}/v1`, models: ["m"] },
    gone: { baseUrl: "http://127.0.0.1:1/v1" },
  };
  await put(home.root, { "config/toolwright/config.json": JSON.stringify({ providers, fallback: "two/m" }) });
  return { home, flags: ["--model", "one/m"] };
}

test("the next model goes on with the same turn, standard error says why, and the log holds it", async () => {
  const { home, flags } = await placeWithTwo();
  const ran = await runCommand(home, [...flags, "-p", "What does it say?"]);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: "It says alpha.\n" });
  expect(ran.stderr).toMatch(/! one\/m failed: .*key.* two\/m goes on\./u);
  const facts = await wholeSession(home.stateDir);
  expect(lastEnd(facts).stopped).toBe("done");
  expect(facts.filter(({ type }) => type === "model-set")).toMatchObject([
    { model: "two/m", by: "toolwright", because: expect.stringContaining("key") },
  ]);
  const next = await runCommand(home, ["--continue", "-p", "And now?"]);
  expect(next.stdout).toBe("It says alpha.\n");
});

test("a model that cannot be opened at all is left at the start, which is told and kept", async () => {
  const { home } = await placeWithTwo();
  const flags = ["--model", "llamacpp", "--retry-for", "0"];
  const ran = await runCommand(home, [...flags, "-p", "Go."]);
  expect({ code: ran.code, stdout: ran.stdout }).toEqual({ code: 0, stdout: "It was lost.\n" });
  expect(ran.stderr).toMatch(/^! Nothing answers at http:\/\/127\.0\.0\.1:1 .* two\/m goes on instead\.$/mu);
  const told = (await wholeSession(home.stateDir)).filter(({ type }) => type === "warning");
  expect(told).toMatchObject([{ code: "model-substituted" }]);
});

test("--fallback none of which answers ends the run with the last reason", async () => {
  const { home, flags } = await placeWithTwo();
  const ran = await runCommand(home, [...flags, "--fallback", "gone/m", "--retry-for", "0", "-p", "Go."]);
  expect([ran.code, ran.stdout]).toEqual([1, ""]);
  expect(ran.stderr).toMatch(/Nothing answers at http:\/\/127\.0\.0\.1:1/u);
});
