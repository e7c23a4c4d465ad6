/** Tests /verbose: the checklist, and reasons on and off. */

import { expect, test } from "vitest";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

test("B14: /verbose shows each code with its symptom and count, and what helps against those that occurred", async () => {
  const { terminal, over, runtime } = await stage(
    [[{ call: "no_such_tool", with: {} }], [{ say: "Done." }]],
    {
      first: "Go",
    },
  );
  await terminal.until("Done.");
  await terminal.until("> ");
  terminal.type(`/verbose${enter}`);
  await terminal.until("unknown_tool: the model was told which exist");
  terminal.type(controlD);
  await over;
  const shown = lines(terminal).filter((line) => /^ +[·!] +\d/u.test(line));
  expect(shown).toHaveLength(12);
  expect(shown.filter((line) => line.trimStart().startsWith("!"))).toEqual([
    expect.stringMatching(/! +1 +unknown_tool +a call of a tool that does not exist$/u),
  ]);
  await runtime.close();
});

test("/verbose on shows the reason of each decision from then on, /verbose off no longer", async () => {
  const look = [{ call: "list_dir", with: { path: "." } }];
  const { terminal, over, runtime } = await stage([look, [{ say: "One." }], look, [{ say: "Two." }]]);
  await terminal.until("> ");
  terminal.type(`/verbose on${enter}`);
  await terminal.until("are shown from here on");
  terminal.type(`Go${enter}`);
  await terminal.until("allow: it only reads");
  await terminal.until("> ");
  terminal.type(`/verbose off${enter}`);
  await terminal.until("no longer shown");
  terminal.type(`Go${enter}`);
  await terminal.until("Two.");
  await terminal.until("> ");
  terminal.type(`/verbose maybe${enter}`);
  await terminal.until("/verbose on, /verbose off, or /verbose for the checklist.");
  terminal.type(controlD);
  await over;
  expect(lines(terminal).filter((line) => line.includes("allow: it only reads"))).toHaveLength(1);
  await runtime.close();
});
