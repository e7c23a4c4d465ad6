/** Doctor as a whole: every trouble is a finding that says what to do, no check hangs, and no secret is revealed. */

import { chmod, open, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isObject } from "../src/base/json.ts";
import { newHome } from "./support/doctor-place.ts";

test("on a machine where nothing is set up every check is reported, and none fails", async () => {
  const { doctor } = await newHome();
  const { code, findings } = await doctor();
  expect(code).toBe(0);
  const checks = new Set(findings.map(({ check }) => check));
  for (const check of [
    "Node",
    "database",
    "integrity",
    "open sessions",
    "configuration",
    "git",
    "terminals",
    "screen",
    "clock",
    "proxy",
    "models",
    "dialects",
    "sandbox",
    "instructions",
    "skills",
    "agents",
    "hooks",
    "trust",
    "gateway",
    "log",
    "telemetry",
    "limits",
  ])
    expect(checks).toContain(check);
  for (const { state, words } of findings) {
    expect(["ok", "warn"]).toContain(state);
    expect(words).not.toBe("");
  }
});

test("settings that cannot be parsed are a finding with file and line, and the other checks still run", async () => {
  const { doctor, write } = await newHome();
  await write(".config/toolwright", '{\n  "mode": "ask"\n  "model": "x"\n}\n');
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of("configuration")).toMatchObject([
    { state: "fail", words: expect.stringMatching(/config\.jsonc:3: /u) },
  ]);
  expect(of("Node")).toHaveLength(1);
});

test("ignored workspace settings and misspelled variables are warnings", async () => {
  const { doctor, write } = await newHome();
  await write("work/.toolwright", '{ "model": "evil/model" }');
  const { of } = await doctor([], { TOOLWRIGHT_MODLE: "x" });
  expect(of("configuration").some(({ state, words }) => state === "warn" && words.includes('"model"'))).toBe(
    true,
  );
  expect(of("environment")).toEqual([
    expect.objectContaining({
      state: "warn",
      words: expect.stringContaining('did you mean "TOOLWRIGHT_MODEL"?'),
    }),
  ]);
});

test("a damaged database, an open state directory, and a log or telemetry that cannot be used are reported", async () => {
  const { home, doctor } = await newHome();
  const state = join(home, "state");
  await doctor(["--state-dir", state]);
  await chmod(state, 0o755);
  const file = await open(join(state, "sessions.db"), "r+");
  await file.write(Buffer.alloc(2_000, 7), 0, 2_000, 4_096); // the second page
  await file.close();
  await rm(join(state, "sessions.db-wal"), { force: true });
  const argv = ["--state-dir", state, "--log", join(home, "no", "log"), "--telemetry", "./none.mjs"];
  const { code, of } = await doctor(argv);
  expect(code).toBe(1);
  expect(of("state directory")[0]).toMatchObject({
    state: "warn",
    fix: expect.stringContaining("chmod 700"),
  });
  expect([...of("database"), ...of("integrity")].some(({ state: how }) => how === "fail")).toBe(true);
  expect(of("log")[0]).toMatchObject({ state: "fail", words: expect.stringContaining("--log") });
  expect(of("telemetry")[0]).toMatchObject({
    state: "warn",
    words: expect.stringContaining("none.mjs could not be loaded"),
  });
});

test("a server that accepts a request and never answers is reported as not in use", async () => {
  const silent = createServer(() => undefined).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close());
  await new Promise((resolve) => silent.once("listening", resolve));
  const address = silent.address();
  const port = isObject(address) ? address["port"] : 0;
  const { doctor } = await newHome();
  const { of } = await doctor([], { OLLAMA_HOST: `http://127.0.0.1:${String(port)}` });
  expect(of("ollama")[0]?.words).toContain("not in use");
});

test("doctor reveals no secret of the environment or the settings", async () => {
  const { doctor, write } = await newHome();
  const secret = "hunter22hunter22";
  await write(
    ".config/toolwright",
    JSON.stringify({ providers: { mine: { baseUrl: `http://127.0.0.1:9/${secret}/v1`, key: secret } } }),
  );
  const { findings } = await doctor([], {
    OPENAI_API_KEY: "sk-canary1canary1canary1",
    HTTP_PROXY: `http://u:${secret}@127.0.0.1:9`,
    NO_PROXY: "*",
  });
  expect(JSON.stringify(findings)).not.toContain(secret);
  expect(JSON.stringify(findings)).not.toContain("canary1");
});

test("a workspace's hooks and tool servers are reported as untrusted, and are not started", async () => {
  const { home, doctor, write } = await newHome();
  const mark = join(home, "started");
  await write(
    "work/.toolwright",
    JSON.stringify({
      hooks: [{ on: "session-start", command: ["touch", mark] }],
      mcpServers: { evil: { command: "touch", args: [mark] } },
    }),
  );
  const { of } = await doctor();
  expect(of("trust")[0]).toMatchObject({
    state: "warn",
    words: expect.stringContaining("1 hook and 1 tool server"),
  });
  await expect(stat(mark)).rejects.toThrow("ENOENT");
});

test("an oversized instruction file is a warning", async () => {
  const { home, doctor } = await newHome();
  await writeFile(join(home, "work", "AGENTS.md"), "Be kind.\n".repeat(20_000));
  const { of, code } = await doctor();
  expect(code).toBe(0);
  expect(of("instructions").map(({ state }) => state)).toEqual(["ok", "warn"]);
});

test("a state directory that cannot be created fails, and a workspace that does not exist yet is ok", async () => {
  const { home, doctor } = await newHome();
  const { code, of } = await doctor(["--state-dir", "/proc/none", "--cwd", join(home, "later")]);
  expect(code).toBe(1);
  expect(of("database")[0]).toMatchObject({ state: "fail" });
  expect(of("workspace")).toMatchObject([{ state: "ok", words: `${join(home, "later")} will be made` }]);
});

test("missing programs of hooks and of the web search fail", async () => {
  const { doctor, write } = await newHome();
  const hooks = [
    { on: "prompt", name: "gone", command: ["no-such-hook"] },
    { on: "prompt", command: ["sh", "-c", "true"] },
    { on: "prompt", command: "true # a line for bash" },
  ];
  await write(".config/toolwright", JSON.stringify({ hooks, webSearch: { command: ["no-such-search"] } }));
  const { code, of } = await doctor();
  expect(code).toBe(1);
  expect(of("hooks").map(({ words }) => words)).toEqual([
    "2 of yours, 0 of the workspace",
    "gone: there is no program no-such-hook",
  ]);
  expect(of("web search")).toMatchObject([{ state: "fail", words: "there is no program no-such-search" }]);
});
