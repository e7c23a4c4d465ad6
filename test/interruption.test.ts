import { execFile } from "node:child_process";
import { readlink } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel, type ScriptedAnswer } from "../src/providers/scripted-model.ts";
import { newHome, put, runCommand, startCommand, type Home } from "./support/command.ts";
import { lead, ollamaRoad, roads, serve } from "./support/roads.ts";
import { lastEnd, wholeSession } from "./support/whole-log.ts";

/** A home whose user allows every command. */
async function permissiveHome(files: Record<string, string> = {}): Promise<Home> {
  const home = await newHome(files);
  const rules = [{ tool: "run_command", command: "*", decision: "allow" }];
  await put(home.root, { "config/toolwright/config.jsonc": JSON.stringify({ rules }) });
  return home;
}

/** Host ids of the processes that work in the directory, without zombies; the sandbox has its own process ids. */
async function processesIn(directory: string): Promise<number[]> {
  const shown = await promisify(execFile)("ps", ["-eo", "pid=,stat="]);
  const alive = shown.stdout.split("\n").flatMap((line) => {
    const [pid = "", state = "Z"] = line.trim().split(/\s+/u);
    return state.startsWith("Z") ? [] : [Number(pid)];
  });
  const places = await Promise.all(alive.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => "")));
  return alive.filter((_, at) => places[at] === directory);
}

test.each(roads.map((road) => [road.name, road] as const))(
  "Ctrl-C while %s streams exits with 130 immediately, and keeps the text so far",
  async (_, road) => {
    const home = await newHome();
    const never = new Promise<void>(() => undefined);
    const server = await serve(scriptedModel([[{ say: "Once upon a time" }, { wait: never }]]));
    const streaming = ["--output", "stream-json", "--verbose", "-p", "Tell me a story."];
    const running = startCommand(home, [...lead(home, road, server.url), ...streaming]);
    await running.until("Once upon a time");
    running.child.kill("SIGINT");
    const { code, stdout } = await running.ended;
    const said = JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
    expect([code, said]).toEqual([130, expect.objectContaining({ text: "Once upon a time", exit: 130 })]);
    const entries = await wholeSession(home.stateDir);
    expect(lastEnd(entries)).toMatchObject({ stopped: "interrupted", text: "Once upon a time" });
  },
);

test("Ctrl-C before the first word still leaves a turn with text (E5)", async () => {
  const home = await newHome();
  const asked = Promise.withResolvers<void>();
  const model = scriptedModel(() => {
    asked.resolve();
    return [{ wait: new Promise<void>(() => undefined) }];
  });
  const server = await serve(model);
  const running = startCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "Hello"]);
  await asked.promise;
  running.child.kill("SIGINT");
  const ended = await running.ended;
  expect(ended.code).toBe(130);
  expect(ended.stdout).toBe("");
  expect(ended.stderr).toMatch(/interrupted/iu);
  expect(lastEnd(await wholeSession(home.stateDir))).toMatchObject({
    stopped: "interrupted",
    text: expect.stringMatching(/\S/u),
  });
});

/** Starts a background child and one in its own process session, and waits for them. */
const familyScript = `trap '' INT TERM
sh -c 'trap "" INT TERM HUP; sleep 1000' &
$(command -v setsid) sh -c 'trap "" INT TERM HUP; echo ready > b.pid; exec sleep 1000' &
while [ ! -s b.pid ]; do sleep 0.01; done
echo family is here
wait
`;

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s while a command runs kills its whole process tree, signals ignored or not, and keeps the log whole",
  async (signal) => {
    const home = await permissiveHome({ "family.sh": familyScript });
    const answers: ScriptedAnswer[] = [
      [{ say: "Running." }, { call: "run_command", with: { command: "sh family.sh" } }],
    ];
    const server = await serve(scriptedModel(answers));
    const args = [
      ...lead(home, ollamaRoad, server.url),
      "--output",
      "stream-json",
      "--verbose",
      "-p",
      "Run it.",
    ];
    const running = startCommand(home, args);
    await running.until("family is here");
    const family = await processesIn(home.workspace);
    onTestFinished(async () => {
      for (const pid of await processesIn(home.workspace)) process.kill(pid, "SIGKILL");
    });
    expect(family.length).toBeGreaterThanOrEqual(3);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended.code).toBe(130);
    expect(await processesIn(home.workspace)).toEqual([]);
    const entries = await wholeSession(home.stateDir);
    expect(entries.find((entry) => entry.type === "result")).toMatchObject({ outcome: "cancelled" });
    expect(lastEnd(entries).stopped).toBe("interrupted");
  },
);

