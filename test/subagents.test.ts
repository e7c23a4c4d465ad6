/** Subagents end to end: six at once over a real model server, calls as envelopes, and kills while they work. */

import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Dialect } from "../src/dialects/dialect.ts";
import { yipsAgent } from "../src/dialects/yips.ts";
import { step } from "../src/protocol/fold.ts";
import { ModelError } from "../src/protocol/model-events.ts";
import { emptyState } from "../src/protocol/session-state.ts";
import { chooseModel } from "../src/providers/discover.ts";
import { openModel } from "../src/providers/open-model.ts";
import type { Model } from "../src/providers/provider.ts";
import { storeAt } from "../src/session/testing/store-at.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { sessionForTest } from "../src/testing/scripted-session.ts";
import { testSession, type TestSessionOptions } from "../src/testing/session.ts";
import { temporaryWorkspace } from "../src/testing/workspace.ts";
import { give, killed, playing, read } from "./support/subagents-script.ts";

const never = new Promise<never>(() => {});
const run = promisify(execFile);

/** A model behind a real server, asked natively or in a dialect. */
async function served(model: Model, dialect?: Dialect): Promise<Model> {
  const server = await serveModel(model);
  onTestFinished(() => server.close());
  const found = await chooseModel({ named: "ollama/m", env: { OLLAMA_HOST: server.url } });
  if (!found.ok) throw new Error(found.message);
  return openModel(found.choice, dialect ? { dialect } : {});
}

async function opened(model: Model, options: TestSessionOptions) {
  const context = await sessionForTest(model, { mode: "accept-edits", ...options });
  const results = () =>
    context.facts().flatMap((entry) => {
      if (entry.type !== "result") return [];
      const words = entry.content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
      return [{ outcome: entry.outcome, words }];
    });
  return { ...context, results };
}

const files = { "a.txt": "alpha\n", "b.txt": "beta\n" };

test("a hanging subagent leaves its parent enough of the time limit to answer with the other results", async () => {
  const model = playing({
    Look: (round) =>
      round === 1 ? [give({ task: "Read" }), give({ task: "Hang" })] : [{ say: "One is done, one is not." }],
    Read: (round) => (round === 1 ? [read("a.txt")] : [{ say: "It says alpha." }]),
    Hang: (round) => (round === 1 ? [{ say: "I begin." }, read("b.txt")] : [{ wait: never }]),
  });
  const context = await opened(await served(model), { files, subagents: {}, limits: { maxMs: 6_000 } });
  await context.ask("Look at both of it.");
  const [ok, late] = context.results().toSorted((one, other) => (one.outcome < other.outcome ? -1 : 1));
  expect(ok).toMatchObject({ outcome: "ok", words: "It says alpha." });
  expect(late).toMatchObject({ outcome: "timeout", words: expect.stringContaining("I begin.") });
  expect(context.facts().at(-1)).toMatchObject({
    type: "turn-end",
    stopped: "done",
    text: "One is done, one is not.",
  });
});

