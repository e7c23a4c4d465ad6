/** What the requirements of group B want of a terminal: envelopes, changes in two steps and the checklist, on the screen. */

import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../../src/base/json.ts";
import { connect } from "../../src/client.ts";
import type { ScriptedAnswer } from "../../src/providers/scripted-model.ts";
import { startCommand } from "../support/command.ts";
import { openScripted } from "./scripted.ts";
import { enter, prompted, seen } from "./states.ts";

const envelope = (body: Json | string): string =>
  `\`\`\`yips-agent\n${typeof body === "string" ? body : JSON.stringify(body)}\n\`\`\``;

const read = (id: string, path: string): Json => ({
  type: "tool",
  id,
  name: "read_file",
  arguments: { path },
});

const enveloped = { args: ["--dialect", "yips-agent"], files: { "a.txt": "a\n", "b.txt": "b\n" } };

test("B2, B6: an envelope is shown as its text and its calls, without what is wrong with it", async () => {
  const actions = [read("1", "a.txt"), read("1", "b.txt"), { type: "tool", id: "2" }];
  const { terminal } = await openScripted(
    [[{ say: `Before it.\n\n${envelope({ assistant_text: "I read it.", actions })}` }], [{ say: "Read." }]],
    enveloped,
  );
  await terminal.type(`go${enter}`);
  await terminal.shows("  Read.");
  await prompted(terminal);
  const rows = (await terminal.screen()).split("\n").filter((row) => row !== "");
  expect(rows.slice(rows.indexOf("> go"), -4)).toEqual([
    "> go",
    "  Before it.",
    "  I read it.",
    '  ! Left out of the envelope: actions[1] has the id "1" of an earlier action.',
    "  ! Left out of the envelope: actions[2] has no name.",
    "  ● Read a.txt",
    "  Read.",
  ]);
});

test("B4, B5, B14: broken envelopes run nothing, and /verbose counts each under its code", async () => {
  const one = envelope({ actions: [read("1", "a.txt")] });
  const { terminal } = await openScripted(
    [
      [{ say: `${one}\n\n${one}` }],
      [{ say: envelope("{ no json") }],
      [{ say: envelope({ actions: [{ type: "tool", id: "1", name: "no_such_tool", arguments: {} }] }) }],
      [{ say: "I give up." }],
    ],
    enveloped,
  );
  await terminal.type(`go${enter}`);
  await terminal.shows("I give up.");
  await prompted(terminal);
  expect(await terminal.all()).not.toContain("● Read a.txt");
  await terminal.type(`/verbose${enter}`);
  await terminal.shows(/! +1 +multiple_envelopes /u);
  await terminal.shows(/! +1 +malformed_envelope /u);
  await terminal.shows(/! +1 +unknown_tool /u);
  await terminal.shows(/· +0 +duplicate_id /u);
});

test("B8, B9, B13: staged, a change is only shown; applied by its token it asks the person, and is made once", async () => {
  const write: ScriptedAnswer = [{ call: "write_file", with: { path: "new.txt", content: "hello\n" } }];
  const { terminal, home } = await openScripted(
    ({ messages }, round) => {
      const [token = ""] = /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/u.exec(JSON.stringify(messages)) ?? [];
      const apply: ScriptedAnswer = [{ call: "apply_file_change", with: { token } }];
      return [write, [{ say: "Shown." }], apply, apply, [{ say: "Applied." }]][round - 1] ?? [];
    },
    { args: ["--mode", "staged"] },
  );
  const file = join(home.workspace, "new.txt");
  await terminal.type(`write it${enter}`);
  await terminal.shows("  Shown.");
  await terminal.shows(/\+ ?hello/u);
  await prompted(terminal);
  expect(existsSync(file)).toBe(false);
  await terminal.type(`apply it${enter}`);
  await terminal.shows("once");
  expect(existsSync(file)).toBe(false);
  await seen();
  await terminal.type("y");
  await terminal.shows("  Applied.");
  await prompted(terminal);
  expect(readFileSync(file, "utf8")).toBe("hello\n");
  expect(await terminal.all()).toMatch(/● Apply[^\n]* · failed/u);
});

test("B12: what destroys asks, what destroys outside the workspace is denied without a question", async () => {
  const { terminal } = await openScripted(
    [
      [{ call: "run_command", with: { command: "rm -rf ../other" } }],
      [{ call: "run_command", with: { command: "git push --force" } }],
      [{ say: "Neither." }],
    ],
    { args: ["--mode", "ask"] },
  );
  await terminal.type(`go${enter}`);
  await terminal.shows("? Run git push --force");
  expect(await terminal.screen()).toMatch(/● Run rm -rf \.\.\/other · denied/u);
  await seen();
  await terminal.type("n");
  await terminal.type(`not now${enter}`);
  await terminal.shows("  Neither.");
});

test("B1: a message typed on the screen and one sent through a gateway lead to the same prompt", async () => {
  const { terminal, home, model } = await openScripted([[{ say: "Hello." }], [{ say: "Hello." }]]);
  await terminal.type(`Hello?${enter}`);
  await terminal.shows("  Hello.");
  await prompted(terminal);
  const flags = ["--output", "json", "--port", "0", "--mode", "ask", "--model", "ollama/qwen3-coder"];
  const serving = startCommand(home, ["serve", ...flags]);
  let told = "";
  serving.child.stdout?.on("data", (piece: string) => (told += piece));
  await serving.until("}\n");
  const { url, tokenFile }: { url: string; tokenFile: string } = JSON.parse(told);
  const client = connect({ url, token: readFileSync(tokenFile, "utf8").trim() });
  const { id } = await client.create({});
  await client.command(id, { type: "send", content: [{ type: "text", text: "Hello?" }] });
  await expect.poll(() => model.prompts.length).toBe(2);
  const [typed, sent] = model.prompts;
  expect(typed).toEqual(sent);
});
