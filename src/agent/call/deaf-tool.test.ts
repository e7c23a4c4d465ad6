/** Tests tools that keep no contract: the turn goes on without them. */

import { expect, onTestFinished, test, vi } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";
import { defineTool } from "../../tools/tool.ts";
import { turnBounds } from "../bounds.ts";

test("a tool that does not end when it is interrupted is left to itself, and the session goes on", async () => {
  const begun = Promise.withResolvers<void>();
  const deaf = defineTool({
    name: "mine",
    does: "read",
    summary: "A tool of a program.",
    input: {},
    title: () => "Mine",
    run: () => {
      begun.resolve();
      return new Promise(() => undefined);
    },
  });
  const model = scriptedModel([[{ call: "mine", with: {} }], [{ say: "Next." }]]);
  const { ask, session, close } = await testSession(model, { tools: [deaf] });
  const first = ask("Go.");
  await begun.promise;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const interrupted = session.command({ type: "interrupt" });
  await vi.advanceTimersByTimeAsync(turnBounds.deafTool.most);
  vi.useRealTimers();
  expect(await interrupted).toEqual({ ok: true });
  await first;
  await ask("And now?");
  expect(session.state.turns.map(({ stopped, text }) => [stopped, text])).toEqual([
    ["interrupted", expect.stringContaining("Mine: cancelled")],
    ["done", "Next."],
  ]);
  await close();
});
