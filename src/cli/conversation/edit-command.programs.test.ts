/** A36: a command awaiting approval can be edited at the terminal before it runs. */

import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { testRuntime, testSettings } from "../testing/runtime.ts";
import { converseIn } from "./conversation.ts";
import { enter } from "./testing/conversation.ts";

const controlU = "\u0015";
const controlD = "\u0004";
const run = (command: string) => [{ call: "run_command", with: { command } }];
const over = [{ say: "Done." }];

async function stage(command: string, env: Record<string, string> = {}) {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm", ...env } });
  const rules = [
    { name: "user", rules: [{ tool: "run_command", command: "rm *", decision: "deny" as const }] },
  ];
  const runtime = await testRuntime(scriptedModel([run(command), over]), { rules });
  const left = converseIn({ terminal, settings: testSettings() }, runtime, "Go");
  await terminal.until("[e]dit · [n]o, or type why not: ");
  return { terminal, runtime, left };
}

test("A36: e puts the command at the prompt; the edited command runs, and a denied one asks again", async () => {
  const { terminal, runtime, left } = await stage("ls > a");
  terminal.type(`e${enter}`);
  await terminal.until("Run instead: ");
  terminal.type(`${controlU}rm a${enter}`);
  await terminal.until("This command is denied: ");
  await terminal.until("or type why not: ");
  terminal.type(`e${enter}`);
  await terminal.until("Run instead: ");
  terminal.type(`${controlU}${enter}`); // an empty line: the question stays open
  await terminal.until("or type why not: ");
  terminal.type(`edit${enter}`);
  await terminal.until("Run instead: ");
  terminal.type(`; touch b${enter}`); // appended to the prefilled command
  await terminal.until("Done.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await left).toBe(0);
  expect(runtime.test.facts().find(({ type }) => type === "approval-answered")).toMatchObject({
    command: "ls > a; touch b",
  });
  const shown = stripVTControlCharacters(terminal.printed());
  expect(shown).toContain("Run ls > a; touch b");
  expect(await runtime.test.workspace.files()).toEqual(["a", "b"]);
  await runtime.close();
});

test("A36: a multi-line command is edited in the person's own editor", async () => {
  const { terminal, runtime, left } = await stage("touch one\ntouch two", { EDITOR: "sed -i s/two/2/" });
  terminal.type(`e${enter}`);
  await terminal.until("Done.");
  await terminal.until("> ");
  terminal.type(controlD);
  expect(await left).toBe(0);
  expect(await runtime.test.workspace.files()).toEqual(["2", "one"]);
  await runtime.close();
});
