import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isObject } from "../src/base/json.ts";
import type { Command } from "../src/protocol/commands.ts";
import type { Entry, FactType } from "../src/protocol/facts.ts";
import { ModelError } from "../src/protocol/model-events.ts";
import type { Prompt } from "../src/providers/provider.ts";
import { scriptedModel, type ScriptedAnswer, type ScriptedStep } from "../src/providers/scripted-model.ts";
import { scale } from "../src/testing/scale.ts";
import { testSession } from "../src/testing/session.ts";
import { temporaryWorkspace, type TemporaryWorkspace } from "../src/testing/workspace.ts";
import { wires } from "../src/wires/index.ts";
import { afterCrash, complaints, sent } from "./support/all-wires.ts";
import { models } from "./support/eventful-log.ts";

/** In real sessions, sent messages are repeated unchanged, and the log after any crash gives a valid request. */

const runs = 40 * scale;

const patience = 60_000 + runs * 2000;

let workspace: TemporaryWorkspace;
beforeAll(async () => void (workspace = await temporaryWorkspace({ "a.txt": "one\n" })));
afterAll(() => workspace.remove());

const state = { from: "anthropic", value: { type: "thinking", thinking: "Hm.", signature: "signed" } };
const brokenOff = new ModelError("network", "The line went dead.", { midStream: true });
const step: fc.Arbitrary<ScriptedStep> = fc.constantFrom<ScriptedStep>(
  { say: "I look." },
  { say: " " },
  { think: "Hm.", state },
  { think: "So." },
  { call: "read_file", with: { path: "a.txt" } },
  { call: "read_file", with: { path: "none.txt" } },
  { call: "write_file", with: { path: "b.txt", content: "b\n" } },
  { call: "no_such_tool", with: {} },
);
const answer: fc.Arbitrary<ScriptedAnswer> = fc
  .tuple(fc.array(step, { maxLength: 4 }), fc.constantFrom("whole", "whole", "whole", "broken", "cut"))
  .map(([steps, ending]) => {
    if (ending === "broken") return [...steps, { fail: brokenOff }];
    return ending === "cut" ? [...steps, { end: "length" as const }] : steps;
  });

/** An action of the user, taken as soon as such a fact is reported. */
type Deed = { on: FactType; command: Command };
const deed: fc.Arbitrary<Deed> = fc.record({
  on: fc.constantFrom<FactType>("call", "result", "answer-end", "turn-start", "approval-asked"),
  command: fc.constantFrom<Command>(
    { type: "send", content: [{ type: "text", text: "Rather so." }] },
    { type: "send", content: [{ type: "text", text: "And then this." }], when: "next" },
    { type: "interrupt" },
    { type: "set-mode", mode: "accept-edits" },
    { type: "set-mode", mode: "plan" },
    { type: "set-reasoning", reasoning: "high" },
  ),
});

type Plan = { answers: ScriptedAnswer[]; deeds: Deed[]; requests: number; allows: boolean };
const plan: fc.Arbitrary<Plan> = fc.record({
  answers: fc.array(answer, { maxLength: 8 }),
  deeds: fc.array(deed, { maxLength: 3 }),
  requests: fc.integer({ min: 1, max: 3 }),
  allows: fc.boolean(),
});

/** Plays a session through; returns its prompts and its log. */
async function lived({
  answers,
  deeds,
  requests,
  allows,
}: Plan): Promise<{ prompts: Prompt[]; log: Entry[] }> {
  const model = scriptedModel((_, round) => answers[round - 1] ?? [{ say: "Done." }], {
    name: "anthropic/claude-sonnet-5-5",
  });
  const opened = await testSession(model, { workspace, maxRounds: 12 });
  const waiting = [...deeds];
  opened.session.log.listen((event) => {
    const [next] = waiting;
    if (next?.on !== event.type) return;
    waiting.shift();
    queueMicrotask(() => void opened.session.command(next.command));
  });
  for (let count = 1; count <= requests; count += 1) {
    await opened.ask(`Request ${count}.`, allows ? "allow" : "deny");
    await opened.session.idle();
  }
  const log = [...opened.facts()];
  await opened.close();
  return { prompts: [...model.prompts], log };
}

/** A request split into its fixed part and its messages, without the cache markers. */
function taken(
  prompt: Prompt,
  { name, wire }: (typeof models)[number],
): { begins: string; messages: string[] } {
  const model = name.replace(/^[^/]*\//, "");
  const ask = { ...prompt, model, reasoning: "high" as const };
  const body = sent(wires[wire].encodeAsk(ask, { streamed: true }));
  const { messages, input, contents, thinking: _thinking, max_tokens: _most, ...rest } = body;
  const list = messages ?? input ?? contents;
  const text = (value: unknown): string =>
    JSON.stringify(value, (key: string, each: unknown) => (key === "cache_control" ? undefined : each));
  return { begins: text(rest), messages: Array.isArray(list) ? list.map(text) : [] };
}

/** Answered messages stay unchanged; text may be added to a last, unanswered message of the user. */
function expectBeginning(before: readonly string[], after: readonly string[]): void {
  expect(after.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
  const [last, now] = [before.at(-1) ?? "", after[before.length - 1] ?? ""];
  if (after.length > before.length) expect(now).toBe(last);
  if (last === now) return;
  const texts = (message: string): string =>
    [...message.matchAll(/Request \d|Rather so|And then this/g)].join();
  expect({ role: roleOf(now), begins: texts(now).startsWith(texts(last)) }).toEqual({
    role: "user",
    begins: true,
  });
}

function roleOf(message: string): unknown {
  const parsed: unknown = JSON.parse(message);
  return isObject(parsed) ? parsed["role"] : undefined;
}

test(
  "on every wire, each request begins with the messages of the one before it",
  async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        const { prompts } = await lived(planned);
        for (const model of models)
          for (const [at, prompt] of prompts.entries()) {
            const before = prompts[at - 1];
            if (!before) continue;
            const [earlier, later] = [taken(before, model), taken(prompt, model)];
            if (prompt.tools.length === before.tools.length) expect(later.begins).toBe(earlier.begins);
            expectBeginning(earlier.messages, later.messages);
          }
      }),
      { numRuns: runs },
    );
  },
  patience,
);

test(
  "every prefix of a real session's log gives a request that all six formats accept",
  async () => {
    await fc.assert(
      fc.asyncProperty(plan, async (planned) => {
        const { log } = await lived(planned);
        for (let length = 3; length <= log.length; length += 1)
          expect(complaints(afterCrash(log.slice(0, length)).messages)).toEqual([]);
      }),
      { numRuns: runs },
    );
  },
  patience,
);
