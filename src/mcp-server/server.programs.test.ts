import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as after } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { isObject } from "../base/json.ts";
import { type TestPlace, testPlace } from "../cli/serving/testing/mcp-place.ts";
import { scriptedModel } from "../providers/scripted-model.ts";

const places: TestPlace[] = [];
afterEach(async () => {
  for (const place of places.splice(0)) await place.close();
});

async function started(...given: Parameters<typeof testPlace>): Promise<TestPlace> {
  const place = await testPlace(...given);
  places.push(place);
  return place;
}

type TestClient = Awaited<ReturnType<TestPlace["client"]>>;

const texts = ({ content }: { content: readonly { type: string; text?: string }[] }): string =>
  content.map(({ text = "" }) => text).join("\n");

const field = ({ structuredContent }: { structuredContent?: unknown }, name: string): unknown =>
  isObject(structuredContent) ? structuredContent[name] : undefined;

/** The newest session. */
async function newest(client: TestClient): Promise<Record<string, unknown>> {
  const rows = field(await client.callTool({ name: "list_sessions", arguments: {} }), "sessions");
  const [row] = Array.isArray(rows) ? rows : [];
  return isObject(row) ? row : {};
}

const edit = { path: "a.txt", edits: [{ old: "one", new: "two" }] };
const both = ["auto", "legacy"] as const;

test.each(both)("a client that speaks %s is offered sessions and tools", async (mode) => {
  const place = await started(scriptedModel([]), { files: { "a.txt": "one\n" } });
  const client = await place.client({ mode });
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(["run_task", "undo_changes", "read_file", "edit_file", "run_command"]),
  );
  expect(names).not.toContain("ask_user");
  expect(tools.find(({ name }) => name === "read_file")).toMatchObject({
    annotations: { readOnlyHint: true },
    inputSchema: { type: "object", required: ["path"] },
  });
  expect(texts(await client.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toContain(
    "1\tone",
  );
});

const build = JSON.stringify({ scripts: { test: "echo all is well | tee made.txt" } });

test("tools added by the workspace and the user are offered when available, under the same rules", async () => {
  const place = await started(scriptedModel([]), { files: { "a.txt": "one\n" }, flags: ["--mode", "auto"] });
  const client = await place.client({ answer: () => ({ answer: "allow" }) });
  const offered = async () => (await client.listTools()).tools;
  const before = await offered();
  const names = before.map(({ name }) => name);
  expect(names).toContain("fetch");
  expect(names.filter((name) => ["build", "web_search", "get_diagnostics"].includes(name))).toEqual([]);
  expect(before.find(({ name }) => name === "fetch")).toMatchObject({
    annotations: { readOnlyHint: true, openWorldHint: true },
  });
  await client.callTool({ name: "write_file", arguments: { path: "package.json", content: build } });
  expect((await offered()).map(({ name }) => name)).toContain("build");
  const built = await client.callTool({ name: "build", arguments: { check: "test" } });
  expect(texts(built)).toContain("all is well");
  expect(built._meta).toMatchObject({ "toolwright/outcome": "ok", "toolwright/session": expect.any(String) });
  const fetched = await client.callTool({ name: "fetch", arguments: { url: "http://127.0.0.1:1/" } });
  expect(fetched).toMatchObject({ isError: true });
  expect(texts(fetched)).toContain("127.0.0.1");
  const absent = await client.callTool({ name: "web_search", arguments: { query: "x" } });
  expect(texts(absent)).toContain('"web_search" does not exist');
});

test("a workspace tool that runs commands changes nothing in plan mode", async () => {
  const place = await started(scriptedModel([]), {
    files: { "package.json": build },
    flags: ["--mode", "plan"],
  });
  const client = await place.client();
  const built = await client.callTool({ name: "build", arguments: { check: "test" } });
  expect(texts(built)).toContain("What it changed was not kept (made.txt): the mode is plan");
  expect(existsSync(join(place.workspace, "made.txt"))).toBe(false);
});

test("a task runs in a session, and its result lists the changes", async () => {
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "new.txt", content: "made\n" } }],
    [{ say: "I made it." }],
    [{ say: "Yes, I did." }],
  ]);
  const place = await started(model, { flags: ["--mode", "accept-edits"] });
  const client = await place.client();
  const told: string[] = [];
  const result = await client.callTool(
    { name: "run_task", arguments: { prompt: "Make new.txt" } },
    { onprogress: ({ message }) => void told.push(message ?? "") },
  );
  expect(result.structuredContent).toMatchObject({
    stopped: "done",
    text: "I made it.",
    turn: 1,
    changed: [{ path: "new.txt", added: 1, removed: 0 }],
  });
  expect(told.length).toBeGreaterThan(0);
  expect(await place.read("new.txt")).toBe("made\n");
  const session = String(field(result, "session"));
  const again = await client.callTool({
    name: "run_task",
    arguments: { prompt: "Did you?", session: session.slice(-8) },
  });
  expect(again.structuredContent).toMatchObject({ session, turn: 2, text: "Yes, I did." });
  const review = await client.callTool({ name: "review_changes", arguments: { session } });
  expect(texts(review)).toContain("+made");
  const undone = await client.callTool({ name: "undo_changes", arguments: { session } });
  expect(texts(undone)).toBe("Undone: new.txt.");
  await expect(place.read("new.txt")).rejects.toThrow("ENOENT");
  await client.callTool({ name: "undo_changes", arguments: { session, again: true } });
  expect(await place.read("new.txt")).toBe("made\n");
});

