import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { commandFile, newHome, onlySummary, put, runCommand, type Ended } from "./support/command.ts";
import { lead, ollamaRoad, roads, serve } from "./support/roads.ts";
import { lastEnd, wholeSession } from "./support/whole-log.ts";

const usage = (line: string): Ended => ({ code: 2, stdout: "", stderr: `toolwright: ${line}\n` });

test("--version and --help print what was asked for, and create nothing", async () => {
  const home = await newHome();
  const version = await runCommand(home, ["--version"]);
  expect(version).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^toolwright \d+\.\d+\.\d+\n$/u),
    stderr: "",
  });
  expect(await runCommand(home, ["--verbose", "-V"])).toEqual(version);
  const help = await runCommand(home, ["--help"]);
  expect({ code: help.code, stderr: help.stderr }).toEqual({ code: 0, stderr: "" });
  for (const word of ["toolwright -p", "--model", "--mode", "--continue", "doctor", "demo"])
    expect(help.stdout).toContain(word);
  expect(Math.max(...help.stdout.split("\n").map((line) => line.length))).toBeLessThanOrEqual(80);
});

test("compiled code is cached only in the state directory, where commands cannot change it", async () => {
  const home = await newHome();
  await runCommand(home, ["explain", "ls"]);
  expect(await readdir(home.stateDir)).toContain("compiled");
  expect(existsSync(join(home.root, "cache"))).toBe(false);
  const nowhere = { XDG_STATE_HOME: "", HOME: "" };
  expect(await runCommand(home, ["--help"], { env: nowhere })).toMatchObject({ code: 0, stderr: "" });
});

test("a current directory that was removed is reported in one line", async () => {
  const { env, workspace } = await newHome();
  const line = 'rmdir "$PWD" && exec "$0" "$1" explain ls';
  const ended = spawnSync("/bin/sh", ["-c", line, process.execPath, commandFile], { cwd: workspace, env });
  expect([ended.status, ended.stderr.toString()]).toEqual([
    1,
    expect.stringContaining("toolwright: The current directory no longer exists: change into another one"),
  ]);
});

test("a telemetry module that leaves a timer running does not keep the process alive", async () => {
  const home = await newHome();
  await put(home.root, { "setup.mjs": "setInterval(() => undefined, 1000);\n" });
  const argv = ["-p", "list", "--offline-model", "--telemetry", join(home.root, "setup.mjs")];
  expect(await runCommand(home, argv)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("no telemetry"),
  });
});

test("invalid arguments end with exit code 2 and one line that says what is valid", async () => {
  const home = await newHome();
  const prompt = ["-p", "list"];
  const cases: [readonly string[], RegExp][] = [
    [["--nonsense", ...prompt], /no option --nonsense.*--help/u],
    [["--modell", "x", ...prompt], /no option --modell \(did you mean "--model"\?\)/u],
    [
      ["--mode", "yolo", ...prompt],
      /--mode must be one of ask, accept-edits, plan, auto, deny, staged, trusted, not "yolo"/u,
    ],
    [["--output", "xml", ...prompt], /--output must be one of text, json, stream-json/u],
    [["--max-rounds", "four", ...prompt], /--max-rounds must be a whole number from 1 to 100000/u],
    [["--max-rounds=0", ...prompt], /--max-rounds must be a whole number from 1 to 100000/u],
    [["--model", "--verbose", ...prompt], /--model needs a value/u],
    [["-p"], /-p needs a value/u],
    [["-p", ""], /-p /u],
    [["-p", " \n\t "], /-p /u],
    [[...prompt, "more"], /put the whole prompt in quotes/u],
    [["--continue", "--resume", "x", ...prompt], /exclude each other/u],
    [["doktor"], /no command "doktor".*doctor/u],
    [["models", "please"], /models takes no further arguments/u],
    [["hello", "there"], /needs a terminal.*-p/u],
    [["--continue"], /needs a terminal.*-p/u],
  ];
  for (const [args, words] of cases) {
    const ended = await runCommand(home, ["--offline-model", ...args]);
    expect({ code: ended.code, stdout: ended.stdout }, args.join(" ")).toEqual({ code: 2, stdout: "" });
    expect(ended.stderr, args.join(" ")).toMatch(/^toolwright: [^\n]+\n$/u);
    expect(ended.stderr, args.join(" ")).toMatch(words);
  }
});

test("a mistake in the configuration is reported with its file and line", async () => {
  const home = await newHome();
  const path = join(home.root, "config", "toolwright", "config.jsonc");
  const say = async (text: string): Promise<Ended> => {
    await put(join(home.root, "config", "toolwright"), { "config.jsonc": text });
    return runCommand(home, ["--offline-model", "-p", "list"]);
  };
  const broken = await say('{\n  // mine\n  "mode": "ask"\n  "model": "x"\n}\n');
  expect(broken).toEqual(usage(expect.any(String) && `${path}:4: not valid JSON (comma expected)`));
  const wrong = await say('{\n\n  "mode": "yolo",\n}\n');
  expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 2, stdout: "" });
  expect(wrong.stderr).toContain(`${path}:3: `);
  expect(wrong.stderr).toMatch(/"mode".*accept-edits/u);
  const unknown = await say('{ "mood": "good" }');
  expect(unknown.code).toBe(0);
  expect(unknown.stderr).toMatch(/^! .*config\.jsonc: .*"mood".*$/mu);
  const binary = await say("\u0000\u0001");
  expect(binary.code).toBe(2);
  expect(binary.stderr).toContain(`${path}:1: `);
});

