/** A person at a terminal decides what to keep of a command that has run. */

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { controlD, enter, lines, stage } from "../src/cli/conversation/testing/conversation.ts";
import { findSandbox } from "../src/runtime/containing.ts";
import { unknownPrograms } from "./support/unknown-programs.ts";

const programs = unknownPrograms();
afterAll(() => programs.remove());

const twenty = Array.from({ length: 20 }, (_, at) => `line ${at + 1}\n`).join("");
const files = { "a.txt": "a\n", "b.txt": "b\n", "long.txt": twenty };
const formats =
  "echo made >a.txt; rm b.txt; sed -i -e 's/^line 2$/LINE 2/' -e 's/^line 19$/LINE 19/' long.txt";

async function asked(script: string) {
  const command = programs.make(script);
  const staged = await stage([[{ call: "run_command", with: { command } }], [{ say: "That is all." }]], {
    first: "Go",
    session: { sandbox: findSandbox, files },
  });
  const { terminal, runtime, over } = staged;
  onTestFinished(() => runtime.close());
  await terminal.until("or type why not: ");
  const { root } = runtime.test.workspace;
  const type = async (line: string, next: string): Promise<void> => {
    terminal.type(`${line}${enter}`);
    await terminal.until(next);
  };
  const done = async (last: string): Promise<string[]> => {
    terminal.type(`${last}${enter}`);
    await terminal.until("That is all.");
    terminal.type(controlD);
    await over;
    return lines(terminal);
  };
  const read = (path: string): string => readFileSync(join(root, path), "utf8");
  return { ...staged, command, root, type, done, read };
}

test("the card says what happened, which files, and the diff; yes keeps all", async () => {
  const { terminal, command, done, read } = await asked(formats);
  const shown = lines(terminal);
  expect(shown.join(" ")).toContain(`? Keep the changes of: Run ${command}`);
  expect(shown.join(" ")).toContain(
    "It has run contained and changed 3 files; nothing of that is in the workspace yet.",
  );
  expect(shown).toEqual(expect.arrayContaining(["  a.txt · modified · +1 −1", "  b.txt · deleted · +0 −1"]));
  expect(shown).toContain("    +LINE 19");
  expect(shown.join(" ")).toContain(`from now on without asking, of: \`${command} …\``);
  const printed = await done("y");
  expect(read("a.txt")).toBe("made\n");
  expect(printed.join("\n")).toContain("ok +3 −4 · changes kept");
});

test("choosing goes through files and hunks one by one; what is said no to never arrives", async () => {
  const { type, done, read } = await asked(formats);
  await type("c", "Keep a.txt?");
  await type("n", "Keep b.txt?");
  await type("maybe", "Please answer y, n, a, d or q.");
  await type("n", "Keep hunk 1 of 2 in long.txt?");
  await type("n", "Keep hunk 2 of 2 in long.txt?");
  const printed = await done("y");
  expect([read("a.txt"), read("b.txt")]).toEqual(["a\n", "b\n"]);
  expect(read("long.txt")).toBe(twenty.replace("line 19\n", "LINE 19\n"));
  expect(printed.join("\n")).toContain("changes kept, but for a.txt, b.txt, hunk 1 of long.txt");
});

test("the rest can be kept or dropped at once, and one can go back to the question", async () => {
  const { type, done, read } = await asked(formats);
  await type("c", "Keep a.txt?");
  await type("q", "or type why not: ");
  await type("c", "Keep a.txt?");
  await type("y", "Keep b.txt?");
  await done("d");
  expect([read("a.txt"), read("b.txt"), read("long.txt")]).toEqual(["made\n", "b\n", twenty]);
});

test("no drops all, and a longer answer is its reason", async () => {
  const { done, read, runtime } = await asked(formats);
  const printed = await done("no, not the long one");
  expect(read("a.txt")).toBe("a\n");
  expect(printed.join("\n")).toContain("has run · changes dropped: not the long one");
  expect(runtime.test.facts().find(({ type: name }) => name === "approval-answered")).toMatchObject({
    answer: "deny",
    note: "not the long one",
  });
});

test("a long diff is cut, and shown in full on request", async () => {
  const { terminal, type, done } = await asked("seq 1 300 >many.txt");
  expect(lines(terminal).join("\n")).toContain("more lines of the diff: answer d to see all of it");
  expect(lines(terminal)).not.toContain("    +300");
  await type("d", "+300");
  expect(lines(terminal)).toContain("    +300");
  await done("n");
});

test("when a file has changed meanwhile, the call says that nothing was put in place", async () => {
  const { done, root, read } = await asked(formats);
  writeFileSync(join(root, "a.txt"), "mine\n");
  const printed = await done("y");
  expect([read("a.txt"), read("b.txt")]).toEqual(["mine\n", "b\n"]);
  expect(printed.join("\n")).toContain("failed · changes not put in place");
  expect(printed.join("\n")).toContain("a.txt has changed since this was shown; nothing was changed.");
});