test.each(both)("a task's approvals go to the person of a client that speaks %s", async (mode) => {
  const model = scriptedModel([
    [
      { call: "write_file", with: { path: "yes.txt", content: "y\n" } },
      { call: "write_file", with: { path: "no.txt", content: "n\n" } },
    ],
    [{ say: "One of them." }],
  ]);
  const place = await started(model);
  const asked: string[] = [];
  const client = await place.client({
    mode,
    answer: ({ message }) => {
      asked.push(message);
      const no: Record<string, string> = { answer: "deny", note: "not that one" };
      return message.includes("yes.txt") ? { answer: "allow" } : no;
    },
  });
  const result = await client.callTool({ name: "run_task", arguments: { prompt: "Write both" } });
  expect(result.structuredContent).toMatchObject({
    stopped: "done",
    changed: [{ path: "yes.txt", added: 1, removed: 0 }],
    denied: [{ title: expect.stringContaining("no.txt") }],
  });
  expect(asked.some((message) => message.includes("+y"))).toBe(true);
  expect(JSON.stringify(model.prompts.at(-1)?.messages)).toContain("not that one");
});

test("without anybody to ask, a call that needs approval is denied with a hint", async () => {
  const model = scriptedModel([
    [{ call: "write_file", with: { path: "no.txt", content: "n\n" } }],
    [{ say: "I may not." }],
  ]);
  const place = await started(model);
  const client = await place.client();
  const result = await client.callTool({ name: "run_task", arguments: { prompt: "Write it" } });
  const title = expect.stringContaining("no.txt");
  expect(result.structuredContent).toMatchObject({ stopped: "done", changed: [], denied: [{ title }] });
  expect(JSON.stringify(result.content)).toContain("toolwright mcp --mode accept-edits");
  const direct = await client.callTool({
    name: "write_file",
    arguments: { path: "no.txt", content: "n\n" },
  });
  expect(direct.isError).toBe(true);
  expect(direct._meta).toMatchObject({ "toolwright/outcome": "denied" });
  expect(JSON.stringify(direct.content)).toContain("toolwright mcp --mode accept-edits");
  await expect(place.read("no.txt")).rejects.toThrow("ENOENT");
});

test.each(both)("a tool call is approved, logged and can be undone (%s)", async (mode) => {
  const place = await started(scriptedModel([]), { files: { "a.txt": "one\n" } });
  const asked: string[] = [];
  const client = await place.client({
    mode,
    answer: ({ message }) => {
      asked.push(message);
      return { answer: "allow" };
    },
  });
  await client.callTool({ name: "read_file", arguments: { path: "a.txt" } });
  const edited = await client.callTool({ name: "edit_file", arguments: edit });
  expect(edited.isError ?? false).toBe(false);
  expect(asked).toEqual([expect.stringContaining("-one")]);
  expect(await place.read("a.txt")).toBe("two\n");
  expect(edited._meta).toMatchObject({ "toolwright/changed": [{ path: "a.txt", added: 1, removed: 1 }] });
  const session = String(edited._meta?.["toolwright/session"]);
  const log = await client.callTool({ name: "read_session", arguments: { session } });
  expect(texts(log)).toContain("a.txt");
  await client.callTool({ name: "undo_changes", arguments: {} });
  expect(await place.read("a.txt")).toBe("one\n");
});

test("wrong arguments, unknown tools and unknown sessions get an explanation", async () => {
  const place = await started(scriptedModel([]));
  const client = await place.client();
  const wrong = await client.callTool({ name: "read_file", arguments: { nothing: true } });
  expect([wrong.isError, texts(wrong)]).toEqual([true, expect.stringContaining("path")]);
  const task = await client.callTool({ name: "run_task", arguments: { prompt: 5, more: [] } });
  expect(texts(task)).toContain('"prompt" must be a string');
  await expect(client.callTool({ name: "rm_rf", arguments: {} })).rejects.toThrow(
    "There is no tool named rm_rf.",
  );
  const none = await client.callTool({ name: "read_session", arguments: { session: "nope-nope" } });
  expect(texts(none)).toContain("list_sessions tells which there are");
});

