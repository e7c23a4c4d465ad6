import { expect, test } from "vitest";
import type { Entry } from "../src/protocol/facts.ts";
import type { Message } from "../src/protocol/messages.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { sessionBounds } from "../src/session/bounds.ts";
import { newHome, onlySummary, runCommand, startCommand } from "./support/command.ts";
import { lead, ollamaRoad, roads, serve } from "./support/roads.ts";
import { expectWhole, readSessions, wholeSession } from "./support/whole-log.ts";

/** Cohere has a separate field for text before calls (the plan), which is read as reasoning. */
const words = (messages: readonly Message[] = []): [string, string][] =>
  messages.map(({ role, content }) => [
    role,
    content
      .flatMap((part) => (part.type === "text" || part.type === "reasoning" ? [part.text] : []))
      .join(""),
  ]);

test("--output json prints exactly one object, for a success, a denial and a failure", async () => {
  const home = await newHome({ "a.txt": "old\n" });
  const order = (...args: string[]) => runCommand(home, ["--offline-model", "--output", "json", ...args]);
  const done = await order("--mode", "accept-edits", "-p", "replace old with new in a.txt");
  expect({ code: done.code, stderr: done.stderr }).toEqual({ code: 0, stderr: "" });
  expect(done.stdout.trimEnd().split("\n")).toHaveLength(1);
  expect(JSON.parse(done.stdout)).toEqual({
    version: 1,
    session: expect.stringMatching(/^\d{8}-\d{6}-[0-9a-f]{6}$/u),
    stopped: "done",
    because: null,
    advice: null,
    text: expect.stringContaining("Edited a.txt"),
    answer: null,
    changed: ["a.txt"],
    staged: [],
    verified: [],
    check: null,
    denied: [],
    checkpoint: {
      id: expect.stringMatching(/^ckpt_\d+_[0-9a-f]{8}$/u),
      turn: 1,
      status: "pending",
      added: 1,
      removed: 1,
    },
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
    cost: 0,
    unknownCosts: 0,
    waited: [],
    model: "offline/orders",
    exit: 0,
    goOn: null,
  });
  const denied = await order("-p", "run rm a.txt");
  expect(denied.code).toBe(3);
  expect(JSON.parse(denied.stdout)).toMatchObject({ stopped: "done", denied: [{ tool: "run_command" }] });
  const failed = await order("--resume", "nowhere", "-p", "list");
  expect(failed.code).toBe(1);
  expect(JSON.parse(failed.stdout)).toMatchObject({
    session: null,
    stopped: "failed",
    because: expect.stringContaining("nowhere"),
  });
});

test("--output stream-json prints the log, one fact per line, and then how the run ended", async () => {
  const home = await newHome({ "a.txt": "old\n" });
  const args = ["--offline-model", "--output", "stream-json", "--mode", "accept-edits"];
  const ended = await runCommand(home, [...args, "-p", "replace old with new in a.txt"]);
  expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code: 0, stderr: "" });
  const told = ended.stdout
    .trimEnd()
    .split("\n")
    .map((line): Entry => JSON.parse(line));
  expect(told.pop()).toMatchObject({ type: "run-end", changed: ["a.txt"], exit: 0 });
  expect(told).toEqual(await wholeSession(home.stateDir));
  expect(told.at(0)?.type).toBe("session-start");
  expect(told.at(-1)?.type).toBe("turn-end");
  const again = await runCommand(home, [...args, "--continue", "-p", "read a.txt"]);
  const facts = again.stdout
    .trimEnd()
    .split("\n")
    .map((line): Entry => JSON.parse(line));
  expect(facts[0]).toEqual(told[0]); // it names the session
  expect(facts.slice(1, -1)).toEqual((await wholeSession(home.stateDir)).slice(told.length));
});

