/** Each state of the screen as it is seen in a real terminal of three sizes, and after the terminal was resized. */

import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { written } from "./picture.ts";
import { pictureOf, type ScreenState, screenStates, settled, startShop } from "./states.ts";
import { drawSvg } from "./svg.ts";
import type { TerminalSize, Tmux } from "./tmux.ts";

const [low, usual, wide] = [
  { columns: 80, rows: 24 },
  { columns: 100, rows: 30 },
  { columns: 200, rows: 50 },
] as const;

const images = join(import.meta.dirname, "..", "..", "docs", "images");
const keepsImages = process.env["TOOLWRIGHT_SCREENSHOTS"] !== undefined;
const pictured = ["working", "change", "command", "plan", "done"];

test.each([low, usual, wide])("each state of the screen at $columns×$rows", async (size) => {
  const { terminal } = await startShop(size);
  for (const state of screenStates) {
    await state.reach(terminal);
    const picture = await pictureOf(state, terminal);
    await expect(`${written(picture)}\n`).toMatchFileSnapshot(snapshotOf(state, size));
    if (keepsImages && size === usual && pictured.includes(state.name))
      await writeFile(join(images, `terminal-${state.name}.svg`), drawSvg(picture, size.columns));
    await state.leave(terminal);
  }
});

const snapshotOf = ({ name }: ScreenState, { columns }: TerminalSize): string =>
  join(import.meta.dirname, "snapshots", `${name}-${columns}.txt`);

/** Every row that was ever printed, as wide as it was written. */
const everything = async (terminal: Tmux): Promise<string[]> =>
  (await settled(terminal.all))
    .trimEnd()
    .split("\n")
    .map((row) => row.trimEnd());

/** The lowest rows tell whether a state is laid out for a size. */
const lowest = (text: string): string => text.trimEnd().split("\n").slice(-3).join("\n");

test("in each state, a terminal that was made smaller and larger again shows every row once, as before", async () => {
  const { terminal } = await startShop(usual, { above: 60 });
  for (const state of screenStates) {
    await state.reach(terminal);
    const before = await everything(terminal);
    for (const size of [low, wide, usual]) {
      await terminal.resize(size);
      const there = lowest(readFileSync(snapshotOf(state, size), "utf8"));
      await expect.poll(async () => lowest(written(await pictureOf(state, terminal)))).toBe(there);
    }
    await expect.poll(() => everything(terminal), { message: state.name }).toEqual(before);
    await state.leave(terminal);
  }
});
