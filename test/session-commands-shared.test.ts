import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../src/configuration/config.ts";
import { parseArguments } from "../src/configuration/options/arguments.ts";
import type { Command } from "../src/protocol/commands.ts";
import type { Entry } from "../src/protocol/facts.ts";
import { scriptedModel, type ModelScript } from "../src/providers/scripted-model.ts";
import type { LiveSession } from "../src/runtime/live-session.ts";
import { type Runtime, startRuntime } from "../src/runtime/runtime.ts";

type Start = { script: ModelScript; name?: string; root?: string };

async function start({ script, name, root: known }: Start): Promise<{ runtime: Runtime; root: string }> {
  const root = known ?? (await realpath(await mkdtemp(join(tmpdir(), "toolwright-shared-"))));
  if (known === undefined) onTestFinished(() => rm(root, { recursive: true, force: true }));
  const parsed = parseArguments(["--cwd", join(root, "work"), "--state-dir", join(root, "state")], {});
  if (!parsed.ok) throw new Error(parsed.problem);
  const settings = await loadConfig({ arguments: parsed.value, env: { HOME: root }, cwd: root });
  if (!settings.ok) throw new Error(settings.problem);
  const model = scriptedModel(script, name === undefined ? {} : { name });
  const sandbox = async () => ({ kind: "none", because: "each command is to be asked about" }) as const;
  const context = { env: { PATH: process.env["PATH"] }, interactive: true, model, sandbox };
  const started = await startRuntime(settings.value, context);
  if (!started.ok) throw new Error(started.problem);
  onTestFinished(() => started.value.close());
  return { runtime: started.value, root };
}

function must<T>(parsed: { ok: true; value: T } | { ok: false; problem: string }): T {
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

const say = (text: string): Command => ({ type: "send", content: [{ type: "text", text }] });

/** All facts that one surface sees until a turn ends. */
async function follow(session: LiveSession): Promise<Entry[]> {
  const seen: Entry[] = [];
  for await (const event of session.follow(0, new AbortController().signal)) {
    if (!("seq" in event)) continue;
    seen.push(event);
    if (event.type === "turn-end") break;
  }
  return seen;
}

test("two surfaces on one session see the same facts in the same order, and the first answer to an approval wins", async () => {
  const script: ModelScript = [
    [{ call: "run_command", with: { command: "touch made" } }],
    [{ say: "It is there." }],
  ];
  const { runtime } = await start({ script });
  const one = must(await runtime.open({}));
  const other = must(await runtime.open({ resume: one.id }));
  const both = Promise.all([follow(one), follow(other)]);
  await one.command(say("Make it."));
  await one.idle();
  const [callId = ""] = one.state.open;
  const answer = (by: string) =>
    ({ type: "answer-approval", callId, answer: "allow", scope: "once", by }) as const;
  const outcomes = await Promise.all([other.command(answer("page")), one.command(answer("terminal"))]);
  expect(outcomes.map(({ ok }) => ok)).toEqual([true, false]);
  const [seen, seenThere] = await both;
  expect(seenThere).toEqual(seen);
  const answers = seen.flatMap((entry) => (entry.type === "approval-answered" ? [entry.by] : []));
  expect(answers).toEqual(["page"]);
  await one.close();
  expect(await other.command({ type: "rename", title: "Still open" })).toEqual({ ok: true });
  await other.close();
});

test("several sessions run concurrently in one runtime without mixing", async () => {
  const words = ["alpha", "beta", "gamma"];
  const { runtime } = await start({
    script: ({ messages }) => [
      { say: `About ${JSON.stringify(messages.at(-1)).match(/alpha|beta|gamma/u)?.[0]}.` },
    ],
  });
  const sessions: LiveSession[] = [];
  for (const _ of words) sessions.push(must(await runtime.open({})));
  await Promise.all(sessions.map((session, at) => session.command(say(words[at] ?? ""))));
  await Promise.all(sessions.map((session) => session.idle()));
  expect(sessions.map(({ state }) => state.turns.at(-1)?.text)).toEqual(
    words.map((word) => `About ${word}.`),
  );
  expect(new Set(sessions.map(({ id }) => id)).size).toBe(words.length);
  for (const session of sessions) await session.close();
});

test("a fork of an open session has everything before the given request, and leaves the original unchanged", async () => {
  const { runtime } = await start({ script: (_, round) => [{ say: `Answer ${round}.` }] });
  const session = must(await runtime.open({}));
  for (const words of ["one", "two", "three"]) {
    await session.command(say(words));
    await session.idle();
  }
  const before = session.log.entries.length;
  const fork = must(await runtime.fork(session.id, 2));
  expect(fork.id).not.toBe(session.id);
  expect(fork.state.turns.map(({ text }) => text)).toEqual(["Answer 1."]);
  await fork.command(say("two, but better"));
  await fork.idle();
  expect(fork.state.turns.map(({ text }) => text)).toEqual(["Answer 1.", "Answer 4."]);
  expect(session.log.entries).toHaveLength(before);
  expect(await runtime.fork(session.id, 9)).toMatchObject({
    ok: false,
    problem: expect.stringContaining("the requests 1 to 3"),
  });
  await fork.close();
  await session.close();
});

test("an answer's cost is recorded with it: cached tokens at their own price, and no cost where prices are unknown", async () => {
  const usage = {
    inputTokens: 100_000,
    outputTokens: 1000,
    cacheReadTokens: 80_000,
    cacheWriteTokens: 10_000,
  };
  const known = await start({ script: [[{ usage }, { say: "Done." }]], name: "anthropic/claude-sonnet-5-5" });
  const session = must(await known.runtime.open({}));
  await session.command(say("Go."));
  await session.idle();
  // 10,000 · $2 + 80,000 · $0.10 + 10,000 · $2.50 + 1,000 · $10, each for a million.
  expect(session.state.lastAnswer?.cost).toBe(0.063);
  expect([session.state.cost, session.state.turns[0]?.cost]).toEqual([0.063, 0.063]);
  await session.close();
  const unknown = await start({ script: [[{ usage }, { say: "Done." }]], name: "somebody/new" });
  const other = must(await unknown.runtime.open({}));
  await other.command(say("Go."));
  await other.idle();
  expect(other.state.lastAnswer).not.toHaveProperty("cost");
  await other.close();
});
