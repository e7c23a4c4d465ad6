/** Tests that a long conversation stays short enough: what is left out, what is summarised, and what never is. */

import { expect, test } from "vitest";
import { onFailpoint } from "../../base/failpoint.ts";
import type { Message } from "../../protocol/messages.ts";
import { ModelError } from "../../protocol/model-events.ts";
import type { Prompt } from "../../providers/provider.ts";
import { type ScriptedAnswer, type ScriptedStep, scriptedModel } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { lines, isSummary, overflow, longTurn, withSession } from "../../testing/long-conversation.ts";
import { factsOf } from "../../testing/scripted-session.ts";
import { testSession } from "../../testing/session.ts";

/** Writes files whose contents are in call arguments: only a compaction can remove those. */
function writer(
  rounds: number,
  summary: ScriptedAnswer | ((prompt: Prompt) => ScriptedAnswer),
  window = 30_000,
) {
  let round = 0;
  return scriptedModel(
    (prompt) => {
      if (isSummary(prompt)) return typeof summary === "function" ? summary(prompt) : summary;
      round += 1;
      const content = lines(`round ${round}`, 150);
      return round <= rounds
        ? [{ call: "write_file", with: { path: `f${round}.txt`, content } }]
        : [{ say: "done" }];
    },
    { contextTokens: window },
  );
}

const textOf = (messages: readonly Message[]): string => JSON.stringify(messages);

test("old results are replaced by one line, the newest stay, and read_result shows old ones again from the log", async () => {
  let round = 0;
  const model = scriptedModel(
    () => {
      round += 1;
      if (round <= 12)
        return [{ call: "read_file", with: { path: `f${round % 4}.txt` }, id: `read_${round}` }];
      return round === 13
        ? [{ call: "read_result", with: { call: "read_1", from: 2, lines: 2 } }]
        : [{ say: "done" }];
    },
    { contextTokens: 24_000 },
  );
  const files = Object.fromEntries([0, 1, 2, 3].map((at) => [`f${at}.txt`, lines(`file ${at}`, 200)]));
  await withSession(
    model,
    async ({ ask, facts, session }) => {
      await ask("Read them");
      const [trim] = factsOf(facts(), "results-trimmed");
      expect(trim?.callIds.slice(0, 2)).toEqual(["read_1", "read_2"]);
      const told = model.prompts.at(-1)?.messages ?? [];
      expect(textOf(told)).toContain('read_result with call \\"read_1\\" shows them again.');
      expect(textOf(told.slice(-5))).not.toContain("Left out");
      const page = factsOf(facts(), "result").at(-1);
      expect(page?.content).toEqual([
        {
          type: "text",
          text: '[Lines 2-3 of 200 of the result of "read_1" (read_file). Read on with call: "read_1", from: 4.]\n2\tline 1 of file 1: the quick brown fox\n3\tline 2 of file 1: the quick brown fox',
        },
      ]);
      expect(session.state.compactions).toBe(0);
    },
    { files },
  );
});

test("a truncated output tells the model how to read the rest, and read_result pages all of it", async () => {
  const model = scriptedModel([
    [{ call: "run_command", with: { command: "seq 1 5000" }, id: "seq" }],
    [{ call: "read_result", with: { call: "seq", from: 3_001, lines: 2 } }],
    [{ call: "read_result", with: { call: "nobody" } }],
    [{ say: "done" }],
  ]);
  await withSession(model, async ({ ask, facts }) => {
    await ask("Count");
    const [cut, page, unknown] = factsOf(facts(), "result");
    expect(JSON.stringify(cut?.content)).toContain('[read_result with call \\"seq\\" shows all of it.]');
    expect(page?.content).toEqual([
      {
        type: "text",
        text: '[Lines 3001-3002 of 5000 of the result of "seq" (run_command). Read on with call: "seq", from: 3003.]\n3001\n3002',
      },
    ]);
    expect(unknown?.outcome).toBe("failed");
    expect(JSON.stringify(unknown?.content)).toContain("There is no call");
  });
});

