import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Command, CommandOutcome } from "../../src/protocol/commands.ts";
import type { Entry } from "../../src/protocol/facts.ts";
import { step } from "../../src/protocol/fold.ts";
import type { ContentPart } from "../../src/protocol/messages.ts";
import { ModelError } from "../../src/protocol/model-events.ts";
import {
  awaitsPerson,
  emptyState,
  pendingApprovals,
  pendingQuestions,
  type SessionState,
} from "../../src/protocol/session-state.ts";
import { scriptedModel, type ScriptedStep } from "../../src/providers/scripted-model.ts";
import { openMemoryStore } from "../../src/session/sqlite/memory-store.ts";
import { scale } from "../../src/testing/scale.ts";
import { testSession, type TestSession } from "../../src/testing/session.ts";
import { temporaryWorkspace } from "../../src/testing/workspace.ts";

const runs = 100 * scale;

/** An action of the user, given the session's state at that moment; `calm`: how long nothing happens before it. */
type Act = { calm: number; does: (typeof deeds)[number]; yes: boolean };
const deeds = [
  "send",
  "steer",
  "next",
  "send",
  "steer",
  "next",
  "answer",
  "answer",
  "answer",
  "answer",
  "interrupt",
  "withdraw",
  "go-on",
  "reopen",
  "mode",
  "rename",
  "compact",
  "undo",
  "redo",
  "keep",
] as const;

const acts: fc.Arbitrary<Act[]> = fc.array(
  fc.record({ calm: fc.nat(10), does: fc.constantFrom(...deeds), yes: fc.boolean() }),
  { minLength: 5, maxLength: 60, size: "max" },
);

const words = ["say", "think", "read", "write", "ask", "unknown", "again", "fail", "wait"] as const;
const answers = fc.array(fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 4 }), {
  minLength: 5,
  maxLength: 15,
});

/** The model, with waits that last until `open` is called. */
class Weather {
  readonly #answers: readonly (readonly (typeof words)[number][])[];
  readonly #gates: (() => void)[] = [];
  #round = 0;
  #calls = 0;

  constructor(script: readonly (readonly (typeof words)[number][])[]) {
    this.#answers = script;
  }

