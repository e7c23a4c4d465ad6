/** What is pasted into a real terminal stands in one row there, and goes to the model whole. */

import { expect, test } from "vitest";
import { openScripted } from "./scripted.ts";
import { enter, prompted } from "./states.ts";

test("10,000 pasted lines are one mark in the input and in the scroll-back, and the model gets them all", async () => {
  const { terminal, model } = await openScripted([[{ say: "All read." }]]);
  const pasted = Array.from({ length: 10_000 }, (_, at) => `line ${at + 1}`).join("\n");
  await terminal.type("read ");
  await terminal.paste(pasted);
  await terminal.shows("> read [pasted #1: 10000 lines]");
  await terminal.type(` please${enter}`);
  await terminal.shows("  All read.");
  await prompted(terminal);
  expect(await terminal.all()).toContain("> read [pasted #1: 10000 lines] please\n");
  expect(await terminal.all()).not.toContain("line 9999");
  const [prompt] = model.prompts;
  expect(prompt?.messages.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: `read ${pasted} please` }],
  });
});

test("rows that a terminal does not mark as a paste are one draft all the same", async () => {
  const { terminal, model } = await openScripted([[{ say: "All read." }]]);
  await terminal.type("one\rtwo\rthree\r");
  await terminal.shows("> one[pasted #1: 3 lines]");
  await terminal.type(enter);
  await terminal.shows("  All read.");
  await prompted(terminal);
  const [prompt] = model.prompts;
  expect(prompt?.messages.at(-1)).toEqual({
    role: "user",
    content: [{ type: "text", text: "one\ntwo\nthree\n" }],
  });
});
