import { expect, test } from "vitest";
import type { Usage } from "../../protocol/model-events.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { sessionForTest } from "../../testing/scripted-session.ts";

const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1];

test.each(odd)("a price of %d counts as unknown, and limits and sums use the other prices", async (price) => {
  const usage = { inputTokens: 10, outputTokens: 1 };
  const model = scriptedModel([
    [{ call: "list_files", with: {} }, { usage }],
    [{ say: "Empty." }, { usage }],
  ]);
  let asked = 0;
  const pricing = () => (asked++ === 0 ? price : 0.25);
  const opened = await sessionForTest(model, { pricing, limits: { maxCost: 1, onLimit: "ask" } });
  await opened.ask("Look around.");
  expect(opened.session.state.cost).toBe(0.25);
  expect(opened.facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done" });
  expect(opened.facts().filter(({ type }) => type === "warning")).toMatchObject([{ code: "cost-unknown" }]);
});

test.each(odd)("%d tokens count as zero, and the log can be read again", async (tokens) => {
  const usage: Usage = { inputTokens: tokens, outputTokens: 3, cacheReadTokens: tokens };
  const first = await sessionForTest(scriptedModel([[{ say: "Hello." }, { usage }]]), {
    limits: { maxTokens: 100 },
  });
  await first.ask("Hi");
  expect(first.session.state.usage).toMatchObject({ inputTokens: 0, outputTokens: 3, cacheReadTokens: 0 });
  const { store, workspace, session } = first;
  const again = await sessionForTest(scriptedModel([]), { store, workspace, resume: session.id });
  expect(again.session.state.usage).toEqual(session.state.usage);
});