test("exit code 4 when a run reaches the limit of rounds or the model's length limit", async () => {
  const home = await newHome({ "a.txt": "x\n" });
  const looking = scriptedModel(() => [{ call: "read_file", with: { path: "a.txt" } }]);
  const server = await serve(looking);
  const flags = lead(home, ollamaRoad, server.url);
  const limit = await runCommand(home, [...flags, "--max-rounds", "5", "-p", "Look."]);
  expect(limit.code).toBe(4);
  expect(limit.stderr).toMatch(/^Stopped: the limit of 5 rounds was reached\. What was done:$/mu);
  expect(looking.prompts).toHaveLength(5);
  expect(lastEnd(await wholeSession(home.stateDir)).stopped).toBe("limit");

  const cut = await newHome();
  const short = await serve(scriptedModel([[{ say: "And then" }, { end: "length" }]]));
  const ended = await runCommand(cut, [...lead(cut, ollamaRoad, short.url), "-p", "Tell."]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 4, stdout: "And then\n" });
  expect(ended.stderr).toMatch(/length limit/u);
});

test("in plan mode a command is denied, the model goes on, and the run exits with 3", async () => {
  const home = await permissiveHome();
  const model = scriptedModel([
    [{ call: "run_command", with: { command: "touch made" } }],
    [{ say: "I may not." }],
  ]);
  const server = await serve(model);
  const flags = [...lead(home, ollamaRoad, server.url), "--mode", "plan"];
  const ended = await runCommand(home, [...flags, "-p", "Make a file."]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 3, stdout: "I may not.\n" });
  expect(ended.stderr).toMatch(/denied: .*plan/u);
  expect(model.prompts).toHaveLength(2);
  await wholeSession(home.stateDir);
});

test("a run whose model says nothing says so (E5)", async () => {
  const home = await newHome();
  const server = await serve(scriptedModel([[]]));
  const ended = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "Hello"]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 1, stdout: "" });
  expect(ended.stderr).toContain("the model returned neither text nor a call");
  await wholeSession(home.stateDir);
});

test("after SIGKILL during an answer, the session continues with the turn marked as interrupted", async () => {
  const home = await newHome();
  const gate = Promise.withResolvers<void>();
  const long = "Chapter one. ".repeat(1000);
  const model = scriptedModel((prompt) => {
    const last = prompt.messages.at(-1)?.content[0];
    const isSecond = last?.type === "text" && last.text === "And now?";
    return isSecond ? [{ say: "Now the end." }] : [{ say: long }, { wait: gate.promise }];
  });
  const server = await serve(model);
  const flags = lead(home, ollamaRoad, server.url);
  const streaming = ["--output", "stream-json", "--verbose", "-p", "Tell."];
  const running = startCommand(home, [...flags, ...streaming]);
  await running.until("Chapter one.");
  running.child.kill("SIGKILL");
  expect((await running.ended).code).toBe(null);
  const ended = await runCommand(home, [...flags, "--continue", "-p", "And now?"]);
  expect({ code: ended.code, stdout: ended.stdout }).toEqual({ code: 0, stdout: "Now the end.\n" });
  const entries = await wholeSession(home.stateDir);
  expect(entries.flatMap((entry) => (entry.type === "turn-end" ? [entry.stopped] : []))).toEqual([
    "interrupted",
    "done",
  ]);
  gate.resolve();
});