  readonly model = () =>
    scriptedModel(() =>
      (this.#answers[this.#round++ % this.#answers.length] ?? []).map((word) => this.#step(word)),
    );

  open(): void {
    for (const gate of this.#gates.splice(0)) gate();
  }

  #step(word: (typeof words)[number]): ScriptedStep {
    const id = `call-${(this.#calls += 1)}`;
    switch (word) {
      case "say":
        return { say: `Answer ${this.#round}.` };
      case "think":
        return { think: "Well." };
      case "read":
        return { call: "read_file", with: { path: "a.txt" }, id };
      case "write":
        return { call: "write_file", with: { path: "w.txt", content: `${id}\n` }, id };
      case "ask":
        return { call: "ask_user", with: { question: "Which?", choices: ["a", "b"] }, id };
      case "unknown":
        return { call: "no_such_tool", with: {}, id };
      case "again":
        return { call: "read_file", with: { path: "a.txt" }, id: "always the same" };
      case "fail":
        return { fail: new ModelError("server", "It broke.") };
      case "wait":
        return { wait: new Promise<void>((resolve) => this.#gates.push(resolve)) };
      default:
        return word satisfies never;
    }
  }
}

test("in a storm of messages, answers, interrupts and reopenings, each message counts once and each call has one result", async () => {
  await fc.assert(
    fc.asyncProperty(acts, answers, (storm, script) => weather(storm, new Weather(script))),
    { numRuns: runs },
  );
});

async function weather(storm: readonly Act[], weather: Weather): Promise<void> {
  const options = {
    store: openMemoryStore(),
    workspace: await temporaryWorkspace({ "a.txt": "hello\n" }),
    maxRounds: 4,
  };
  let context = await testSession(weather.model(), options);
  const resume = context.session.id;
  const accepted: string[] = [];
  const pending: Promise<unknown>[] = [];
  const wind = setInterval(() => weather.open(), 3);
  try {
    for (const [at, act] of storm.entries()) {
      await calm(context, act.calm);
      if (act.does === "reopen") {
        await context.close();
        const stored = await options.store.read(resume, 0);
        await calm(context, 3);
        expect(await options.store.read(resume, 0), "what came after the closing").toEqual(stored);
        context = await testSession(weather.model(), { ...options, resume });
        continue;
      }
      const text = `message-${at}`;
      const outcome = context.session.command(commandFor(act, text, context.session.state));
      const isMessage = act.does === "send" || act.does === "steer" || act.does === "next";
      pending.push(outcome.then(({ ok }: CommandOutcome) => ok && isMessage && accepted.push(text)));
    }
    await Promise.all(pending);
    await settle(context);
    expectAccounted(await options.store.read(resume, 0), { accepted, state: context.session.state });
  } finally {
    await context.close();
    clearInterval(wind);
    await options.workspace.remove();
  }
}

/** Lets the session run for a while, or until it is idle. */
async function calm({ session }: TestSession, length: number): Promise<void> {
  for (let at = 0; at < length; at += 1) await new Promise((resolve) => setImmediate(resolve));
  if (length > 7)
    await Promise.race([session.idle(), new Promise((resolve) => setTimeout(resolve, 15).unref())]);
}

function commandFor({ does, yes }: Act, text: string, state: SessionState): Command {
  switch (does) {
    case "send":
      return { type: "send", content: [{ type: "text", text }] };
    case "steer":
    case "next":
      return { type: "send", content: [{ type: "text", text }], when: does };
    case "answer":
      return answerFor(yes, state);
    case "withdraw":
      return { type: "withdraw", id: state.queue[0]?.id ?? "none" };
    case "mode":
      return { type: "set-mode", mode: yes ? "accept-edits" : "ask" };
    case "rename":
      return { type: "rename", title: text };
    default:
      return { type: does === "reopen" ? "go-on" : does };
  }
}

/** The answer to whatever is open; otherwise an answer to nothing. */
function answerFor(yes: boolean, state: SessionState): Command {
  const [asked] = pendingApprovals(state);
  if (asked) {
    const answer = yes ? ("allow" as const) : ("deny" as const);
    return { type: "answer-approval", callId: asked.callId, answer, scope: "once", by: "storm" };
  }
  if (state.limitAsked) return { type: "answer-limit", answer: yes ? "extend" : "stop", by: "storm" };
  const callId = pendingQuestions(state)[0]?.callId ?? "none";
  return yes
    ? { type: "answer-question", callId, answer: "given", chosen: [0], by: "storm" }
    : { type: "answer-question", callId, answer: "declined", by: "storm" };
}

/** Checks an idle or waiting session: the stored facts give the shown state, and an interruption ends the turn. */
async function settle({ session, store }: TestSession): Promise<void> {
  await session.idle();
  if (session.state.status === "running" && !awaitsPerson(session.state)) {
    expect(await session.command({ type: "go-on" })).toEqual({ ok: true });
    await session.idle();
  }
  const entries = await store.read(session.id, 0);
  expect(isDeepStrictEqual(entries.reduce(step, emptyState()), session.state), "the fold is the view").toBe(
    true,
  );
  await session.command({ type: "interrupt" });
  await session.idle();
  expect(session.state.status).toBe("idle");
}

function expectAccounted(
  entries: readonly Entry[],
  { accepted, state }: { accepted: readonly string[]; state: SessionState },
): void {
  expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, at) => at + 1));
  const calls = entries.flatMap((entry) => (entry.type === "call" ? [entry.call.id] : []));
  const results = entries.flatMap((entry) => (entry.type === "result" ? [entry.callId] : []));
  expect(results.toSorted()).toEqual(calls.toSorted());
  const withdrawn = entries.flatMap((entry) => (entry.type === "message-withdrawn" ? [entry.id] : []));
  const taken = entries.flatMap((entry) => {
    if (entry.type === "user-message" || entry.type === "steer") return wordsOf(entry.content);
    return entry.type === "message-queued" && withdrawn.includes(entry.id) ? wordsOf(entry.content) : [];
  });
  const waiting = state.queue.flatMap(({ content }) => wordsOf(content));
  expect([...taken, ...waiting].toSorted()).toEqual(accepted.toSorted());
}

const wordsOf = (content: readonly ContentPart[]): string[] =>
  content.flatMap((part) => (part.type === "text" ? part.text.split(/\s+/) : []));
