import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { commandFile, newHome, runCommand, type Ended, type Home } from "./support/command.ts";
import { lead, ollamaRoad, serve } from "./support/roads.ts";
import { lastEnd, wholeSession } from "./support/whole-log.ts";

const never = new Promise<void>(() => undefined);

/** A home, and the options that lead to a model which says this. */
async function placeWith(script: Parameters<typeof scriptedModel>[0], files: Record<string, string> = {}) {
  const home = await newHome(files);
  const model = scriptedModel(script);
  const server = await serve(model);
  return { home, model, flags: lead(home, ollamaRoad, server.url) };
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";
const objectOf = ({ stdout }: Ended) => JSON.parse(lastLine(stdout));

test("standard output is the answer alone, and the last line of every output says how the run ended", async () => {
  const { home, flags } = await placeWith(
    (_, round) =>
      round % 3 === 1
        ? [{ say: "First I look." }, { call: "read_file", with: { path: "a.txt" } }]
        : round % 3 === 2
          ? [{ say: "Now I write." }, { call: "write_file", with: { path: "b.txt", content: "x" } }]
          : [{ usage: { inputTokens: 30, outputTokens: 5 } }, { say: "It may not be written." }],
    { "a.txt": "x\n" },
  );
  const text = await runCommand(home, [...flags, "-p", "Do it."]);
  expect([text.code, text.stdout]).toEqual([3, "It may not be written.\n"]);
  expect(text.stderr).toMatch(/^First I look\.\n● Read a\.txt … ok\nNow I write\.\n/u);
  expect(lastLine(text.stderr)).toMatch(/1 denied · .*tokens in.* · session [\w-]+ · exit 3$/u);
  const json = await runCommand(home, [...flags, "-p", "Do it.", "--output", "json"]);
  const stream = await runCommand(home, [...flags, "-p", "Do it.", "--output", "stream-json"]);
  const { session: _, checkpoint: __, ...said } = objectOf(json);
  expect(said).toMatchObject({ exit: 3, denied: [{ tool: "write_file" }], text: "It may not be written." });
  expect(json.stdout.trimEnd()).not.toContain("\n");
  const { type, session, checkpoint: ___, ...streamed } = objectOf(stream);
  expect([type, typeof session]).toEqual(["run-end", "string"]);
  expect({ ...streamed, denied: [] }).toEqual({ ...said, denied: [] });
});

test("piped text without -p is the request; without a model it fails instead of playing the demo", async () => {
  const { home, model, flags } = await placeWith(() => [{ say: "Fixed." }]);
  const asked = async (args: readonly string[], input: string): Promise<unknown> => {
    expect(await runCommand(home, [...flags, ...args], { input })).toMatchObject({
      code: 0,
      stdout: "Fixed.\n",
    });
    const [part] = model.prompts.at(-1)?.messages.at(-1)?.content ?? [];
    return part?.type === "text" && part.text;
  };
  expect(await asked([], "Why is it red?\n")).toBe("Why is it red?\n");
  expect(await asked(["What is this?"], "a\nb\n")).toBe("What is this?\n\na\nb\n");
  expect(await asked(["--output", "text"], "What is @a.txt?\n")).toBe("What is @a.txt?\n");
  const bare = await newHome();
  const lost = await runCommand(bare, [], { input: "fix the build\n" });
  expect([lost.code, lost.stdout]).toEqual([1, ""]);
  expect(lost.stderr).toMatch(/^toolwright: No model found[^\n]+\n$/u);
  expect((await runCommand(bare, [], { input: "" })).stdout).toContain("The model is SCRIPTED");
});

test("a lone word that is no command is not sent to a model, and the line says what to use instead", async () => {
  const { home, model, flags } = await placeWith(() => [{ say: "?" }]);
  const cases: [string, RegExp][] = [
    ["settings", /toolwright config/u],
    ["completions", /toolwright completion bash, zsh or fish/u],
    ["run", /toolwright -p "…"/u],
    ["auth", /toolwright login/u],
    ["exec", /toolwright -p "…"/u],
    ["continue", /--continue/u],
    ["update", /git pull/u],
    ["whatever", /--help/u],
  ];
  for (const [word, instead] of cases) {
    const ended = await runCommand(home, [...flags, word], { input: "" });
    expect([ended.code, ended.stdout]).toEqual([2, ""]);
    expect(ended.stderr).toMatch(instead);
    expect(ended.stderr).toContain(`to say it to the model: toolwright -- ${word}\n`);
  }
  expect(model.prompts).toEqual([]);
});

test("--timeout cuts off an answer that hangs, with exit code 4", async () => {
  const { home, flags } = await placeWith([[{ say: "Once upon" }, { wait: never }]]);
  const args = [...flags, "--timeout", "4s", "--output", "json", "-p", "Tell."];
  const ended = await runCommand(home, args);
  expect(ended.code).toBe(4);
  expect(objectOf(ended)).toMatchObject({
    stopped: "limit",
    because: "the run took longer than --timeout allows (4 s)",
    text: "Once upon",
    exit: 4,
  });
  expect(lastEnd(await wholeSession(home.stateDir)).stopped).toBe("interrupted");
});

test("--timeout kills a command that runs, and ends a wait for standard input", async () => {
  const { home, flags } = await placeWith([
    [{ say: "I wait." }, { call: "run_command", with: { command: "echo $$ > pid; sleep 1000" } }],
  ]);
  const allow = '{"tool": "run_command", "command": "*"}';
  const ended = await runCommand(home, [...flags, "--timeout", "3s", "--allow", allow, "-p", "Wait."]);
  expect(ended.code).toBe(4);
  expect(lastLine(ended.stderr)).toMatch(
    /^Cut off: the run took longer than --timeout allows \(3 s\) · .* · exit 4$/u,
  );
  expect(lastLine(ended.stderr)).not.toContain("Interrupted");
  const results = (await wholeSession(home.stateDir)).flatMap((one) =>
    one.type === "result" ? [one.outcome] : [],
  );
  expect(results).toEqual([expect.stringMatching(/^(?:cancelled|interrupted)$/u)]);
  expect(await withOpenInput(home, [...flags, "--timeout", "1s", "-p", "-"])).toBe(4);
});

/** Resolves to the exit code of a command whose standard input never ends. */
async function withOpenInput({ env, workspace }: Home, args: readonly string[]): Promise<unknown> {
  const child = spawn(process.execPath, [commandFile, ...args], {
    cwd: workspace,
    env,
    stdio: ["pipe", "ignore", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [code] = await once(child, "exit");
  return code;
}

test("--allow and --deny hold for one run, and a deny wins", async () => {
  const { home, model, flags } = await placeWith((_, round) =>
    round % 2 === 1
      ? [
          { call: "write_file", with: { path: "a.txt", content: "x" } },
          { call: "write_file", with: { path: "b.txt", content: "x" } },
        ]
      : [{ say: "Tried." }],
  );
  const denied = async (...rules: string[]): Promise<unknown> => {
    const ended = await runCommand(home, [...flags, ...rules, "--output", "json", "-p", "Write."]);
    return objectOf(ended).denied.map(({ title }: { title: string }) => title);
  };
  expect(await denied()).toEqual(["Write a.txt", "Write b.txt"]);
  expect(await denied("--allow", "write_file")).toEqual([]);
  expect(await denied()).toEqual(["Write a.txt", "Write b.txt"]);
  const onlyB = '{"tool": "write_file", "path": "b.txt"}';
  expect(await denied("--deny", onlyB, "--allow", "write_file")).toEqual(["Write b.txt"]);
  expect(await denied("--allow", onlyB, "--allow", '{"tool": "mcp__later"}')).toEqual(["Write a.txt"]);
  for (const [rule, words] of [
    ["npm test", /--allow must be the name of a tool, perhaps with/u],
    ['{"tol": "x"}', /--allow: "rule/u],
    ['{"tool": "nothing"}', /A rule of --allow or --deny is for "nothing", which is no tool/u],
    [
      '{"tool": "run_command", "command": "a && b"}',
      /A rule of --allow or --deny allows "a && b", which no/u,
    ],
  ] as const) {
    const before = model.prompts.length;
    const ended = await runCommand(home, [...flags, "--allow", rule, "-p", "x"]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(words)]);
    expect(model.prompts.length).toBe(before);
  }
});

test("--session-id starts a session with that id, and continues it the next time", async () => {
  const { home, model, flags } = await placeWith(() => [{ say: "Yes." }]);
  const args = [...flags, "--session-id", "build-42", "-p"];
  const first = await runCommand(home, [...args, "One"]);
  expect(first.stderr).toMatch(/session build-42 · exit 0\n$/u);
  const second = await runCommand(home, [...args, "Two"]);
  expect(second.stderr).toContain("! Session build-42 exists (1 request): it is continued.\n");
  expect(model.prompts.at(-1)?.messages.filter(({ role }) => role === "user")).toHaveLength(2);
  const wrong = await runCommand(home, [...flags, "--session-id", "a/b", "-p", "x"]);
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    'toolwright: --session-id must be 3 to 64 letters, digits, - and _, not "a/b"\n',
  ]);
});

test("a session that does not exist is reported even if there is no model either", async () => {
  const home = await newHome();
  for (const [args, words] of [
    [["--resume", "nope"], /There is no session nope\. .*No model found/u],
    [["-c"], /There is no session of .* No model found/u],
  ] as const)
    expect((await runCommand(home, [...args, "-p", "hi"])).stderr).toMatch(words);
});
