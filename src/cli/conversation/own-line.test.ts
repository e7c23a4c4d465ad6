/** Tests `!command` and `#text` in a conversation. */

import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { textOf } from "../../protocol/messages.ts";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

const answers = (count: number) => Array.from({ length: count }, (_, at) => [{ say: `Answer ${at + 1}.` }]);

async function begin(count = 1, files: Record<string, string> = {}) {
  const staged = await stage(answers(count), { session: { files } });
  const { terminal, runtime, over } = staged;
  await terminal.until("> ");
  const say = async (text: string, mark: string): Promise<void> => {
    terminal.type(`${text}${enter}`);
    await terminal.until(mark);
    await terminal.until("> ");
  };
  const leave = async (): Promise<string[]> => {
    terminal.type(controlD);
    await over;
    await runtime.close();
    return lines(terminal);
  };
  return { ...staged, say, leave, root: runtime.workspace };
}

test("!command runs outside the model, and its output goes with the next message only", async () => {
  const { say, leave, runtime } = await begin(2);
  await say("!echo found it; exit 4", "(exit code 4; goes to the model with your next message");
  await say("What was that?", "Answer 1.");
  await say("And now?", "Answer 2.");
  const shown = await leave();
  const [first = [], second = []] = runtime.session.state.turns.map(({ request }) => request);
  expect(textOf(first)).toContain(
    "[The user ran this command in their own shell: echo found it; exit 4 (exit code 4). It printed:]\n```\nfound it\n```",
  );
  expect(second).toHaveLength(1);
  expect(shown).toContain("Sent along: output of echo found it; exit 4");
});

test("!!command is not shown to the model", async () => {
  const { say, leave, runtime } = await begin();
  await say("!!echo secret", "(exit code 0; /undo does not cover it)");
  await say("Hello", "Answer 1.");
  await leave();
  expect(JSON.stringify(runtime.test.facts())).not.toContain("secret");
});

test("during a request it has to wait, and ! alone says what it is for", async () => {
  const gate = Promise.withResolvers<undefined>();
  const { terminal, runtime, over } = await stage([[{ wait: gate.promise }, { say: "Done." }]], {
    first: "Go",
  });
  await runtime.session.log.until(({ type }) => type === "turn-start", new AbortController().signal);
  terminal.type(`!touch x${enter}`);
  await terminal.until("has to wait until the request is done");
  gate.resolve(undefined);
  await terminal.until("> ");
  terminal.type(`!${enter}`);
  await terminal.until("!COMMAND runs it in your own shell");
  terminal.type(controlD);
  await over;
  await runtime.close();
});

test("a first message from the command line is never run", async () => {
  const { terminal, runtime, over } = await stage(answers(1), { first: "!touch x" });
  await terminal.until("Answer 1.");
  terminal.type(controlD);
  await over;
  expect(textOf(runtime.session.state.turns[0]?.request ?? [])).toBe("!touch x");
  await runtime.close();
});

test("#text creates AGENTS.md, then adds to its list, and nothing is sent", async () => {
  const { say, leave, root, runtime } = await begin();
  await say("# use tabs", "Created AGENTS.md: - use tabs");
  await say("#no semicolons", "Added to AGENTS.md: - no semicolons");
  expect(await readFile(join(root, "AGENTS.md"), "utf8")).toBe("- use tabs\n- no semicolons\n");
  await leave();
  expect(runtime.session.state.turns).toEqual([]);
});

test.each([
  ["# Notes\n\nBe brief.", "# Notes\n\nBe brief.\n\n- x\n"],
  ["* one\n\n\n", "* one\n- x\n"],
  ["\uFEFF# Notes\r\n- one\r\n", "\uFEFF# Notes\r\n- one\r\n- x\r\n"],
  ["", "- x\n"],
])("#text below %j keeps what is there", async (before, after) => {
  const { terminal, root, leave } = await begin(0, { "AGENTS.md": before });
  terminal.type(`#x${enter}`);
  await terminal.until("Added to AGENTS.md: - x");
  const now = await readFile(join(root, "AGENTS.md"), "utf8");
  await leave();
  expect(now).toBe(after);
});

test("#text follows a link inside the workspace, and writes nothing outside of it or into what is no text", async () => {
  const { terminal, root, leave } = await begin(0, { "CLAUDE.md": "- one\n", "out/x": "" });
  const remember = async (mark: string): Promise<void> => {
    terminal.type(`#x${enter}`);
    await terminal.until(mark);
  };
  await symlink("CLAUDE.md", join(root, "AGENTS.md"));
  await remember("Added to CLAUDE.md: - x");
  expect(await readFile(join(root, "CLAUDE.md"), "utf8")).toBe("- one\n- x\n");
  await writeFile(join(root, "CLAUDE.md"), Buffer.from([0, 1, 2]));
  await remember("CLAUDE.md is no text file: nothing was written.");
  await leave();
  const other = await begin(0);
  await symlink("/etc/hostname", join(other.root, "AGENTS.md"));
  other.terminal.type(`#x${enter}`);
  await other.terminal.until("! ");
  await other.leave();
  const third = await begin(0);
  await mkdir(join(third.root, "AGENTS.md"));
  third.terminal.type(`#x${enter}`);
  await third.terminal.until("AGENTS.md is no text file: nothing was written.");
  await third.leave();
});

test.each(["#123 fails", "#!/bin/sh", "#"])("%s is a message", async (text) => {
  const { say, leave, runtime } = await begin();
  await say(text, "Answer 1.");
  await leave();
  expect(textOf(runtime.session.state.turns[0]?.request ?? [])).toBe(text);
});