test("a cancelled task is interrupted, and its session can be continued", async () => {
  const opened = Promise.withResolvers<void>();
  const model = scriptedModel((_, round) => {
    if (round > 1) return [{ say: "Here again." }];
    return [{ say: "Thinking" }, { wait: opened.promise }];
  });
  const place = await started(model);
  const client = await place.client();
  const cancel = new AbortController();
  const running = client.callTool(
    { name: "run_task", arguments: { prompt: "Think" } },
    { signal: cancel.signal, onprogress: () => cancel.abort() },
  );
  await expect(running).rejects.toThrow();
  const session = await idleSession(client);
  const again = await client.callTool({ name: "run_task", arguments: { prompt: "Again", session } });
  expect(again.structuredContent).toMatchObject({ text: "Here again.", turn: 2 });
  opened.resolve();
});

/** The newest session, with this title if given, once its request is over. */
async function idleSession(client: TestClient, title?: string): Promise<string> {
  for (;;) {
    const row = await newest(client);
    const isMeant = title === undefined || row["title"] === title;
    if (isMeant && row["standing"] === "idle" && Number(row["requests"]) > 0) return String(row["session"]);
    await after(5);
  }
}

test("sessions are resources: a transcript and the facts", async () => {
  const place = await started(scriptedModel([[{ say: "Hello to you." }]]));
  const client = await place.client();
  await client.callTool({ name: "run_task", arguments: { prompt: "Say hello" } });
  const { resources } = await client.listResources();
  expect(resources).toMatchObject([{ title: "Say hello", mimeType: "text/markdown" }]);
  const uri = resources[0]?.uri ?? "";
  const { contents } = await client.readResource({ uri });
  expect(JSON.stringify(contents)).toContain("Hello to you.");
  const facts = await client.readResource({ uri: `${uri}/facts?after=1` });
  const [first = ""] = JSON.stringify(facts.contents[0]).split("\\n");
  expect(first).toContain('seq\\":2');
  for (const odd of [`${uri}/../x`, "toolwright://sessions/none", "file:///etc/passwd", ""])
    await expect(client.readResource({ uri: odd })).rejects.toThrow();
});

test("a task takes files of the workspace, but no outside files, secrets or invalid images", async () => {
  const model = scriptedModel([[{ say: "Seen." }]]);
  const place = await started(model, { files: { "a.txt": "inside\n", ".env": "KEY=1\n" } });
  const client = await place.client();
  const ask = (given: object) =>
    client.callTool({ name: "run_task", arguments: { prompt: "Look", ...given } });
  expect(texts(await ask({ files: ["/etc/hostname"] }))).toContain("outside the workspace");
  expect(texts(await ask({ files: [".env"] }))).toContain("holds secrets");
  expect(texts(await ask({ files: ["missing"] }))).toContain("there is no such file");
  expect(texts(await ask({ pictures: [{ mimeType: "image/png", data: "AAAA" }] }))).toContain(
    "cannot be sent",
  );
  expect((await ask({ files: ["a.txt"] })).structuredContent).toMatchObject({ text: "Seen." });
  expect(JSON.stringify(model.prompts)).toContain("inside");
});

test("a task may call a command file; an unknown command is refused without asking the model", async () => {
  const model = scriptedModel([[{ say: "Reviewed." }]]);
  const files = { ".claude/commands/review.md": "Review #$1 with @a.txt.", "a.txt": "inside\n" };
  const client = await (await started(model, { files })).client();
  const ask = (prompt: string) => client.callTool({ name: "run_task", arguments: { prompt } });
  expect(texts(await ask("/reviw 12"))).toContain('There is no command /reviw (did you mean "/review"?)');
  expect(texts(await ask(" "))).toContain("The request is empty.");
  expect(await newest(client)).toEqual({}); // no empty session is left behind
  expect((await ask("/review 12")).structuredContent).toMatchObject({ text: "Reviewed." });
  expect(model.prompts).toHaveLength(1);
  expect(JSON.stringify(model.prompts)).toContain("Review #12 with @a.txt.");
  expect(JSON.stringify(model.prompts)).toContain("inside");
});

