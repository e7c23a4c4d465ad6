/** The program is killed in each state of the screen: whoever opens the session again has the same rows. */

import { expect, test } from "vitest";
import { readSessions } from "../support/whole-log.ts";
import { enter, prompted, type ScreenState, screenStates, settled, startShop, streaming } from "./states.ts";
import type { Tmux } from "./tmux.ts";

const usual = { columns: 100, rows: 50 };

/** Without empty ones, from the message of the state to the input. */
async function rowsOf({ from }: ScreenState, terminal: Tmux): Promise<string[]> {
  const rows = (await settled(terminal.all)).split("\n").map((row) => row.trimEnd());
  const first = rows.lastIndexOf(`> ${from}`);
  const input = rows.findIndex((row) => row.startsWith("──"));
  return first < 0 ? [] : rows.slice(first, input < 0 ? undefined : input).filter((row) => row !== "");
}

async function killedIn(state: ScreenState) {
  const { terminal, home } = await startShop(usual);
  await prompted(terminal);
  await state.reach(terminal);
  const before = await rowsOf(state, terminal);
  process.kill(Number(await terminal.told("#{pane_pid}")), "SIGKILL");
  await terminal.over();
  return { before, home };
}

const reopened = "  The last request waits for your answer.";
const isOver = ({ name }: ScreenState): boolean => name === "done" || name === "scripts";
const isAsked = ({ name }: ScreenState): boolean => ["change", "command", "question", "plan"].includes(name);

test.each(screenStates.filter((state) => isOver(state) || isAsked(state)))(
  "killed in the state $name, and continued",
  async (state) => {
    const { before, home } = await killedIn(state);
    const { terminal } = await startShop(usual, { home, args: ["--continue"] });
    await expect
      .poll(async () => (await rowsOf(state, terminal)).filter((row) => row !== reopened))
      .toEqual(before);
    if (isAsked(state)) expect(await rowsOf(state, terminal)).toContain(reopened);
  },
);

/** Those rows that were finished: what ran or was being written did not go on. */
const finished = (rows: readonly string[], last: RegExp): string[] =>
  rows.slice(0, rows.findLastIndex((row) => last.test(row)) + 1);

test.each([
  [screenStates.find(({ name }) => name === "working"), /● Read/u],
  [streaming, /full by now\.$|on and on/u],
] as const)("killed while something goes on, what was finished is there again", async (state, last) => {
  if (!state) throw new Error("There is no such state.");
  const { before, home } = await killedIn(state);
  const { terminal } = await startShop(usual, { home, args: ["--continue"] });
  await terminal.shows("Interrupted");
  await prompted(terminal);
  expect(finished(await rowsOf(state, terminal), last)).toEqual(finished(before, last));
});

test("a session that was killed is also gone back to from another one", async () => {
  const state = screenStates.find(({ name }) => name === "change");
  if (!state) throw new Error("There is no such state.");
  const { before, home } = await killedIn(state);
  const [[start] = []] = await readSessions(home.stateDir);
  const { terminal } = await startShop(usual, { home });
  await prompted(terminal);
  await terminal.type(`/resume ${start?.type === "session-start" ? start.session : ""}${enter}`);
  await expect
    .poll(async () => (await rowsOf(state, terminal)).filter((row) => row !== reopened))
    .toEqual(before);
});