test("environment variables are validated like flags", async () => {
  const home = await newHome();
  const ended = await runCommand(home, ["--offline-model", "-p", "list"], {
    env: { TOOLWRIGHT_MODE: "yolo" },
  });
  expect(ended).toEqual(
    usage(
      'The environment variable TOOLWRIGHT_MODE must be one of ask, accept-edits, plan, auto, deny, staged, trusted, not "yolo"',
    ),
  );
});

test("a prompt is read from standard input, alone or appended to the one from -p", async () => {
  const home = await newHome();
  const model = scriptedModel(() => [{ say: "Read." }]);
  const server = await serve(model);
  const flags = lead(home, ollamaRoad, server.url);
  const asked = async (args: readonly string[], input: string): Promise<unknown> => {
    expect(await runCommand(home, [...flags, ...args], { input })).toEqual({
      code: 0,
      stdout: "Read.\n",
      stderr: expect.stringMatching(onlySummary),
    });
    return model.prompts.at(-1)?.messages.at(-1)?.content;
  };
  const text = (words: string): unknown => [{ type: "text", text: words }];
  expect(await asked(["-p", "-"], "From the pipe: größe \u{1F600}\n")).toEqual(
    text("From the pipe: größe \u{1F600}\n"),
  );
  expect(await asked(["-p", "Explain:"], "a\r\nb\n")).toEqual(text("Explain:\n\na\r\nb\n"));
  expect(await asked(["-p", "Alone"], "")).toEqual(text("Alone"));
  const hostile = "\u001b[2J\u001b]0;owned\u0007 -- --mode auto";
  expect(await asked(["-p", hostile], "")).toEqual(text(hostile));
});

test("a prompt of five megabytes reaches the model intact over every format", async () => {
  const prompt = `${"0123456789 größe\n".repeat(300_000)}the end`;
  for (const road of roads) {
    const home = await newHome();
    const model = scriptedModel([[{ say: "Long." }]]);
    const server = await serve(model);
    const flags = [...lead(home, road, server.url), "--context-tokens", "5000000", "-p", "-"];
    const ended = await runCommand(home, flags, { input: prompt });
    expect(ended, road.name).toEqual({
      code: 0,
      stdout: "Long.\n",
      stderr: expect.stringMatching(onlySummary),
    });
    const [part] = model.prompts[0]?.messages.at(-1)?.content ?? [];
    expect(part?.type === "text" && part.text === prompt, road.name).toBe(true);
    await wholeSession(home.stateDir);
  }
});

test("standard input that is empty, not text or too large is refused before anything is sent", async () => {
  const home = await newHome();
  const server = await serve(scriptedModel([]));
  const flags = [...lead(home, ollamaRoad, server.url), "-p", "-"];
  const fed = (input: string | Uint8Array): Promise<Ended> => runCommand(home, flags, { input });
  expect(await fed(" \n")).toEqual(usage("Standard input is empty: pipe a prompt in, or give it with -p."));
  const noText = (type: string): Ended =>
    usage(`Standard input is not UTF-8 text (${type}): give the path of a file in the prompt instead.`);
  expect(await fed(new Uint8Array([0xff, 0xfe, 0x41, 0x00]))).toEqual(noText("text in UTF-16"));
  expect(await fed(new Uint8Array([0xc3, 0x28, 0x00, 0x01]))).toEqual(noText("application/octet-stream"));
  expect(await fed("a prompt with \u0000 in it")).toEqual(noText("application/octet-stream"));
  expect(await fed("x".repeat(9 * 1024 * 1024))).toEqual(
    usage("Standard input is larger than 8 MB: name the file in the prompt, so that it is read in parts."),
  );
  expect(server.requests.filter(({ path }) => path === "/api/chat")).toEqual([]);
});

test("model output is printed to a pipe unchanged, and a call's title cannot inject terminal escapes", async () => {
  const home = await newHome({ "a.txt": "x\n" });
  const nasty = "\u001b[31mred\u0007\u0000 \u202Egnp.exe";
  const model = scriptedModel([
    [{ call: "read_file", with: { path: `a.txt${nasty}` } }],
    [{ say: `Said ${nasty}.` }],
  ]);
  const server = await serve(model);
  const ended = await runCommand(home, [...lead(home, ollamaRoad, server.url), "-p", "Read it."]);
  expect(ended.stdout).toBe(`Said ${nasty}.\n`);
  for (const character of ["\0", "\u0007", "\u001B", "\u202E"]) expect(ended.stderr).not.toContain(character);
  expect(lastEnd(await wholeSession(home.stateDir)).text).toBe(`Said ${nasty}.`);
});

test("a workspace's own configuration may tighten what flags allow, and settings it may not make are reported", async () => {
  const home = await newHome({ "a.txt": "old\n" });
  await mkdir(join(home.workspace, ".toolwright"));
  const own = { mode: "plan", model: "evil/model", rules: [{ tool: "*", decision: "allow" }] };
  await writeFile(join(home.workspace, ".toolwright", "config.jsonc"), JSON.stringify(own));
  const order = ["--offline-model", "--mode", "auto", "-p", "replace old with new in a.txt"];
  const ended = await runCommand(home, order);
  expect(ended.code).toBe(3);
  expect(ended.stderr).toMatch(/may not set "model"; it is ignored/u);
  expect(ended.stderr).toMatch(/may not have "rules" that allow; it is ignored/u);
  expect(ended.stderr).toMatch(/denied: .*plan/u);
});