test("a hundred concurrent reads are answered in one session, several in a turn", async () => {
  const place = await started(scriptedModel([]), { files: { "a.txt": "one\n" } });
  const client = await place.client();
  const calls = Array.from({ length: 100 }, () =>
    client.callTool({ name: "read_file", arguments: { path: "a.txt" } }),
  );
  const results = await Promise.all(calls);
  expect(results.every((result) => texts(result).includes("1\tone"))).toBe(true);
  expect(new Set(results.map(({ _meta }) => _meta?.["toolwright/session"])).size).toBe(1);
  const turns = results.map(({ _meta }) => Number(_meta?.["toolwright/turn"]));
  expect(Math.max(...turns)).toBeLessThan(30);
});

test("a call that waits for a person does not block other clients", async () => {
  const place = await started(scriptedModel([]), { files: { "a.txt": "one\n" }, flags: ["--port", "0"] });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const slow = await place.httpClient({
    mode: "legacy",
    answer: async () => {
      asked.resolve();
      await answered.promise;
      return { answer: "allow" };
    },
  });
  const writing = slow.callTool({ name: "write_file", arguments: { path: "b.txt", content: "b\n" } });
  await asked.promise;
  const quick = await place.httpClient();
  expect(texts(await quick.callTool({ name: "read_file", arguments: { path: "a.txt" } }))).toContain(
    "1\tone",
  );
  answered.resolve();
  expect((await writing).isError ?? false).toBe(false);
  expect(await place.read("b.txt")).toBe("b\n");
});

test("the newest change is undone, also one that was made while another call waited for a person", async () => {
  const place = await started(scriptedModel([]), { flags: ["--port", "0"] });
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const client = await place.httpClient({
    mode: "legacy",
    answer: async ({ message }) => {
      if (!message.includes("b.txt")) return { answer: "allow" };
      asked.resolve();
      await answered.promise;
      return { answer: "deny" };
    },
  });
  const write = (path: string) =>
    client.callTool({ name: "write_file", arguments: { path, content: "x\n" } });
  const waiting = write("b.txt");
  await asked.promise;
  expect((await write("c.txt")).isError ?? false).toBe(false);
  expect(texts(await client.callTool({ name: "undo_changes", arguments: {} }))).toBe("Undone: c.txt.");
  answered.resolve();
  expect((await waiting).isError).toBe(true);
});

test("an approval that the client never answers is eventually denied", async () => {
  const model = scriptedModel((_, round) =>
    round === 1
      ? [{ call: "write_file", with: { path: "a.txt", content: "a\n" } }]
      : [{ say: "Another time." }],
  );
  const place = await started(model, { answerWithin: 1 });
  const client = await place.client({ answer: () => new Promise(() => undefined) });
  const call = client.callTool({ name: "write_file", arguments: { path: "b.txt", content: "b\n" } });
  call.catch(() => undefined);
  await idleSession(client);
  const task = client.callTool({ name: "run_task", arguments: { prompt: "Write it" } });
  task.catch(() => undefined);
  const session = await idleSession(client, "Write it");
  for (const path of ["a.txt", "b.txt"]) await expect(place.read(path)).rejects.toThrow("ENOENT");
  const again = await client.callTool({ name: "run_task", arguments: { prompt: "And now?", session } });
  expect(again.structuredContent).toMatchObject({ stopped: "done", text: "Another time." });
});

test("a client whose asking fails has said no, and neither a call nor a task stays behind", async () => {
  const model = scriptedModel((_, round) =>
    round === 1 ? [{ call: "write_file", with: { path: "a.txt", content: "a\n" } }] : [{ say: "Not now." }],
  );
  const place = await started(model);
  const failing = () => Promise.reject(new Error("there is no window to ask in"));
  const client = await place.client({ mode: "legacy", answer: failing });
  for (const path of ["b", "c", "d", "e", "f"]) {
    const denied = await client.callTool({ name: "write_file", arguments: { path, content: "x\n" } });
    expect(denied._meta).toMatchObject({ "toolwright/outcome": "denied" });
  }
  const task = await client.callTool({ name: "run_task", arguments: { prompt: "Write it" } });
  expect(task.structuredContent).toMatchObject({ stopped: "done", text: "Not now.", changed: [] });
  const session = field(task, "session");
  const again = await client.callTool({ name: "run_task", arguments: { prompt: "And now?", session } });
  expect(again.structuredContent).toMatchObject({ stopped: "done", text: "Not now." });
});

test("when the client disconnects, the running task is interrupted and the server exits", async () => {
  const model = scriptedModel([[{ say: "Thinking" }, { wait: new Promise(() => undefined) }]]);
  const place = await started(model);
  const client = await place.client();
  const begun = Promise.withResolvers<void>();
  const running = client.callTool(
    { name: "run_task", arguments: { prompt: "Think" } },
    { onprogress: () => begun.resolve() },
  );
  running.catch(() => undefined);
  await begun.promise;
  place.terminal.input.end();
  expect(await place.running).toBe(0);
  expect(place.terminal.printed()).toBe("");
});
