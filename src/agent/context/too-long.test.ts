/** Tests prompts too long for their provider or window: what is tried, and how the turn ends. */

import { expect, test } from "vitest";
import { emptyContext } from "../../protocol/fold-context.ts";
import { scriptedModel, type ScriptedModel } from "../../providers/scripted-model.ts";
import { lines, isSummary, overflow, withSession } from "../../testing/long-conversation.ts";
import { factsOf } from "../../testing/scripted-session.ts";
import { explain } from "../../wires/explain.ts";
import { countPrompt } from "./count.ts";

test("a prompt rejected as too long is compacted and retried once, and later prompts stay shorter", async () => {
  let refused = false;
  let round = 0;
  const model = scriptedModel((prompt) => {
    if (isSummary(prompt)) return [{ say: "Files were written." }];
    round += 1;
    if (round === 15 && !refused) {
      refused = true;
      return [{ fail: overflow() }];
    }
    return round < 40
      ? [{ call: "write_file", with: { path: `f${round}.txt`, content: lines(`${round}`, 150) } }]
      : [{ say: "done" }];
  });
  await withSession(model, async ({ ask, facts, session }) => {
    await ask("Write");
    const compactions = factsOf(facts(), "compaction");
    expect(compactions[0]).toMatchObject({ because: "overflow" });
    expect(compactions.slice(1).map(({ because }) => because)).toContain("budget");
    const refusedAt = compactions[0]?.tokensBefore ?? 0;
    for (const { tokensBefore } of compactions.slice(1)) expect(tokensBefore).toBeLessThan(refusedAt);
    expect(factsOf(facts(), "answer-end").filter(({ reason }) => reason === "failed").length).toBe(1);
    expect(session.state.turns.at(-1)?.stopped).toBe("done");
  });
});

test("a second rejection in a row ends the turn with advice; the next turn may try again", async () => {
  let round = 0;
  const model = scriptedModel((prompt) => {
    if (isSummary(prompt)) return [{ say: "Files were written." }];
    round += 1;
    if (round > 10) return round < 13 ? [{ fail: overflow() }] : [{ say: "done" }];
    return [{ call: "write_file", with: { path: `f${round}.txt`, content: lines(`${round}`, 150) } }];
  });
  await withSession(model, async ({ ask, facts }) => {
    await ask("Write");
    expect(factsOf(facts(), "compaction").length).toBe(1);
    const [end] = factsOf(facts(), "turn-end");
    expect(end?.stopped).toBe("failed");
    expect(end?.advice).toContain("Start a new session");
    await ask("Again");
    expect(factsOf(facts(), "turn-end").at(-1)?.stopped).toBe("done");
  });
});

test("a prompt too long because of one large result drops that result without asking for a summary", async () => {
  let round = 0;
  const model = scriptedModel(() => {
    round += 1;
    if (round === 1) return [{ call: "read_file", with: { path: "a.txt" }, id: "a" }];
    return round === 2 ? [{ fail: overflow() }] : [{ say: "done" }];
  });
  await withSession(
    model,
    async ({ ask, facts }) => {
      await ask("Read");
      expect(factsOf(facts(), "results-trimmed").map(({ callIds }) => callIds)).toEqual([["a"]]);
      expect(factsOf(facts(), "compaction")).toEqual([]);
      expect(factsOf(facts(), "turn-end")[0]?.stopped).toBe("done");
    },
    { files: { "a.txt": lines("a", 1_500) } },
  );
});

test("the reason for a prompt that is too long is given once, in the provider's own words where it has any", async () => {
  for (const [said, told] of [
    [
      "It has 9 tokens, and 8 fit",
      "the conversation is too long for the model (the provider said: It has 9 tokens, and 8 fit), and",
    ],
    ["", "the conversation is too long for the model, and what"],
  ] as const)
    await withSession(
      scriptedModel([[{ fail: explain("context-overflow", { said, status: 400 }) }]]),
      async ({ ask, facts }) => {
        await ask(lines("a paste", 2_000));
        expect(factsOf(facts(), "turn-end")[0]?.because?.slice(0, told.length)).toBe(told);
      },
    );
});

test("a single message that is rejected cannot be shortened, and no summary is requested", async () => {
  const model = scriptedModel([[{ fail: overflow() }]]);
  await withSession(model, async ({ ask, facts }) => {
    await ask(lines("a paste", 2_000));
    expect(model.prompts.length).toBe(1);
    expect(factsOf(facts(), "turn-end")[0]).toMatchObject({ stopped: "failed" });
    expect(factsOf(facts(), "turn-end")[0]?.advice).toContain("fork");
    expect(factsOf(facts(), "compaction")).toEqual([]);
  });
});

test.each([4_096, 8_192, 12_000])(
  "with a window of %i tokens reading goes on, and no prompt exceeds the window",
  async (contextTokens) => {
    let round = 0;
    const model = scriptedModel(
      (prompt) => {
        if (isSummary(prompt)) return [{ say: "Files were read." }];
        round += 1;
        return round <= 60 ? [{ call: "read_file", with: { path: `f${round % 4}.txt` } }] : [{ say: "done" }];
      },
      { contextTokens },
    );
    const files = Object.fromEntries([0, 1, 2, 3].map((at) => [`f${at}.txt`, lines(`file ${at}`, 40)]));
    await withSession(
      model,
      async ({ ask, session }) => {
        await ask("Read them, again and again");
        expect(session.state.turns.at(-1)?.stopped).toBe("done");
        for (const { system, messages, tools } of model.prompts) {
          const told = { state: { messages, context: emptyContext() }, system, tools, model: "" };
          expect(countPrompt(told).tokens).toBeLessThan(contextTokens);
        }
        expect(model.prompts.filter(isSummary).length).toBeLessThan(15);
      },
      { files },
    );
  },
);

test("an earlier message longer than the window of a model chosen since ends the turn before that is asked", async () => {
  let window = 200_000;
  const scripted = scriptedModel([[{ say: "Read." }]]);
  const model: ScriptedModel = {
    ...scripted,
    get contextTokens() {
      return window;
    },
  };
  await withSession(model, async ({ ask, facts }) => {
    await ask(lines("a paste", 4_000));
    window = 8_000;
    await ask("go on");
    expect(model.prompts).toHaveLength(1);
    expect(factsOf(facts(), "turn-end").at(-1)?.because).toContain("of 8000");
  });
});

test("results of the last answer that are too large by themselves are trimmed, the largest first", async () => {
  const files = { "a.txt": lines("a", 1_500), "b.txt": lines("b", 1_400), "c.txt": "small" };
  const model = scriptedModel(
    [
      [
        { call: "read_file", with: { path: "a.txt" }, id: "a" },
        { call: "read_file", with: { path: "b.txt" }, id: "b" },
        { call: "read_file", with: { path: "c.txt" }, id: "c" },
      ],
      [{ say: "done" }],
    ],
    { contextTokens: 56_000 },
  );
  await withSession(
    model,
    async ({ ask, facts }) => {
      await ask("Read");
      expect(factsOf(facts(), "results-trimmed").map(({ callIds }) => callIds)).toEqual([["a"]]);
      expect(factsOf(facts(), "turn-end")[0]?.stopped).toBe("done");
    },
    { files },
  );
});
