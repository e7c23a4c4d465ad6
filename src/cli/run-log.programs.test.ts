/**
 * SAFETY 5: neither secrets nor anyone's messages reach a log, by any path. Tested with canaries planted everywhere.
 */

import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { randomHex } from "../base/crypto.ts";
import { scriptedModel } from "../providers/scripted-model.ts";
import { serveModel } from "../testing/scripted-server.ts";
import { testTerminal } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

const nowhere = Object.fromEntries(
  ["OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL", "SGLANG_BASE_URL"].map(
    (name) => [name, "http://127.0.0.1:9"],
  ),
);

async function newPlace() {
  const home = await mkdtemp(join(tmpdir(), "toolwright-canaries-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  await Promise.all(
    ["work", "state", ".config/toolwright"].map((path) => mkdir(join(home, path), { recursive: true })),
  );
  await chmod(join(home, "state"), 0o700);
  const planted: string[] = [];
  /** With `as`, the text around the canary is part of the secret. */
  const canary = (as = ""): string => {
    const one = `cnry${randomHex(10)}`;
    planted.push(one);
    return `${as}${one}`;
  };
  const log = join(home, "run.log");
  const run = async (argv: string[], env: Record<string, string>) => {
    const terminal = testTerminal({
      env: { HOME: home, PATH: process.env["PATH"] ?? "", ...nowhere, ...env },
      cwd: join(home, "work"),
    });
    const code = await runCli(["--log", log, "--state-dir", join(home, "state"), ...argv], terminal);
    return { code, told: terminal.printed() + terminal.reported() };
  };
  return { home, planted, canary, log, run };
}

/** Variables whose name or value marks them as secret. */
function secretEnvironment(canary: (as?: string) => string): Record<string, string> {
  const names = [
    "MY_TOKEN",
    "DB_PASSWORD",
    "AWS_SECRET_ACCESS_KEY",
    "NPM_AUTH",
    "SESSION_COOKIE",
    "STRIPE_KEY",
  ];
  const more = [
    "SIGNING_SECRET",
    "SLACK_WEBHOOK",
    "SENTRY_DSN",
    "GIT_CREDENTIALS",
    "VAULT_PASSPHRASE",
    "GH_PAT",
    "PRIVATE_THING",
  ];
  return {
    ...Object.fromEntries([...names, ...more].map((name) => [name, canary()])),
    DATABASE_URL: `postgres://ann:${canary()}@127.0.0.1/db`,
    ODD_ONE: canary("sk-proj-1"),
    ODD_TWO: canary("ghp_A1"),
    ODD_THREE: `Bearer ${canary("Z9")}`,
    FOR_HEADER: canary(),
    FOR_SERVER: canary(),
  };
}

test("none of forty canaries in keys, variables, headers, files, prompts, answers and commands reaches a log", async () => {
  const { home, planted, canary, log, run } = await newPlace();
  const env = { ...secretEnvironment(canary), MODEL_KEY: canary() };
  const inFiles = [canary(), canary(), canary(), canary()];
  await writeFile(
    join(home, "work", "notes.txt"),
    `token ${inFiles[0]}\n${inFiles[1]}\nAPI_KEY=${inFiles[2]}\n`,
  );
  await writeFile(join(home, "work", "AGENTS.md"), `Never say ${inFiles[3]}.\n`);
  await writeFile(join(home, "state", "gateway-token"), canary());
  await writeFile(join(home, "state", "lm-server-token"), canary());
  const asked = scriptedModel([
    [{ think: canary() }, { say: `I read ${canary()}.` }, { call: "read_file", with: { path: "notes.txt" } }],
    [
      { call: "write_file", with: { path: `${canary()}.txt`, content: canary() } },
      { call: "run_command", with: { command: `echo ${canary()} ${inFiles[1]}` } },
      { call: canary("sk-proj-1a"), with: { [canary()]: canary() } },
    ],
    [{ say: `It says ${inFiles[1]} ${canary()}` }],
  ]);
  const model = await serveModel(asked);
  onTestFinished(() => model.close());
  const echo = Object.values(env).join(" ");
  const failing = await serveModel(asked, {
    faults: [{ status: 401, body: `{"error":{"message":"Bad key ${echo}"}}` }],
  });
  onTestFinished(() => failing.close());
  const inConfig = [canary(), canary(), canary(), canary(), canary()];
  await writeFile(
    join(home, ".config/toolwright/config.jsonc"),
    JSON.stringify({
      providers: {
        good: { baseUrl: `${model.url}/v1`, key: inConfig[0] },
        bad: { baseUrl: `${failing.url}/v1`, keyVariable: "MODEL_KEY" },
      },
      mcpServers: {
        off: {
          disabled: true,
          url: "http://127.0.0.1:9/",
          headers: {
            Authorization: `Bearer ${inConfig[1]}`,
            "X-Odd": inConfig[2],
            "X-Late": "${FOR_HEADER}",
          },
          env: { ANY: inConfig[3], LATE: "${FOR_SERVER}" },
        },
      },
      hooks: [
        { on: "session-end", url: "http://127.0.0.1:9/", headers: { "X-Hook": inConfig[4] }, timeout: 1 },
      ],
    }),
  );
  const prompt = `Look at it: ${canary()}`;
  const done = await run(["-p", prompt, "--model", "good/model", "--mode", "accept-edits", "--verbose"], env);
  const failed = await run(["-p", prompt, "--model", "bad/model", "--verbose"], env);
  const wrong = await run(["-p", prompt, "--model", `none/${echo}`], env);
  expect([failed.code, wrong.code]).toEqual([1, 2]);
  expect(done.told).toContain("It says");

  const text = await readFile(log, "utf8");
  expect(planted.length).toBeGreaterThanOrEqual(40);
  expect(planted.filter((one) => text.includes(one))).toEqual([]);
  expect(failed.told).not.toContain(env.MODEL_KEY);
  expect((await stat(log)).mode & 0o777).toBe(0o600);
});

test("a run logs what a bug report needs: version, command, each fact with its time, and the exit code", async () => {
  const { log, run } = await newPlace();
  const model = await serveModel(
    scriptedModel([[{ call: "read_file", with: { path: "none.txt" } }], [{ say: "Gone." }]]),
  );
  onTestFinished(() => model.close());
  const { code } = await run(["-p", "Read it", "--model", model.url], {});
  expect(code).toBe(0);
  const lines = (await readFile(log, "utf8"))
    .trim()
    .split("\n")
    .map((line): Record<string, unknown> => JSON.parse(line));
  expect(lines[0]).toMatchObject({
    what: "run-start",
    command: "chat",
    node: process.versions.node,
    version: expect.stringMatching(/^\d/u),
  });
  expect(lines.at(-1)).toMatchObject({ what: "run-end", exitCode: 0 });
  const whats = lines.map(({ what }) => what);
  for (const what of [
    "session-opened",
    "session-start",
    "turn-start",
    "call",
    "decision",
    "result",
    "turn-end",
    "session-closed",
  ])
    expect(whats).toContain(what);
  expect(lines.find(({ what }) => what === "call")).toMatchObject({ tool: "read_file", given: 19 });
  expect(lines.find(({ what }) => what === "result")).toMatchObject({ outcome: "failed" });
  expect(lines.filter(({ at }) => !/^\d{4}-\d\d-\d\dT/u.test(String(at)))).toEqual([]);
});

test("a log that cannot be written stops the run at the start, and a refused command line is logged", async () => {
  const { home, log, run } = await newPlace();
  const refused = await run(["--log", home, "-p", "Hello", "--offline-model"], {});
  expect(refused).toMatchObject({ code: 1, told: expect.stringContaining("name another file with --log") });
  await run(["models", "more"], {});
  expect(await readFile(log, "utf8")).toContain(
    '"what":"complaint","words":"toolwright models takes no further arguments',
  );
});

test("a log on a full disk is told once, and the run goes on", async () => {
  const { run } = await newPlace();
  const ended = await run(["--log", "/dev/full", "-p", "Hello", "--offline-model"], {});
  expect(ended.code).toBe(0);
  expect(ended.told.match(/The log \/dev\/full cannot be written/gu)).toHaveLength(1);
});