test("with six subagents, one hanging and one failing, the turn ends with partial results", async () => {
  const [others, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const hang = () => {
    reached.resolve();
    return [{ wait: never }];
  };
  const model = playing({
    Look: (round) =>
      round === 1
        ? [
            ...[1, 2, 3, 4].map((at) => give({ task: `Read ${at}` })),
            give({ task: "Hang" }),
            give({ task: "Fail" }),
          ]
        : [{ say: "Four are done, two are not." }],
    Read: (round) => (round === 1 ? [read("a.txt")] : [{ say: "It says alpha." }]),
    Hang: (round) => (round === 1 ? [{ say: "I begin." }, read("b.txt")] : hang()),
    Fail: () => [{ fail: new ModelError("bad-request", "This model cannot do that.") }],
  });
  const timer = (late: () => void) => {
    void Promise.all([others.promise, reached.promise]).then(late);
    return () => undefined;
  };
  const context = await opened(await served(model), { files, subagents: { timer } });
  let ended = 0;
  context.session.log.listen(({ type }) => {
    if (type === "child-ended" && (ended += 1) === 5) others.resolve();
  });
  await context.ask("Look at all of it.");
  expect(
    context
      .results()
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(["failed", "ok", "ok", "ok", "ok", "timeout"]);
  const late = context.results().find(({ outcome }) => outcome === "timeout");
  expect(late?.words).toMatch(/^\[Partial: .* its time was over .*I begin\..*- Read b\.txt:.*beta/su);
  const broken = context.results().find(({ outcome }) => outcome === "failed");
  expect(broken?.words).toContain("This model cannot do that");
  expect(context.facts().at(-1)).toMatchObject({
    type: "turn-end",
    stopped: "done",
    text: "Four are done, two are not.",
  });
  const children = await context.store.children(context.session.id);
  expect(children).toHaveLength(6);
  for (const { id } of children)
    expect((await context.store.read(id, 0)).at(-1)).toMatchObject({ type: "turn-end" });
});

test("a model server that never answers a subagent costs only the subagent's timeout", async () => {
  const model = playing({
    Look: (round) => (round === 1 ? [give({ task: "Hang" })] : [{ say: "It took too long." }]),
    Hang: () => [{ wait: never }],
  });
  const context = await opened(await served(model), { files, subagents: { timeMs: 1_000 } });
  await context.ask("Look at it.");
  expect(context.results()).toMatchObject([{ outcome: "timeout" }]);
  expect(context.facts().at(-1)).toMatchObject({
    type: "turn-end",
    stopped: "done",
    text: "It took too long.",
  });
});

const envelope = (kind: string, value: object): string => `\`\`\`${kind}\n${JSON.stringify(value)}\n\`\`\``;
const look = { context: "It is in a.txt.", allowed_tools: ["read_file", "list_files", "made_up"] };
const written = [
  [
    "B2, B6: actions of type subagent",
    envelope("yips-agent", {
      assistant_text: "Two at once.",
      actions: [
        { type: "subagent", id: "s1", task: "Read it.", ...look, max_rounds: 9 },
        { type: "subagent", id: "s2", task: "Count it.", max_rounds: 1 },
        { type: "subagent", id: "s2", task: "A second one of that id.", max_rounds: 1 },
        { type: "subagent", id: "s3", task: "Never.", max_rounds: 0 },
      ],
    }),
  ],
  [
    "B3: legacy subagent_calls",
    envelope("yips-tools", {
      subagent_calls: [
        { id: "s1", task: "Read it.", ...look, max_rounds: 9 },
        { id: "s2", task: "Count it.", max_rounds: 1 },
      ],
    }),
  ],
] as const;

test.each(written)("%s run as sessions of their own, each with its tools and its limit", async (_, text) => {
  const action = envelope("yips-agent", {
    actions: [{ type: "tool", id: "t1", name: "read_file", arguments: { path: "a.txt" } }],
  });
  const model = playing({
    Do: (round) => [{ say: round === 1 ? text : "Both are told." }],
    Read: (round) => [{ say: round === 1 ? action : "It says alpha." }],
    Count: () => [{ say: action }],
  });
  const { ask, store, session, results, facts } = await opened(await served(model, yipsAgent), {
    files,
    subagents: {},
  });
  await ask("Do it.");
  expect(facts().at(-1)).toMatchObject({ type: "turn-end", stopped: "done", text: "Both are told." });
  expect((await store.children(session.id)).map(({ title }) => title).toSorted()).toEqual([
    "Count it.",
    "Read it.",
  ]);
  expect(
    results()
      .map(({ outcome }) => outcome)
      .toSorted(),
  ).toEqual(["failed", "ok"]);
  const [found, counted] = results().toSorted((one) => (one.outcome === "ok" ? -1 : 1));
  expect(found?.words).toBe("It says alpha.");
  expect(counted?.words).toContain("did not finish: the limit of 1 rounds was reached");
  const asked = model.prompts.find(({ messages }) => JSON.stringify(messages[0]).includes("Read it."));
  const taught = JSON.stringify(asked);
  expect(taught).toContain("You have 6 answers at most");
  expect(taught).toContain("list_files");
  expect(taught).not.toContain("write_file");
  expect(taught).not.toContain("made_up");
});

/** Starts processes that kill themselves; their databases are in this directory. */
const starting = (directory: string) => async (name: string, killAt: number) => {
  const workspace = await temporaryWorkspace({ "a.txt": "alpha\n" });
  onTestFinished(workspace.remove);
  const database = join(directory, `${name}.db`);
  const script = join(import.meta.dirname, "support/subagents-child.ts");
  const words = [script, database, workspace.root, String(killAt)];
  const { stdout } = await run(process.execPath, words).catch((error) => {
    expect(error.signal, error.stderr).toBe("SIGKILL");
    return { stdout: "" };
  });
  return { workspace, database, stored: Number(stdout) };
};

/** How many processes are killed, at points spread over all stored facts. */
const kills = Number(process.env["TOOLWRIGHT_RUNS"] ?? 6);

test("after a kill while subagents work every log is intact, the resumed request completes, and no task is given twice", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-subagents-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const start = starting(directory);
  const whole = await start("whole", Number.MAX_SAFE_INTEGER);
  expect(whole.stored).toBeGreaterThan(60);
  let unbroken = 0;
  for (let at = 1; at <= kills; at += 1) {
    const killAt = 4 + Math.floor(((whole.stored - 5) * at) / (kills + 1));
    const { workspace, database } = await start(`killed-${at}`, killAt);
    const store = await storeAt(database);
    const [parent] = await store.list({ limit: 1, ofPeople: true });
    const again = await testSession(playing(killed), {
      store,
      workspace,
      mode: "accept-edits",
      subagents: {},
      resume: parent?.id ?? "",
    });
    await again.session.command({ type: "go-on" });
    await again.session.idle();
    const told = `killed after ${killAt} facts`;
    const facts = await store.read(parent?.id ?? "", 0);
    expect(facts.at(-1), told).toMatchObject({ type: "turn-end", text: "All is done." });
    // A call of an answer that was cut off is never restarted, nor one that may have begun.
    const lost = facts.some(
      ({ type, ...fact }) => type === "result" && "outcome" in fact && fact.outcome !== "ok",
    );
    const children = facts.flatMap((fact) => (fact.type === "child-started" ? [fact] : []));
    const started = children.map(({ task }) => task);
    const kept = (await store.children(parent?.id ?? "")).map(({ id }) => id);
    expect(kept.toSorted(), told).toEqual(children.map(({ session }) => session).toSorted());
    expect(new Set(started).size, told).toBe(started.length);
    if (!lost) {
      unbroken += 1;
      expect(started.toSorted(), told).toEqual(["Change", "Look one", "Look two"]);
      const isChanged = facts.some((fact) => fact.type === "change-applied");
      expect(isChanged, told).toBe((await workspace.files()).length > 1);
      if (isChanged) expect(await again.session.command({ type: "undo" }), told).toEqual({ ok: true });
      expect(await workspace.files(), told).toEqual(["a.txt"]);
      expect(await workspace.read("a.txt"), told).toBe("alpha\n");
    }
    for (const { id, parent: of } of await store.list()) {
      const entries = await store.read(id, 0);
      expect(
        entries.map(({ seq }) => seq),
        told,
      ).toEqual(entries.map((_, index) => index + 1));
      const { session, parent: task } = entries.reduce(step, emptyState());
      expect({ session, of: task?.session }, told).toEqual({ session: id, of });
    }
    await again.close();
    await store.close();
  }
  expect(unbroken).toBeGreaterThan(kills / 2);
});

test("after a kill and a different request, a subagent's changes can still be undone", async () => {
  const directory = await mkdtemp(join(tmpdir(), "toolwright-subagents-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const start = starting(directory);
  const whole = await start("whole", Number.MAX_SAFE_INTEGER);
  let changed = 0;
  for (const before of [6, 12, 18, 24]) {
    const { workspace, database } = await start(`killed-${before}`, whole.stored - before);
    const store = await storeAt(database);
    const [parent] = await store.list({ limit: 1, ofPeople: true });
    const resume = parent?.id ?? "";
    const options = { store, workspace, mode: "accept-edits", subagents: {}, resume } as const;
    const again = await testSession(playing(killed), options);
    const told = `killed ${before} facts before the end`;
    if ((await workspace.files()).length > 1) changed += 1;
    const { session } = again;
    await session.command({ type: "send", content: [{ type: "text", text: "Something else." }] });
    await session.idle();
    while ((await session.command({ type: "undo" })).ok);
    expect(await workspace.files(), told).toEqual(["a.txt"]);
    expect(await workspace.read("a.txt"), told).toBe("alpha\n");
    await again.close();
    await store.close();
  }
  expect(changed).toBeGreaterThan(1);
});
