/** Tests /permissions in a conversation, on a runtime as the command builds it. */

import { expect, test } from "vitest";
import type { ScriptedAnswer } from "../../providers/scripted-model.ts";
import { enter, stageBuilt } from "./testing/conversation.ts";

test("with nothing allowed it says so, and there is nothing to forget", async () => {
  const { say, leave } = await stageBuilt();
  await say(
    "/permissions",
    "The mode is ask (/mode); no rules of yours apply.",
    "Nothing was allowed for this session.",
    "Nothing is permanently allowed in",
  );
  await say("/permissions forget all", "There was nothing to forget.");
  await say("/permissions forget x", "There was nothing to forget.");
  await leave();
});

test("what was allowed is listed as long as it holds: for the request only while it runs", async () => {
  const touch = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "" } }];
  const { say, leave, terminal } = await stageBuilt([touch("a"), touch(".env"), [{ say: "Done." }]]);
  terminal.type(`Go${enter}`);
  await terminal.until("or type why not: ");
  terminal.type(`t${enter}`);
  await terminal.until(".env is a sensitive file");
  await terminal.until("or type why not: ");
  terminal.type(`/permissions${enter}`);
  await terminal.until("Allowed until this request ends:");
  await terminal.until("  1  every use of write_file");
  await terminal.until("or type why not: ");
  terminal.type(`s${enter}`);
  await terminal.until("Done.");
  await terminal.until("> ");
  await say("/permissions", "Allowed until this session ends:", "  1  write_file of .env");
  expect((await leave()).filter((line) => line.includes("every use of write_file"))).toHaveLength(1);
});

const command = (words: string): ScriptedAnswer => [{ call: "run_command", with: { command: words } }];
const change = (path: string): ScriptedAnswer => [{ call: "write_file", with: { path, content: "x" } }];
const done: ScriptedAnswer = [{ say: "Done." }];

test("issue 23: numbers count across scopes, and forget takes back what was allowed for the session", async () => {
  const { say, leave, terminal } = await stageBuilt([
    change("a"),
    command("npm install left-pad"),
    done,
    change("b"),
    done,
    command("npm install right-pad"),
  ]);
  const answerWith = async (key: string): Promise<void> => {
    await terminal.until("or type why not: ");
    terminal.type(`${key}${enter}`);
  };
  terminal.type(`Go${enter}`);
  await answerWith("s");
  await answerWith("p");
  await terminal.until("Done.");
  await terminal.until("> ");
  await say("/permissions", "  1  every use of write_file", "until revoked:", "  2  `npm install …`");
  await say(
    "/permissions forget 3",
    "Which one? /permissions numbers what is allowed: /permissions forget 1 … 2",
  );
  await say("/permissions forget 1", "· Not allowed unasked any more: every use of write_file");
  await say("/permissions", "Nothing was allowed for this session.", "  1  `npm install …`");
  terminal.type(`Again${enter}`);
  await terminal.until("or type why not: ");
  terminal.type(`/permissions forget 1${enter}`);
  await terminal.until("Asked about again from now on: `npm install …`");
  await answerWith("s");
  await terminal.until("Done.");
  await terminal.until("> ");
  await say("/permissions forget all", "· Not allowed unasked any more: every use of write_file");
  terminal.type(`And again${enter}`);
  await answerWith("n");
  await leave();
});
