/** While an answer streams into a real terminal: a draft stands still, a message waits for the paragraph's end, a resize copies nothing. */

import { expect, test } from "vitest";
import { openScripted, usual } from "./scripted.ts";
import { enter, prompted, settled } from "./states.ts";
import type { Tmux } from "./tmux.ts";

const rowsOf = async (terminal: Tmux): Promise<string[]> =>
  (await settled(terminal.all))
    .trimEnd()
    .split("\n")
    .map((row) => row.trimEnd());

test("a draft stands still while the text goes on above it, and a message sent there does not split the paragraph", async () => {
  const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { terminal } = await openScripted([
    [
      { say: "The paragraph begins with these words, " },
      { wait: first.promise },
      { say: "goes on while somebody types, " },
      { wait: second.promise },
      { say: "and ends after their message was sent.\n\nA second one follows." },
    ],
    [{ say: "That was told." }],
  ]);
  await terminal.type(`talk${enter}`);
  await terminal.shows("begins with these words,");
  await terminal.type("and be brief");
  await terminal.shows("> and be brief");
  first.resolve();
  await terminal.shows("goes on while somebody types,");
  await terminal.shows("> and be brief");
  await terminal.type(enter);
  await terminal.shows(/» and be brief +at its next step/u);
  second.resolve();
  await terminal.shows("That was told.");
  await prompted(terminal);
  const rows = await rowsOf(terminal);
  expect(rows.slice(rows.indexOf("> talk"), -4)).toEqual([
    "> talk",
    "",
    "  The paragraph begins with these words, goes on while somebody types, and ends after their message",
    "  was sent.",
    "",
    "  A second one follows.",
    "",
    "> and be brief",
    "",
    "  That was told.",
  ]);
});

test("a terminal that is resized while an answer streams has every row once", async () => {
  const sentences = Array.from({ length: 260 }, (_, at) => `Sentence ${at + 1} says that much and no more.`);
  const paragraphs = Array.from({ length: 20 }, (_, at) => sentences.slice(at * 13, at * 13 + 13).join(" "));
  const { terminal } = await openScripted([[{ say: paragraphs.join("\n\n") }]], { delayMs: 3 });
  await terminal.type(`tell${enter}`);
  await terminal.has("Sentence 20 ");
  const widths = [98, 94, 90, 86, 82, 80, 120, 60, 200, 100];
  for (const [at, columns] of widths.entries()) {
    await terminal.resize({ columns, rows: 24 + at });
    if (at % 3 === 2) await terminal.has(`Sentence ${40 + at * 15} `);
  }
  await terminal.resize(usual);
  await terminal.has("Sentence 260 says that much and no more.");
  await prompted(terminal);
  const rows = await rowsOf(terminal);
  const text = rows.slice(rows.indexOf("> tell") + 1, -4);
  expect(text.join(" ").replaceAll(/\s+/gu, " ").trim()).toBe(paragraphs.join(" "));
  expect(rows.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, at) => String(at + 1)));
  expect(rows.filter((row) => row.startsWith("──"))).toHaveLength(2);
});
