/** Hooks around a whole turn: what they hold up, what they add, and that a crash between two of them loses nothing. */

import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Entry } from "../../protocol/facts.ts";
import { scriptedModel, type ScriptedAnswer } from "../../providers/scripted-model.ts";
import { openMemoryStore } from "../../session/sqlite/memory-store.ts";
import { StoreError } from "../../session/store.ts";
import { WrappedStore } from "../../session/testing/wrapped-store.ts";
import { hookedSession, type HookedOptions, hooksRun, wordsIn } from "../../testing/hooked-session.ts";
import type { HookSettings } from "./settings.ts";

const call = (name: string, input: Record<string, string>): ScriptedAnswer[number] => ({
  call: name,
  with: input,
});
const done: ScriptedAnswer = [{ say: "Done." }];
const look = call("list_files", { path: "." });
const send = (text: string, when: "steer" | "next" = "steer") => ({
  type: "send" as const,
  content: [{ type: "text" as const, text }],
  when,
});

async function start(
  hooks: readonly HookSettings[],
  script: readonly ScriptedAnswer[] | ((round: number) => ScriptedAnswer),
  options: HookedOptions = {},
) {
  const model = scriptedModel(typeof script === "function" ? (_, round) => script(round) : script);
  const opened = await hookedSession(model, hooks, options);
  onTestFinished(() => opened.close().catch(() => undefined));
  return { ...opened, model };
}

function gate() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { wait: promise, open: () => resolve() };
}

const results = (facts: readonly Entry[]): string[] =>
  facts.flatMap((fact) =>
    fact.type === "result"
      ? [`${fact.outcome}: ${fact.content.map((part) => (part.type === "text" ? part.text : "")).join("\n")}`]
      : [],
  );
const types = (facts: readonly Entry[]): string[] => facts.map(({ type }) => type);

test("B15: a message refused by a hook starts no turn and no model request", async () => {
  const hook: HookSettings = {
    on: "prompt",
    name: "gate",
    command: "grep -q secret && echo 'no secrets' >&2 && exit 2; exit 0",
  };
  const { session, model } = await start([hook], [done]);
  expect(await session.command(send("here is the secret"))).toEqual({
    ok: false,
    problem: "Refused by the hook gate: no secrets",
  });
  expect(session.state.status).toBe("idle");
  expect(model.prompts).toEqual([]);
  expect(await session.command(send("hello"))).toEqual({ ok: true });
  await session.idle();
  expect(wordsIn(model.prompts[0]?.messages ?? [])).toEqual(["hello"]);
});

test("B15: a prompt hook's output follows the message and is attributed to the hook", async () => {
  const hook: HookSettings = { on: "prompt", name: "time", command: "echo 'It is Monday.'" };
  const { ask, model } = await start([hook], [done]);
  await ask("Hello");
  expect(wordsIn(model.prompts[0]?.messages ?? []).join("\n")).toBe(
    'Hello\n[The hook "time" says this, not the user:]\nIt is Monday.',
  );
});

test.each(["steer", "next"] as const)(
  "hook output for a queued message (%s) is logged with the message and sent once with it",
  async (when) => {
    const store = openMemoryStore();
    const hook: HookSettings = {
      on: "prompt",
      name: "echo",
      command: `echo "heard $(grep -o 'two' | head -1)"`,
    };
    const speaking = gate();
    const stop = gate();
    const first = await start(
      [hook],
      (round) => {
        if (round === 1) speaking.open();
        return round === 1 ? [{ say: "…" }, { wait: stop.wait }, look] : done;
      },
      { store },
    );
    await first.session.command(send("one"));
    await speaking.wait;
    await first.session.command(send("two", when));
    const queued = first.facts().find((fact) => fact.type === "message-queued");
    expect(queued).toMatchObject({
      said: [{ from: "hook", name: "echo", text: expect.stringContaining("heard two") }],
    });
    stop.open();
    await first.session.idle();
    const told = wordsIn(first.model.prompts.at(-1)?.messages ?? []).join("\n");
    expect(told).toMatch(/two\n\[The hook "echo" says this, not the user:\]\nheard two/u);
    expect(told.split("heard two").length).toBe(2);
  },
);