test("a session can be compacted while a turn waits for approval, and the turn then goes on", async () => {
  const content = lines("a", 900);
  const model = scriptedModel((prompt) => {
    if (isSummary(prompt)) return [{ say: "A file was read." }];
    if (!textOf(prompt.messages).includes("read_1")) {
      return textOf(prompt.messages).includes("A file was read.")
        ? [{ say: "done" }]
        : [{ call: "read_file", with: { path: "a.txt" }, id: "read_1" }];
    }
    return [{ call: "write_file", with: { path: "b.txt", content: "b" }, id: "write_1" }];
  });
  await withSession(
    model,
    async ({ facts, session }) => {
      await session.command({ type: "send", content: [{ type: "text", text: "Read, then write" }] });
      await session.idle();
      await session.command({ type: "compact" });
      await session.idle();
      expect(factsOf(facts(), "compaction").length).toBe(1);
      expect(session.state.open.has("write_1")).toBe(true);
      const yes = {
        type: "answer-approval",
        callId: "write_1",
        answer: "allow",
        scope: "once",
        by: "test",
      } as const;
      expect(await session.command(yes)).toEqual({ ok: true });
      await session.idle();
      expect(session.state.turns.at(-1)?.stopped).toBe("done");
      expect(session.state.messages.map(({ role }) => role)).toEqual([
        "user",
        "assistant",
        "tool",
        "assistant",
      ]);
    },
    { files: { "a.txt": content }, mode: "ask" },
  );
});

test("a compaction is announced before its summary exists, and reported as given up when a person stops it", async () => {
  const begun = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const told: string[] = [];
  const model = scriptedModel((prompt) => {
    if (!isSummary(prompt)) return [{ say: lines("a", 900) }];
    return [{ wait: over.promise }, { say: "In short." }];
  });
  await withSession(model, async ({ ask, session }) => {
    await ask("Say much");
    const leave = session.log.listen((event) => {
      if (event.type === "compacting") told.push(`${event.state} ${event.because}`);
      if (event.type === "compaction") told.push(event.type);
      if (event.type === "compacting" && event.tokens > 1_000) begun.resolve();
    });
    await session.command({ type: "compact" });
    await begun.promise;
    expect(told).toEqual(["begun person"]);
    await session.command({ type: "interrupt" });
    await session.idle();
    expect(told).toEqual(["begun person", "given-up person"]);
    over.resolve();
    await session.command({ type: "compact" });
    await session.idle();
    expect(told.slice(2)).toEqual(["begun person", "compaction"]);
    leave();
  });
});

test("when trimming results is not enough, the model writes a summary, and people's words stay verbatim", async () => {
  const model = writer(25, [
    { say: "Files were written." },
    { usage: { inputTokens: 900, outputTokens: 9 } },
  ]);
  await withSession(model, async ({ ask, facts, session }) => {
    await ask("Write many files\n\n  and keep to it");
    const compactions = factsOf(facts(), "compaction");
    expect(compactions.length).toBeGreaterThan(1);
    for (const { tokensBefore, tokensAfter, summary, usage, because } of compactions) {
      expect({ summary, usage, because }).toEqual({
        summary: "Files were written.",
        usage: { inputTokens: 900, outputTokens: 9 },
        because: "budget",
      });
      expect(tokensAfter).toBeLessThan(tokensBefore * 0.6);
    }
    const asked = model.prompts.filter(isSummary);
    expect(asked.length).toBe(compactions.length);
    expect(asked.every(({ toolChoice, messages }) => toolChoice === "none" && messages.length === 1)).toBe(
      true,
    );
    expect(textOf(asked[0]?.messages ?? [])).not.toContain("Summary of what was before");
    expect(textOf(asked[1]?.messages ?? [])).toContain("[Summary of what was before]\\nFiles were written.");
    const [brief] = session.state.messages;
    expect(brief?.content).toContainEqual({ type: "text", text: "Write many files\n\n  and keep to it" });
    expect(textOf(session.state.messages).split("Files were written.").length).toBe(2);
    expect(session.state.turns.at(-1)?.usage.inputTokens).toBe(900 * compactions.length);
    expect(factsOf(facts(), "call").length).toBe(25);
  });
});

