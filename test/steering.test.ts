/** Messages of the user, whenever they arrive and whatever is killed: each is sent once, is queued or was withdrawn. */

import fc from "fast-check";
import { expect, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import type { ContentPart } from "../src/protocol/messages.ts";
import { ModelError } from "../src/protocol/model-events.ts";
import { pendingApprovals } from "../src/protocol/session-state.ts";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import type { LiveSession } from "../src/runtime/live-session.ts";
import { scale } from "../src/testing/scale.ts";
import { testSession, type TestSession } from "../src/testing/session.ts";

const runs = Math.ceil(60 * scale);

const answers = fc.array(
  fc.constantFrom<ScriptedAnswer>(
    [{ say: "Done." }],
    [{ say: "I look." }, { call: "list_files", with: { path: "." } }],
    [{ call: "run_command", with: { command: "touch made" } }],
    [{ say: "Half" }, { fail: new ModelError("network", "The line broke.") }],
    [{ fail: new ModelError("bad-request", "No.") }],
    [{ say: "Too long" }, { end: "length" }],
  ),
  { minLength: 1, maxLength: 12 },
);

/** Events that happen after this many more facts. */
const events = fc.array(
  fc.record({
    after: fc.nat(4),
    what: fc.constantFrom(
      ...([
        "steer",
        "next",
        "steer",
        "next",
        "both",
        "withdraw",
        "interrupt",
        "go-on",
        "kill",
        "model",
      ] as const),
    ),
  }),
  { minLength: 1, maxLength: 25 },
);

type What = "steer" | "next" | "both" | "withdraw" | "interrupt" | "go-on" | "kill" | "model";

/** The user of a session whose process may be killed at any fact. */
class Person {
  readonly accepted: string[] = [];
  readonly withdrawn: string[] = [];
  #count = 0;
  #test: TestSession;
  readonly #open: (earlier: TestSession) => Promise<TestSession>;

  constructor(first: TestSession, open: (earlier: TestSession) => Promise<TestSession>) {
    this.#test = first;
    this.#open = open;
  }

  get session(): LiveSession {
    return this.#test.session;
  }

  async do(what: What): Promise<void> {
    switch (what) {
      case "steer":
      case "next":
        return this.say(what);
      case "both":
        await Promise.all([this.say("steer"), this.say("next")]);
        return;
      case "withdraw":
        return this.#withdraw();
      case "interrupt":
      case "go-on":
        await this.session.command({ type: what });
        return;
      case "kill":
        this.#test = await this.#open(this.#test);
        return;
      case "model":
        await this.session.idle();
        return;
      default:
        what satisfies never;
    }
  }

  async say(when: "steer" | "next"): Promise<void> {
    const text = `m${++this.#count}`;
    const content: ContentPart[] = [{ type: "text", text }];
    const outcome = await this.session.command({ type: "send", content, when });
    if (outcome.ok) this.accepted.push(text);
  }

  async #withdraw(): Promise<void> {
    const [waiting] = this.session.state.queue;
    if (!waiting) return;
    const outcome = await this.session.command({ type: "withdraw", id: waiting.id });
    if (outcome.ok) this.withdrawn.push(...textsOf(waiting.content));
  }

  /** Waits for that many more facts, or until no more arrive. */
  async wait(facts: number): Promise<void> {
    const { session } = this;
    const target = session.state.seq + facts;
    const stop = new AbortController();
    const reached = session.log.until(({ seq }) => seq >= target, stop.signal).catch(() => undefined);
    await Promise.race([facts === 0 ? undefined : reached, session.idle().catch(() => undefined)]);
    stop.abort();
  }

  /** Answers everything until all queued messages have been sent. */
  async finish(): Promise<void> {
    for (let left = 200; left > 0; left -= 1) {
      const { session } = this;
      await session.idle().catch(() => undefined);
      const [asked] = pendingApprovals(session.state);
      if (asked) {
        const { callId } = asked;
        await session.command({ type: "answer-approval", callId, answer: "deny", scope: "once", by: "test" });
      } else if (session.state.limitAsked)
        await session.command({ type: "answer-limit", answer: "stop", by: "test" });
      else if (!(await session.command({ type: "go-on" })).ok) return;
    }
    throw new Error("It never ends.");
  }
}

const textsOf = (content: readonly ContentPart[]): string[] =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : []));

const told = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "user-message" || fact.type === "steer" ? textsOf(fact.content) : [],
  );

test("no message is lost or sent twice, whenever it arrives and whatever is killed", async () => {
  await fc.assert(
    fc.asyncProperty(
      answers,
      events,
      fc.constantFrom("stop" as const, "ask" as const),
      async (script, happening, onLimit) => {
        const model = scriptedModel((_, round) => script[round - 1] ?? [{ say: "Enough." }]);
        const limits = { maxRounds: 4, onLimit } as const;
        const first = await testSession(model, { limits });
        const opened = [first];
        const open = async ({ store, workspace, session }: TestSession): Promise<TestSession> => {
          const next = await testSession(model, { store, workspace, resume: session.id, limits });
          opened.push(next);
          return next;
        };
        const person = new Person(first, open);
        try {
          await person.say("steer");
          for (const { after, what } of happening) {
            await person.wait(after);
            await person.do(what);
          }
          await person.finish();
          const { session } = person;
          expect(session.state.queue).toEqual([]);
          const heard = told(session.log.entries);
          expect(heard.toSorted()).toEqual(
            person.accepted.filter((text) => !person.withdrawn.includes(text)).toSorted(),
          );
          const last = session.state.messages.flatMap(({ role, content }) =>
            role === "user" ? content.flatMap((part) => (part.type === "text" ? [part.text] : [])) : [],
          );
          expect(last.filter((text) => /^m\d+$/u.test(text))).toEqual(heard);
        } finally {
          for (const each of opened.toReversed()) await each.session.close().catch(() => undefined);
          await first.workspace.remove();
        }
      },
    ),
    { numRuns: runs },
  );
});