test("withdrawing a message also withdraws its hook output", async () => {
  const hook: HookSettings = {
    on: "prompt",
    name: "echo",
    command: "grep -q 'never' && echo 'about never'; exit 0",
  };
  const speaking = gate();
  const stop = gate();
  const { session, model } = await start([hook], (round) => {
    if (round === 1) speaking.open();
    return round === 1 ? [{ say: "…" }, { wait: stop.wait }, look] : done;
  });
  await session.command(send("one"));
  await speaking.wait;
  await session.command({ ...send("never"), id: "m1" });
  expect(await session.command({ type: "withdraw", id: "m1" })).toEqual({ ok: true });
  stop.open();
  await session.idle();
  expect(wordsIn(model.prompts.at(-1)?.messages ?? []).join("\n")).not.toContain("never");
});

test("an interrupt does not wait for the hooks of a message", async () => {
  const hook: HookSettings = { on: "prompt", command: "echo started > began; sleep 60", timeout: 100 };
  const { session, workspace, model } = await start([hook], [done]);
  const sending = session.command(send("Hello"));
  while (!(await workspace.files()).includes("began")) await new Promise((resolve) => setImmediate(resolve));
  await session.command({ type: "interrupt" });
  expect(await sending).toMatchObject({ ok: false });
  expect(model.prompts).toEqual([]);
});

test("B15: session-start and session-end hooks run once per opening, and the start's output is kept", async () => {
  const store = openMemoryStore();
  const hooks: HookSettings[] = [
    { on: "on-session-start", name: "begin", command: `cat >> log; echo "Branch: main"` },
    { on: "on-session-end", name: "finish", command: "echo end >> log" },
  ];
  const first = await start(hooks, [done, done], { store });
  await first.ask("one");
  await first.ask("two");
  expect(
    wordsIn(first.model.prompts[1]?.messages ?? []).filter((words) => words.includes("Branch: main")),
  ).toHaveLength(1);
  await first.session.close();
  const log = await first.workspace.read("log");
  expect(log.split("\n").filter((line) => line.includes("session-start"))).toHaveLength(1);
  expect(log).toMatch(/"resumed":false[^]*end\n$/u);

  const second = await start(hooks, [done], { store, resume: first.session.id, workspace: first.workspace });
  await second.ask("three");
  expect(await second.workspace.read("log")).toContain('"resumed":true');
  expect(
    wordsIn(second.model.prompts[0]?.messages ?? []).filter((words) => words.includes("Branch: main")),
  ).toHaveLength(1);
});

test("a session opened without a message runs no hooks", async () => {
  const hooks: HookSettings[] = [{ on: ["session-start", "session-end"], command: "echo ran >> log" }];
  const { session, workspace } = await start(hooks, []);
  await session.close();
  expect(await workspace.files()).toEqual([]);
});

test("C7: a before-change hook may refuse a change before it is made, without an approval", async () => {
  const hook: HookSettings = {
    on: "before-change",
    name: "frozen",
    command: "cat > told.json; echo frozen >&2; exit 2",
  };
  const { ask, facts, workspace } = await start(
    [hook],
    [[call("edit_file", { path: "a.txt", old: "one", new: "two" })], done],
    { files: { "a.txt": "one\n" } },
  );
  await ask("Go");
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(results(facts())[0]).toBe(
    "denied: Refused by the hook frozen: frozen. Nothing was done; do not try the same again.",
  );
  expect(types(facts())).not.toContain("approval-asked");
  const told = JSON.parse(await workspace.read("told.json"));
  expect(told.files).toEqual([{ path: "a.txt", change: "changed", added: 1, removed: 1 }]);
  expect(told.diff).toContain("+two");
});

test("B15: a formatting hook's edits are part of the change, and undo reverts both", async () => {
  const format: HookSettings = {
    on: "on-file-write",
    name: "format",
    command: `tr a-z A-Z < "$TOOLWRIGHT_HOOK_PATH" > tmp && cat tmp > "$TOOLWRIGHT_HOOK_PATH" && rm tmp`,
  };
  const { ask, facts, session, workspace, model } = await start(
    [format],
    [
      [call("read_file", { path: "a.txt" })],
      [
        call("edit_file", { path: "a.txt", old: "one", new: "two" }),
        call("write_file", { path: "new.txt", content: "made\n" }),
      ],
      [call("edit_file", { path: "a.txt", old: "two", new: "three" })],
      done,
    ],
    { mode: "accept-edits", files: { "a.txt": "one\n" } },
  );
  await ask("Change it");
  expect(await workspace.read("a.txt")).toBe("TWO\n");
  expect(await workspace.read("new.txt")).toBe("MADE\n");
  expect(results(facts())[1]).toContain(
    "[A hook has changed a.txt after that: read it again before you edit it.]",
  );
  expect(results(facts())[3]).toMatch(/^failed: /u);
  expect(wordsIn(model.prompts[2]?.messages ?? []).join("\n")).toContain("A hook has changed a.txt");
  expect(facts().findLast((fact) => fact.type === "turn-end")).toMatchObject({
    changed: ["a.txt", "new.txt"],
  });
  expect(await session.command({ type: "undo" })).toEqual({ ok: true });
  expect(await workspace.read("a.txt")).toBe("one\n");
  expect(await workspace.files()).toEqual(["a.txt"]);
});

