/** Hooks in code: guard and follow each call, add context for the model, and veto the end of a turn. */

import { deepEqual, equal, match } from "node:assert/strict";
import { openAgent, type Observer, type AddonOpener } from "toolwright";
import { scriptedModel, temporaryWorkspace } from "toolwright/testing";

const told: string[] = [];

/** Called once per session; it may hold that session's state and returns the hooks to register. */
const house: AddonOpener = ({ workspace }) => {
  let wasReminded = false;
  return {
    // Selects the calls that this hook checks before they run.
    guards: (tool) => tool.name === "write_file",
    async beforeCall({ callId, input: { path, content } }) {
      const ran = { type: "hook-ran", event: "before-call", hook: "house rules", ms: 0, callId } as const;
      if (typeof path === "string" && path.startsWith("vendor/")) {
        const veto = "the house rules: vendor/ is not ours to change.";
        return { facts: [{ ...ran, outcome: "vetoed", because: veto }], veto };
      }
      // Changed arguments are validated like the model's own; the stored fact makes them survive a crash.
      const changed = { path: path ?? "", content: `${typeof content === "string" ? content : ""}\n` };
      return { facts: [{ ...ran, outcome: "ok", input: changed }], input: changed };
    },
    async afterCall({ tool, outcome }) {
      told.push(`${tool}: ${outcome}`);
      return { facts: [], words: outcome === "ok" ? [`House rules: mention ${workspace} nowhere.`] : [] };
    },
    // A veto continues the turn, and the model is given the reason.
    async beforeEnd({ text }) {
      if (wasReminded || text.includes("thank")) return { facts: [] };
      wasReminded = true;
      return { facts: [], veto: "the house rules: say thank you." };
    },
  };
};

/** An observer only receives events and changes nothing. */
const heard: string[] = [];
const observer: Observer = {
  session: () => ({ receive: (event) => void ("seq" in event && heard.push(event.type)) }),
};

const model = scriptedModel([
  [{ call: "write_file", with: { path: "vendor/a.txt", content: "mine" } }],
  [{ call: "write_file", with: { path: "a.txt", content: "mine" } }],
  [{ say: "It is written." }],
  [{ say: "It is written, thank you." }],
]);
const workspace = await temporaryWorkspace({});
const state = await temporaryWorkspace({});
const agent = await openAgent({
  model,
  mode: "accept-edits",
  addons: [house],
  observers: [observer],
  workspace: workspace.root,
  stateDir: state.root,
  env: { HOME: state.root },
});

try {
  const { text } = await agent.ask("Write it.");
  const results = agent.session.facts.flatMap((fact) => (fact.type === "result" ? [fact] : []));
  deepEqual(
    results.map(({ outcome }) => outcome),
    ["denied", "ok"],
  );
  match(JSON.stringify(results[0]?.content), /vendor\/ is not ours/);
  match(JSON.stringify(results[1]?.content), /House rules/);
  equal(await workspace.read("a.txt"), "mine\n");
  match(text, /thank you/);
  equal(heard.at(-1), "turn-end");
  console.log(`The hooks heard ${told.join(", ")}; the files are ${(await workspace.files()).join(", ")}.`);
} finally {
  await agent.close();
  await Promise.all([workspace.remove(), state.remove()]);
}
