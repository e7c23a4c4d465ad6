/** The lowest row as a person has set it, on a screen with real commands. */

import { expect, test } from "vitest";
import type { StatusLineSetting } from "../../configuration/screen-settings.ts";
import { stageScreen } from "./testing/screen-conversation.ts";

const controlD = "\u0004";

async function stageWith(statusLine: StatusLineSetting, env: Record<string, string> = {}) {
  const staged = await stageScreen([[{ say: "Yes." }]], {
    settings: { statusLine },
    session: { files: { "here.txt": "" } },
    env: { PATH: process.env["PATH"] ?? "", ...env },
  });
  const leave = async (): Promise<void> => {
    staged.type(controlD);
    await staged.over;
  };
  const lowest = (): string => staged.screen.present().at(-1) ?? "";
  return { ...staged, lowest, leave };
}

test("a template stands in the place of the figures, and the keys stay beside it", async () => {
  const { shows, lowest, leave } = await stageWith("in {mode} · {branch} · {cost} · with {model}");
  await shows(/^ in ask · with \S+ +\? keys · \/ commands$/mu);
  expect(lowest()).not.toContain("context");
  await leave();
});

test("a command is told of the session as JSON and prints the row; of what controls a terminal only colours stay", async () => {
  const { shows, screen, leave, runtime } = await stageWith({
    type: "command",
    padding: 1,
    command: `cat > new; mv new told.json; ls here.txt; printf 'second line\\n'`,
  });
  await shows(/^ {2}here\.txt +\? keys/mu);
  expect(screen.all().join("\n")).not.toContain("second line");
  const told: unknown = JSON.parse(await runtime.test.workspace.read("told.json"));
  expect(told).toMatchObject({
    session_id: runtime.session.id,
    cwd: runtime.workspace,
    workspace: { current_dir: runtime.workspace },
    model: { id: expect.any(String), display_name: expect.any(String) },
    mode: "ask",
    branch: null,
    cost: { total_cost_usd: 0 },
  });
  await leave();
});

test("escape sequences of a command neither move the cursor nor reach the title, and its colours end with it", async () => {
  const { shows, screen, leave } = await stageWith({
    command: `printf '\\033[2J\\033]0;title\\007\\033[31mred\\033[10A\\ttab\\r\\n'`,
  });
  await shows(/^ red tab.*\? keys/mu);
  expect(screen.written()).not.toContain("\u001B[2J");
  expect(screen.written()).not.toContain("]0;title");
  // eslint-disable-next-line no-control-regex -- control characters are what this is about
  expect(screen.written()).toMatch(/\u001B\[31mred tab.*?\u001B\[0m/u);
  await leave();
});

test("it runs when the figures change and at no other time, and once for all that changes meanwhile", async () => {
  const { shows, type, leave, runtime } = await stageWith({
    command: `cat >> runs.txt; echo >> runs.txt; wc -l < runs.txt | tr -d ' '`,
  });
  await shows(/^ 1 +\? keys/mu);
  type("a draft that changes nothing");
  await shows("> a draft that changes nothing");
  type("\r");
  await shows("Yes.");
  await shows(/^ \d+ +\? keys/mu);
  await leave();
  const runs = (await runtime.test.workspace.read("runs.txt")).trim().split("\n");
  expect(new Set(runs).size).toBe(runs.length);
});

test.each([
  ["exits with an error", "echo 'no jq here' >&2; exit 3", "exited with 3 (no jq here)"],
  ["prints without end", "yes", "printed more than 1 MiB"],
  ["does not end", "sleep 60", "took longer than 2 s"],
])("a command that %s is told once, and the usual figures stand there", async (_, command, words) => {
  const { shows, type, screen, leave } = await stageWith({ command });
  await shows(`! The command of your status line ${words}`);
  await shows(/^ ask · .*\? keys/mu);
  type("go\r");
  await shows("Yes.");
  await leave();
  expect(screen.all().filter((row) => row.includes("The command of your status line"))).toHaveLength(1);
});

test("leaving does not wait for a command that runs", async () => {
  const { shows, leave } = await stageWith({ command: "sleep 60" });
  await shows("ask ·");
  const begun = performance.now();
  await leave();
  expect(performance.now() - begun).toBeLessThan(1_500);
});