test("a hook that replaces the written file with a directory does not break the turn", async () => {
  const remove: HookSettings = {
    on: "after-change",
    name: "remove",
    command: `rm "$TOOLWRIGHT_HOOK_PATH"; mkdir "$TOOLWRIGHT_HOOK_PATH"`,
  };
  const { ask, facts, session, workspace } = await start(
    [remove],
    [[call("write_file", { path: "a.txt", content: "x" })], done],
    { mode: "accept-edits" },
  );
  await ask("Write");
  expect(results(facts())[0]).toMatch(/^ok: /u);
  expect(facts().findLast((fact) => fact.type === "turn-end")).toMatchObject({ stopped: "done" });
  await session.command({ type: "undo" });
  expect(await workspace.files()).toEqual([]);
});

test("C7: a hook can hold back the end of a turn at most three times and receives the count; after that the turn is not done", async () => {
  const hook: HookSettings = {
    on: "turn-end",
    name: "tests",
    command: "cat >> told; echo >> told; echo 'the tests fail' >&2; exit 2",
  };
  const { ask, facts, model, workspace } = await start([hook], () => done);
  await ask("Go");
  expect(model.prompts).toHaveLength(4);
  expect(wordsIn(model.prompts[1]?.messages ?? []).at(-1)).toBe(
    "Not done yet, says the hook tests: the tests fail",
  );
  const told = (await workspace.read("told")).split("\n").filter((line) => line.startsWith("{"));
  expect(told.map((line) => [JSON.parse(line).heldBack, JSON.parse(line).stop_hook_active])).toEqual([
    [0, false],
    [1, true],
    [2, true],
    [3, true],
  ]);
  expect(facts().flatMap((fact) => (fact.type === "turn-end" ? [fact] : []))).toMatchObject([
    { stopped: "limit", because: "it is not done, says the hook tests: the tests fail", text: "Done." },
  ]);
});

test("C7: an approval-asked hook runs once per approval and delays nothing", async () => {
  const hook: HookSettings = {
    on: "approval-asked",
    name: "bell",
    command: "cat >> bell; sleep 60",
    timeout: 100,
  };
  const { ask, workspace, facts, session } = await start(
    [hook],
    [[call("run_command", { command: "touch made" })], done],
  );
  await ask("Go");
  expect(results(facts())[0]).toMatch(/^ok: /u);
  const bell = (): Promise<string> => workspace.read("bell").catch(() => "");
  await expect.poll(async () => (await bell()).split('"event":"approval-asked"').length).toBe(2);
  await session.close(); // aborts the hook
  expect(types(facts()).filter((type) => type === "hook-ran")).toEqual([]);
});

test("C7: hooks run before a manual compaction; session-start output is kept after it", async () => {
  const hooks: HookSettings[] = [
    { on: "compaction", name: "note", command: `grep -o '"because":"[a-z]*"' > because` },
    { on: "session-start", name: "begin", command: "echo 'Use tabs.'" },
  ];
  const { ask, session, workspace, model } = await start(hooks, (round) => [
    { say: `Answer ${round} ${"long ".repeat(400)}` },
  ]);
  for (const text of ["one", "two", "three", "four", "five", "six"]) await ask(text);
  await session.command({ type: "compact" });
  await session.idle();
  expect(await workspace.read("because")).toBe('"because":"person"\n');
  expect(session.state.compactions).toBe(1);
  await ask("seven");
  expect(
    wordsIn(model.prompts.at(-1)?.messages ?? []).filter((words) => words.includes("Use tabs.")),
  ).toHaveLength(1);
});

test("D9: reads succeed with an unrelated hook, and before-call hooks of parallel reads run concurrently", async () => {
  const both = async (hooks: HookSettings[]): Promise<string[]> => {
    const { ask, facts } = await start(hooks, [[look, call("read_file", { path: "a.txt" })], done], {
      files: { "a.txt": "" },
    });
    await ask("Go");
    return results(facts()).map((words) => words.slice(0, 2));
  };
  expect(await both([{ on: "before-call", tools: ["write_*"], command: "exit 2" }])).toEqual(["ok", "ok"]);
  // Each hook waits until the other has begun: run in sequence, they would never end.
  const meet = `touch "began-$TOOLWRIGHT_HOOK_TOOL"; until [ "$(ls began-* | wc -l)" = 2 ]; do sleep 0.01; done`;
  expect(await both([{ on: "before-call", command: meet, timeout: 20, onFailure: "block" }])).toEqual([
    "ok",
    "ok",
  ]);
});

