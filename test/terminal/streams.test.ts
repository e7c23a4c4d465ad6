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

test("a terminal that is resized in the middle of an answer has every row once", async () => {
  const sentences = Array.from({ length: 260 }, (_, at) => `Sentence ${at + 1} says that much and no more.`);
  const paragraphs = Array.from({ length: 20 }, (_, at) => sentences.slice(at * 13, at * 13 + 13).join(" "));
  const text = paragraphs.join("\n\n");
  // Held while it is resized: what was written for the earlier size and arrives after it, no program can take back.
  const resizes = [
    { at: 20, widths: [98, 94, 90] },
    { at: 70, widths: [86, 82, 80] },
    { at: 115, widths: [120, 60, 200, usual.columns] },
  ].map((one) => ({ ...one, held: Promise.withResolvers<void>() }));
  const ends = [...resizes.map(({ at }) => text.indexOf(`Sentence ${at + 1} `)), text.length];
  const answer = ends.flatMap((end, at) => {
    const say = text.slice(ends[at - 1] ?? 0, end);
    const held = resizes[at]?.held.promise;
    return held ? [{ say }, { wait: held }] : [{ say }];
  });
  const { terminal } = await openScripted([answer], { delayMs: 3 });
  await terminal.type(`tell${enter}`);
  for (const { at, widths, held } of resizes) {
    await terminal.has(new RegExp(`Sentence\\s+${at}\\s`, "u"));
    for (const [taller, columns] of widths.entries())
      await terminal.resize({ columns, rows: usual.rows - widths.length + 1 + taller });
    held.resolve();
  }
  await terminal.has("Sentence 260 says that much and no more.");
  await prompted(terminal);
  const rows = await rowsOf(terminal);
  const told = rows.slice(rows.indexOf("> tell") + 1, -4);
  expect(told.join(" ").replaceAll(/\s+/gu, " ").trim()).toBe(paragraphs.join(" "));
  expect(rows.slice(0, 60)).toEqual(Array.from({ length: 60 }, (_, at) => String(at + 1)));
  expect(rows.filter((row) => row.startsWith("──"))).toHaveLength(2);
});