test.each<{ name: string; steps: ScriptedStep[]; says: string }>([
  { name: "calls tools", steps: [{ call: "read_file", with: { path: "a" } }], says: "it said nothing" },
  { name: "says nothing", steps: [], says: "it said nothing" },
  { name: "says white space", steps: [{ say: " \n " }], says: "it said nothing" },
  { name: "only thinks", steps: [{ think: "Hm." }], says: "it said nothing" },
  { name: "fails", steps: [{ fail: new ModelError("server", "It fell over.") }], says: "It fell over." },
  { name: "breaks off", steps: [{ say: "Half" }, { fail: new ModelError("network", "Cut.") }], says: "Cut." },
  { name: "finds it too long as well", steps: [{ fail: overflow() }], says: "too long" },
  { name: "writes a megabyte", steps: [{ say: "long ".repeat(200_000) }], says: "did not come to an end" },
  {
    name: "writes more than it was given",
    steps: [{ say: "a b c d e ".repeat(2_500) }],
    says: "longer than what it stands for",
  },
])(
  "a model that $name instead of a summary causes a warning, and the conversation is shortened all the same",
  async ({ steps, says }) => {
    const model = writer(25, steps);
    await withSession(model, async ({ ask, facts, session }) => {
      await ask("Write many files");
      const compactions = factsOf(facts(), "compaction");
      const warnings = factsOf(facts(), "warning").filter(({ code }) => code === "no-summary");
      expect(warnings.length).toBe(compactions.length);
      expect(warnings[0]?.text).toContain(says);
      expect(compactions.length).toBeGreaterThan(0);
      expect(compactions.length).toBeLessThan(8);
      for (const { tokensBefore, tokensAfter, summary } of compactions) {
        expect(tokensAfter).toBeLessThan(tokensBefore * 0.9);
        expect(summary.length).toBeLessThan(3_000);
        expect(summary).toContain("write_file");
      }
      expect(session.state.turns.at(-1)?.stopped).toBe("done");
    });
  },
);

test("a person may request compaction; they are warned if nothing can be gained and refused during a turn", async () => {
  const gate = Promise.withResolvers<void>();
  let round = 0;
  const model = scriptedModel((prompt) => {
    if (isSummary(prompt)) return [{ say: "A file was written." }];
    round += 1;
    if (round === 1) return [{ call: "write_file", with: { path: "a.txt", content: lines("a", 900) } }];
    return round === 3 ? [{ wait: gate.promise }, { say: "later" }] : [{ say: "done" }];
  });
  await withSession(model, async ({ ask, facts, session }) => {
    await ask("Write");
    await session.command({ type: "compact" });
    await session.idle();
    expect(factsOf(facts(), "compaction").map(({ because }) => because)).toEqual(["person"]);
    await session.command({ type: "compact" });
    await session.idle();
    expect(factsOf(facts(), "compaction").length).toBe(1);
    expect(factsOf(facts(), "warning").at(-1)?.code).toBe("nothing-to-shorten");
    await session.command({ type: "send", content: [{ type: "text", text: "Go on" }] });
    expect(await session.command({ type: "compact" })).toMatchObject({ ok: false });
    gate.resolve();
    await session.idle();
    const last = model.prompts.at(-1)?.messages ?? [];
    expect(textOf(last)).toContain("A file was written.");
  });
});

test("an interruption while the summary is written leaves no partial compaction, in a turn and between turns", async () => {
  const never = new Promise<void>(() => undefined);
  const asked = Promise.withResolvers<void>();
  const model = writer(25, () => {
    asked.resolve();
    return [{ say: "Half a summ" }, { wait: never }];
  });
  await withSession(model, async ({ facts, session }) => {
    await session.command({ type: "send", content: [{ type: "text", text: "Write" }] });
    await asked.promise;
    expect(await session.command({ type: "interrupt" })).toEqual({ ok: true });
    expect(factsOf(facts(), "compaction")).toEqual([]);
    expect(factsOf(facts(), "turn-end").map(({ stopped }) => stopped)).toEqual(["interrupted"]);
    await session.command({ type: "compact" });
    expect(await session.command({ type: "interrupt" })).toEqual({ ok: true });
    await session.idle();
    expect(factsOf(facts(), "compaction")).toEqual([]);
  });
});