test("C7: a command's hook sees the files as the preceding change left them", async () => {
  const hook: HookSettings = {
    on: "before-call",
    tools: ["Bash"],
    name: "look",
    command: "cat a.txt > seen; exit 0",
  };
  const { ask, workspace } = await start(
    [hook],
    [
      [call("write_file", { path: "a.txt", content: "new" }), call("run_command", { command: "touch made" })],
      done,
    ],
    { files: { "a.txt": "old" } },
  );
  await ask("Go");
  expect(await workspace.read("seen")).toBe("new");
});

test("C7: a command edited by a person at approval is checked again and may still be refused", async () => {
  const hook: HookSettings = {
    on: "before-call",
    name: "watch",
    command: `grep -q 'touch evil' && exit 2; exit 0`,
  };
  const { session, facts, workspace } = await start(
    [hook],
    [[call("run_command", { command: "touch good" })], done],
  );
  await session.command(send("Go"));
  await session.idle();
  const [asked] = facts().flatMap((fact) => (fact.type === "approval-asked" ? [fact] : []));
  await session.command({
    type: "answer-approval",
    callId: asked?.callId ?? "",
    answer: "allow",
    scope: "once",
    by: "test",
    command: "touch evil",
  });
  await session.idle();
  expect(results(facts())[0]).toMatch(/^denied: Refused by the hook watch/u);
  expect(await workspace.files()).toEqual([]);
});

/** Simulates a crash of the process at this append. */
class EndingStore extends WrappedStore {
  ends: (entries: readonly Entry[]) => boolean = () => false;

  override async append(session: string, epoch: number, entries: readonly Entry[]): Promise<void> {
    if (this.ends(entries)) throw new StoreError("The process ended.");
    await super.append(session, epoch, entries);
  }
}

test("C7: after a crash, the call runs with the hook's rewritten arguments, and the hook is not run again", async () => {
  const store = new EndingStore();
  const hook: HookSettings = {
    on: "before-call",
    name: "other",
    command: `echo x >> ran; echo '{"input":{"path":"b.txt"}}'`,
  };
  const options: HookedOptions = { store, files: { "a.txt": "one", "b.txt": "two" } };
  const first = await start([hook], [[call("read_file", { path: "a.txt" })], done], options);
  store.ends = (entries) => entries.some(({ type }) => type === "decision" || type === "call-start");
  await first.session.command(send("Go"));
  await first.session.idle().catch(() => undefined);
  expect(hooksRun(first.facts())).toHaveLength(1);
  await first.session.close().catch(() => undefined);
  store.ends = () => false;

  const again = await start([hook], [done], {
    ...options,
    workspace: first.workspace,
    resume: first.session.id,
  });
  await again.session.command({ type: "go-on" });
  await again.session.idle();
  expect(results(again.facts())[0]).toContain("two");
  expect(await again.workspace.read("ran")).toBe("x\n");
});

test("C7: a refusal is stored atomically with the result it causes", async () => {
  const store = new EndingStore();
  const hook: HookSettings = { on: "before-call", name: "never", command: "exit 2" };
  const first = await start([hook], [[call("write_file", { path: "a.txt", content: "x" })], done], {
    store,
    mode: "accept-edits",
  });
  // Whichever finishes first, a hook's fact and the call's result are appended together.
  store.ends = (entries) =>
    entries.some(({ type }) => type === "result") && !entries.some(({ type }) => type === "hook-ran");
  await first.ask("Go");
  expect(results(first.facts())[0]).toMatch(/^denied/u);
  expect(await first.workspace.files()).toEqual([]);
});

test("a script that is not executable is recorded as a failed hook, and the turn ends", async () => {
  const { ask, facts, workspace } = await start(
    [{ on: "before-call", command: ["./check.sh"] }],
    [[look], done],
    {
      files: { "check.sh": "no program" },
    },
  );
  await chmod(join(workspace.root, "check.sh"), 0o644);
  await writeFile(join(workspace.root, "x"), "");
  await ask("Go");
  expect(hooksRun(facts()).map(({ outcome }) => outcome)).toEqual(["failed"]);
});
