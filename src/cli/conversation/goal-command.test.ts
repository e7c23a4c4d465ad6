/** Tests /goal in a conversation. */

import { expect, test } from "vitest";
import { controlD, enter, lines, stage } from "./testing/conversation.ts";

test("/goal sets to work on it, shows the verdicts, and is over once it is met", async () => {
  const { terminal, runtime, over } = await stage(
    [
      [{ say: "Nothing to do." }],
      [{ say: "NOT MET: a.txt was not read" }],
      [{ call: "read_file", with: { path: "a.txt" } }],
      [{ say: "It says x." }],
      [{ say: "MET: a.txt says x" }],
    ],
    { session: { files: { "a.txt": "x\n" } } },
  );
  await terminal.until("> ");
  terminal.type(`/goal${enter}`);
  await terminal.until("There is no goal. /goal CONDITION sets one");
  terminal.type(`/goal a.txt says x${enter}`);
  await terminal.until("The goal: a.txt says x");
  await terminal.until("The goal is not met: a.txt was not read");
  await terminal.until("The goal is met: a.txt says x");
  await terminal.until("> ");
  terminal.type(`/goal${enter}`);
  await terminal.until("There is no goal.");
  terminal.type(controlD);
  await over;
  expect(runtime.session.state.turns).toHaveLength(1);
  await runtime.close();
});

test("/goal during a request holds that one; /goal off drops it", async () => {
  const gate = Promise.withResolvers<undefined>();
  const { terminal, runtime, over } = await stage(
    [[{ wait: gate.promise }, { say: "One." }], [{ say: "Two." }]],
    { first: "Go" },
  );
  await runtime.session.log.until(({ type }) => type === "turn-start", new AbortController().signal);
  terminal.type(`/goal it works${enter}`);
  await terminal.until("Work until this goal is met, and verify it: it works");
  terminal.type(`/goal${enter}`);
  await terminal.until("The goal: it works (/goal off drops it)");
  terminal.type(`/goal off${enter}`);
  await terminal.until("There is no goal any more.");
  gate.resolve(undefined);
  await terminal.until("Two.");
  await terminal.until("> ");
  terminal.type(controlD);
  await over;
  expect(lines(terminal).join("\n")).not.toContain("The goal is");
  await runtime.close();
});