test("a session killed before its summary is stored compacts once after it is resumed, and loses nothing", async () => {
  const store = openMemoryStore();
  const first = await testSession(writer(25, [{ say: "Lost." }]), { ...longTurn, store });
  try {
    onFailpoint((point) => {
      if (point === "shortening") throw new Error("killed");
    });
    await expect(first.ask("Write many files")).rejects.toThrow("killed");
    onFailpoint(() => undefined);
    const { session: id, said } = first.session.state;
    expect(factsOf(await store.read(id, 0), "compaction")).toEqual([]);
    const model = writer(3, [{ say: "Files were written." }]);
    await withSession(
      model,
      async ({ session, facts }) => {
        await session.command({ type: "go-on" });
        await session.idle();
        expect(session.state.said).toEqual(said);
        expect(factsOf(facts(), "compaction").map(({ summary }) => summary)).toEqual(["Files were written."]);
        expect(session.state.turns.at(-1)?.stopped).toBe("done");
      },
      { store, resume: id, workspace: first.workspace },
    );
  } finally {
    onFailpoint(() => undefined);
    await first.close();
  }
});

test("after a switch to a smaller model, its own budget applies from its first prompt", async () => {
  const store = openMemoryStore();
  const first = await testSession(writer(20, [{ say: "Written." }], 200_000), { ...longTurn, store });
  await first.ask("Write");
  expect(factsOf(first.facts(), "compaction")).toEqual([]);
  const small = scriptedModel((prompt) => [{ say: isSummary(prompt) ? "Written." : "Small and done." }], {
    name: "scripted/small",
    contextTokens: 16_000,
  });
  await withSession(
    small,
    async ({ ask, facts }) => {
      await ask("And now?");
      expect(factsOf(facts(), "compaction").length).toBe(1);
      const told = small.prompts.at(-1)?.messages ?? [];
      expect(textOf(told).length).toBeLessThan(40_000);
      expect(textOf(told)).toContain("And now?");
    },
    { store, resume: first.session.id, workspace: first.workspace },
  );
  await first.close();
});

test("a person's answer to a question is never trimmed nor summarised", async () => {
  let round = 0;
  const model = scriptedModel(
    (prompt) => {
      if (isSummary(prompt)) return [{ say: "Files were read." }];
      round += 1;
      if (round === 1) return [{ call: "ask_user", with: { question: "Tabs or spaces?" } }];
      const isReading = round <= 14 || (round > 16 && round < 20);
      return isReading ? [{ call: "read_file", with: { path: `f${round % 4}.txt` } }] : [{ say: "done" }];
    },
    { contextTokens: 24_000 },
  );
  const files = Object.fromEntries([0, 1, 2, 3].map((at) => [`f${at}.txt`, lines(`file ${at}`, 200)]));
  const answer = `Always tabs, ${"really always, ".repeat(60)}and never spaces.`;
  const told = (): number =>
    textOf(model.prompts.findLast((prompt) => !isSummary(prompt))?.messages ?? []).split(answer).length - 1;
  await withSession(
    model,
    async ({ session, ask, facts }) => {
      await session.command({ type: "send", content: [{ type: "text", text: "Format it." }] });
      await session.idle();
      const callId = factsOf(facts(), "question-asked")[0]?.callId ?? "";
      await session.command({ type: "answer-question", callId, answer: "given", text: answer, by: "test" });
      await session.idle();
      expect(factsOf(facts(), "results-trimmed").length).toBeGreaterThan(0);
      expect(told()).toBe(1);
      await session.command({ type: "compact" });
      await session.idle();
      expect(session.state.compactions).toBe(1);
      await ask("And on.");
      expect(told()).toBe(1);
      expect(textOf(session.state.messages)).toContain("[Asked: Tabs or spaces?]");
    },
    { files },
  );
});
