/** The demo's model and workspace: a script, played over real HTTP in Ollama's format to the real agent. */

import type { Prompt } from "../providers/provider.ts";
import { scriptedModel, type ScriptedAnswer } from "../providers/scripted-model.ts";
import { demoProject, demoRequest } from "./demo-project.ts";
import { serveModel } from "./scripted-server.ts";
import { temporaryWorkspace } from "./workspace.ts";

export type DemoStage = {
  /** Address at which the scripted model answers like Ollama. */
  url: string;
  model: string;
  /** The throw-away copy of the sample project. */
  workspace: string;
  request: string;
  close(): Promise<void>;
};

const demoModelName = "scripted-demo";

export async function setUpDemo(): Promise<DemoStage> {
  const workspace = await temporaryWorkspace(demoProject);
  const server = await serveModel(demoModel(), { chunk: 64 });
  return {
    url: server.url,
    model: demoModelName,
    workspace: workspace.root,
    request: demoRequest,
    close: async () => {
      await server.close();
      await workspace.remove();
    },
  };
}

/** The scripted model. It reads results only to notice a refusal, and then stops as a polite model would. */
export const demoModel = () =>
  scriptedModel((prompt, round) => (wasRefused(prompt) ? stopping : (story[round - 1] ?? stopping)), {
    name: demoModelName,
    pieces: 6,
  });

function wasRefused(prompt: Prompt): boolean {
  const last = prompt.messages.at(-1);
  const words =
    last?.role === "tool" ? last.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
  return words.startsWith("The user said no") || words.startsWith("Denied");
}

const stopping: ScriptedAnswer = [{ say: "You said no, so I stop here. Nothing else was changed." }];

const command = { command: "node --test" };

/** Find a failing test, read, edit, run the tests, finish. */
const story: readonly ScriptedAnswer[] = [
  [{ say: "I will run the tests first, to see what fails." }, { call: "run_command", with: command }],
  [
    {
      say: "The order of exactly 100.00 does not get its discount. I will look at the program and at its test.",
    },
    { call: "read_file", with: { path: "total.js" } },
    { call: "read_file", with: { path: "total.test.js" } },
  ],
  [
    {
      think:
        "The comment and the README say: from 100.00 on. The code says: above. The comparison is off by one.",
    },
    { say: "`sum > 10000` leaves out an order of exactly 100.00. It should be `>=`." },
    {
      call: "edit_file",
      with: { path: "total.js", old: "return sum > 10000 ?", new: "return sum >= 10000 ?" },
    },
  ],
  [{ say: "Now the tests again." }, { call: "run_command", with: command }],
  [
    {
      say:
        "Fixed. `total` gave no discount to an order of exactly 100.00, because it compared with `>` " +
        'where the README says "100 and more". I changed that comparison to `>=` in total.js, and both tests pass now.',
    },
  ],
];
