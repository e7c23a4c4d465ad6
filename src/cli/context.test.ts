/** Tests the display of what fills the context: as a command on a stored session, and in a conversation. */

import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../providers/scripted-model.ts";
import { openSqliteStore } from "../session/sqlite/sqlite.ts";
import { testSession } from "../testing/session.ts";
import { temporaryWorkspace } from "../testing/workspace.ts";
import { testTerminal } from "../tui/testing/terminal.ts";
import { styleFor } from "../view/style.ts";
import { contextLines, runContext } from "./context.ts";
import { converseIn } from "./conversation/conversation.ts";
import { testRuntime, testSettings } from "./testing/runtime.ts";

const plain = styleFor({}, false);
const content = "a line of some length\n".repeat(400);
const usage = { inputTokens: 2_500, outputTokens: 20 };

const steps = () =>
  scriptedModel(
    [
      [{ call: "read_file", with: { path: "a.txt" } }, { usage }],
      [{ say: "Read." }, { usage: { inputTokens: 8_000, outputTokens: 20 } }],
      [{ say: "One file was read." }],
    ],
    { contextTokens: 20_000 },
  );

test("the report shows the total, its parts, the largest results and how the tokens were counted", async () => {
  const { session, ask, close } = await testSession(steps(), { files: { "a.txt": content } });
  await ask("Read a.txt");
  const report = await session.context();
  const words = contextLines(report, plain).join("\n");
  expect(words).toMatch(/^█+░+ 8,020 of 15,000 tokens \(53 %\)$/mu);
  expect(words).toMatch(/^ {2}your messages \(1\) +\d+ +0 %$/mu);
  expect(words).toMatch(/^ {2}results \(1\) +[\d,]+ +\d+ %$/mu);
  expect(words).toMatch(/Read a\.txt|read_file/u);
  expect(words).toContain(
    "Of its 8,020 tokens the provider counted 8,020 with the last answer; 0 that came since, and the parts, are estimated.",
  );
  expect(words).toContain(
    "The context window of scripted/model has 20,000 tokens. 5,000 of them are kept free for the answer.",
  );
  expect(words).toMatch(/^The next prompt, without what you say in it:$/mu);
  expect(contextLines({ ...report, counted: 0 }, plain).join("\n")).toContain("All figures are estimates");
  const sum = report.parts.reduce((all, { tokens }) => all + tokens, 0);
  expect(Math.abs(sum - report.tokens)).toBeLessThan(10);
  await close();
});

test("a stored session is shown as text or as JSON, and a missing session exits with 1", async () => {
  const workspace = await temporaryWorkspace({ "a.txt": content });
  const state = await temporaryWorkspace({});
  const store = openSqliteStore(join(state.root, "sessions.db"));
  const made = await testSession(steps(), { store, workspace });
  await made.ask("Read a.txt");
  const { id } = made.session;
  await made.close();
  await store.close();
  const settings = { workspace: workspace.root, stateDir: state.root, contextTokens: 10_000 };
  const terminal = testTerminal({ terminal: false });
  expect(await runContext({ terminal, settings: testSettings(settings) })).toBe(0);
  expect(terminal.printed()).toContain("of 7,500 tokens");
  const json = testTerminal({ terminal: false });
  expect(await runContext({ terminal: json, settings: testSettings({ ...settings, output: "json" }) })).toBe(
    0,
  );
  expect(JSON.parse(json.printed())).toMatchObject({
    session: id,
    window: 10_000,
    tokens: 8_020,
    counted: 8_020,
  });
  const none = testTerminal({ terminal: false });
  expect(await runContext({ terminal: none, settings: testSettings({ ...settings, resume: "nope" }) })).toBe(
    1,
  );
  await workspace.remove();
  await state.remove();
});

test("/context shows the usage, and /compact summarizes or says that there is nothing to shorten", async () => {
  const terminal = testTerminal({ terminal: true, env: { NO_COLOR: "1", TERM: "xterm" } });
  const runtime = await testRuntime(steps(), { files: { "a.txt": content } });
  const over = converseIn({ terminal, settings: testSettings() }, runtime, "Read a.txt");
  const type = async (typed: string, expected: string): Promise<void> => {
    terminal.type(`${typed}\r`);
    await terminal.until(expected);
  };
  await terminal.until("Read.");
  await terminal.until("> ");
  await type("/context", "8,020 of 15,000 tokens");
  await type("/compact", "you asked for it");
  await type("/compact", "nothing to shorten");
  await type("/context", "summary of earlier work");
  terminal.type("/quit\r");
  await over;
  await runtime.close();
});