test.each(roads.map((road) => [road.name, road] as const))(
  "E3: --continue over %s sends the first answer, its call and its result again in the next prompt",
  async (_, road) => {
    const home = await newHome({ "a.txt": "alpha\n" });
    const model = scriptedModel([
      [{ say: "I look." }, { call: "read_file", with: { path: "a.txt" } }],
      [{ say: "It says alpha." }],
      [{ say: "As I said: alpha." }],
    ]);
    const server = await serve(model);
    const flags = lead(home, road, server.url);
    await runCommand(home, [...flags, "-p", "What does it say?"]);
    const ended = await runCommand(home, [...flags, "--continue", "-p", "Say it again."]);
    expect(ended).toEqual({
      code: 0,
      stdout: "As I said: alpha.\n",
      stderr: expect.stringMatching(onlySummary),
    });
    expect(words(model.prompts[2]?.messages)).toEqual([
      ["user", "What does it say?"],
      ["assistant", "I look."],
      ["tool", expect.stringContaining("alpha")],
      ["assistant", "It says alpha."],
      ["user", "Say it again."],
    ]);
    await wholeSession(home.stateDir);
  },
);

test("--continue stays in its workspace; --resume takes any session, by the end of its id", async () => {
  const home = await newHome();
  const run = (...args: string[]) => runCommand(home, ["--offline-model", ...args]);
  const none = await run("--continue", "-p", "list");
  expect({ code: none.code, stdout: none.stdout }).toEqual({ code: 1, stdout: "" });
  expect(none.stderr).toMatch(/^toolwright: There is no session of .* Start one without --continue\.\n$/u);
  await run("--cwd", "one", "-p", "list");
  expect((await run("--continue", "-p", "list")).code).toBe(1);
  expect((await run("--cwd", "one", "--continue", "-p", "read x")).code).toBe(0);
  const [session = []] = await readSessions(home.stateDir);
  const [start] = session;
  const id = start?.type === "session-start" ? start.session : "";
  expect(await readSessions(home.stateDir)).toHaveLength(1);

  const listed = await run("sessions", "--all");
  expect(listed.stdout).toContain(id);
  expect((await run("--cwd", "one", "--resume", id.slice(-6), "-p", "list")).code).toBe(0);
  const unknown = await run("--resume", "zzzzzz", "-p", "list");
  expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 1, stdout: "" });
  expect(unknown.stderr).toMatch(/^toolwright: There is no session zzzzzz\. `toolwright sessions` lists/u);
  await run("--cwd", "two", "-p", "list");
  const several = await run("--resume", "-", "-p", "list");
  expect(several.code).toBe(1);
  const facts = (await readSessions(home.stateDir)).at(-1) ?? [];
  expect(facts.filter(({ type }) => type === "turn-end")).toHaveLength(3);
});

test("a session open elsewhere names its owner, and after --take-over the earlier process writes nothing more", async () => {
  const home = await newHome();
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const model = scriptedModel((_, round) => {
    begun.resolve();
    return round === 1
      ? [{ say: "Half of an answer" }, { wait: gate.promise }, { say: " and its other half." }]
      : [{ say: "I have it now." }];
  });
  const server = await serve(model);
  const flags = lead(home, ollamaRoad, server.url);
  const first = startCommand(home, [...flags, "-p", "Begin."]);
  await begun.promise;
  const refused = await runCommand(home, [...flags, "--continue", "-p", "Take over."]);
  expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`process ${first.child.pid} on `);
  const second = await runCommand(home, [...flags, "--continue", "--take-over", "-p", "Take over."]);
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 0, stdout: "I have it now.\n" });
  const after = await wholeSession(home.stateDir);
  gate.resolve();
  const told = await first.ended;
  expect(told.code).toBe(1);
  expect(told.stderr).toMatch(/^toolwright: .*(?:taken over|another process)[^\n]*\n$/u);
  expect(await wholeSession(home.stateDir)).toEqual(after);
  expect(after.flatMap((entry) => (entry.type === "turn-end" ? [entry.stopped] : []))).toEqual([
    "interrupted",
    "done",
  ]);
});

