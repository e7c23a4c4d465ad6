/**
 * Tests that at most one summary, which costs an answer, is requested before the next answer, whatever happens in
 * between.
 */

import { expect, onTestFinished, test } from "vitest";
import { ModelError } from "../../protocol/model-events.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { testSession } from "../../testing/session.ts";

test.each([200, 300, 600])(
  "repeating the mode's instructions after a summary does not cause another summary (%i words)",
  async (count) => {
    let summaries = 0;
    const model = scriptedModel(
      (prompt, round): ScriptedAnswer => {
        if (round < 3)
          return [{ say: "I look around. ".repeat(50) }, { call: "list_files", with: { path: `${round}` } }];
        if (round === 3) return [{ fail: new ModelError("context-overflow", "Too long.") }];
        if (prompt.tools.length > 0) return [{ say: "I have looked." }];
        summaries += 1;
        return [{ say: "Little was done." }];
      },
      { contextTokens: 4_096 },
    );
    const { ask, close, session, facts } = await testSession(model);
    onTestFinished(close);
    await ask("Look.");
    expect(summaries).toBe(1);
    await session.command({ type: "set-mode", mode: "plan" });
    await ask("word ".repeat(count));
    expect(summaries).toBeLessThanOrEqual(2);
    expect(facts().at(-1)).toMatchObject({ type: "turn-end" });
  },
);