test("a closed output pipe ends the run, and the session stays intact", async () => {
  const home = await newHome();
  const model = scriptedModel(() => [{ say: "a line of words\n".repeat(20_000) }], { pieces: 2000 });
  const server = await serve(model);
  for (const output of ["text", "stream-json"]) {
    const args = [...lead(home, ollamaRoad, server.url), "--output", output, "-p", "Speak."];
    const through = ["bash", "-c", '"$@" | head -n 1; echo "${PIPESTATUS[0]}"', "bash"];
    const ended = await runCommand(home, args, { through });
    expect(ended.stderr).toMatch(output === "text" ? /^session \S+ · exit \d+\n$/u : /^$/u);
    const [line = "", code = ""] = ended.stdout.trimEnd().split("\n");
    expect(line).toMatch(output === "text" ? /^a line of words$/u : /^\{"type":"session-start"/u);
    expect(code).toMatch(/^(?:0|130)$/u);
  }
  for (const session of await readSessions(home.stateDir)) expectWhole(session);
});

test("models, sessions and doctor have text and JSON output", async () => {
  const home = await newHome();
  const model = scriptedModel([], { name: "small:1b" });
  const server = await serve(model);
  home.env["OLLAMA_HOST"] = server.url;
  const models = await runCommand(home, ["models"]);
  expect(models.code).toBe(0);
  expect(models.stdout).toMatch(/^  ollama\/small:1b$/mu);
  await runCommand(home, ["--offline-model", "-p", "list"]);
  const sessions = await runCommand(home, ["sessions"]);
  expect({ code: sessions.code, stderr: sessions.stderr }).toEqual({ code: 0, stderr: "" });
  expect(sessions.stdout).toMatch(/^session .*\n\S+ +now +\d+ +free +idle +list\n$/u);
  const folded = await runCommand(home, ["doctor"]);
  expect(folded.code).toBe(0);
  expect(folded.stdout).toMatch(/^ok +machine +Node, git, bash,/mu);
  const doctor = await runCommand(home, ["doctor", "--verbose"]);
  const checks = [
    "Node",
    "database",
    "state directory",
    "workspace",
    "ripgrep",
    "models",
    "sandbox",
    "limits",
  ];
  for (const check of checks) expect(doctor.stdout).toMatch(new RegExp(`^(?:ok|warn) +${check} `, "mu"));
  for (const bound of Object.values(sessionBounds))
    expect(doctor.stdout).toContain(`${bound.of}: ${bound.beyond}`);
  for (const command of ["models", "sessions", "doctor"]) {
    const ended = await runCommand(home, [command, "--output", "json"]);
    expect({ code: ended.code, stderr: ended.stderr }, command).toEqual({ code: 0, stderr: "" });
    expect(Array.isArray(JSON.parse(ended.stdout)), command).toBe(true);
  }
});

test("without any model, models says what to do, and sessions still succeeds", async () => {
  const home = await newHome();
  const models = await runCommand(home, ["models"]);
  expect(models.code).toBe(1);
  expect(models.stdout).toMatch(/ollama .*ollama serve/u);
  expect(models.stdout).toMatch(/`toolwright login` keeps one:\n +anthropic +ANTHROPIC_API_KEY\n/u);
  expect(models.stderr).toMatch(/^toolwright: No model found: set a key .* `toolwright demo`[^\n]*\n$/u);
  const sessions = await runCommand(home, ["sessions"]);
  expect(sessions.code).toBe(0);
  expect(sessions.stdout.trim()).not.toBe("");
  const asked = await runCommand(home, ["-p", "Hello"]);
  expect({ code: asked.code, stdout: asked.stdout }).toEqual({ code: 1, stdout: "" });
  expect(asked.stderr).toBe(models.stderr);
});
