/** `toolwright doctor --report` contains all that a bug report needs, and none of the planted secrets. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { DoctorReport } from "../src/cli/doctor/report.ts";
import { newHome } from "./support/doctor-place.ts";

/** Each stands for another place where a secret may be. */
const canaries = {
  key: "canary01-of-the-configuration",
  variable: "sk-canary02canary02canary02",
  token: "canary03-of-the-environment",
  header: "canary04-header-of-a-server",
  bearer: "canary05-named-by-a-variable",
  env: "canary06-environment-of-a-server",
  argument: "canary07-argument-of-a-server",
  login: "canary08-login",
  query: "canary09-query",
  proxy: "canary10-proxy",
  hook: "canary11-header-of-a-hook",
  otlp: "canary12-of-otlp",
  path: "T0Canary13Path8Made7By6A5Machine",
  search: "canary14-search",
  gateway: "canary15".repeat(8),
  line: "canary16-in-a-line",
};

const configuration = {
  model: "openai/gpt-x",
  providers: {
    mine: { baseUrl: `http://ann:${canaries.login}@127.0.0.1:9/${canaries.path}/v1`, key: canaries.key },
    named: { baseUrl: "http://127.0.0.1:9/v1", keyVariable: "MY_BEARER" },
  },
  mcpServers: {
    web: {
      url: `http://127.0.0.1:9/mcp?api_key=${canaries.query}`,
      headers: { "x-any": canaries.header, authorization: "Bearer ${MY_BEARER}" },
    },
    local: { command: "no-such-server", args: ["--token", canaries.argument], env: { ANY: canaries.env } },
    fails: { command: "sh", args: ["-c", `echo ${canaries.env} >&2; exit 3`], env: { OTHER: canaries.env } },
  },
  hooks: [
    { on: "prompt", name: "told", url: "http://127.0.0.1:9/x", headers: { "x-key": canaries.hook } },
    { on: "prompt", command: `API_TOKEN=${canaries.line} if (` },
  ],
  webSearch: { url: `http://127.0.0.1:9/search?key=${canaries.search}` },
};

const environment = {
  OPENAI_API_KEY: canaries.variable,
  OPENAI_BASE_URL: `http://ann:${canaries.login}@127.0.0.1:9/v1`,
  MY_BEARER: canaries.bearer,
  SOME_TOKEN: canaries.token,
  HTTPS_PROXY: `http://ann:${canaries.proxy}@proxy.example:8080`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${canaries.otlp}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `http://ann:${canaries.otlp}@127.0.0.1:9`,
  NO_PROXY: "127.0.0.1",
};

async function planted() {
  const place = await newHome();
  await place.configure(configuration);
  const state = join(place.home, ".local/state/toolwright");
  await mkdir(state, { recursive: true, mode: 0o700 });
  await writeFile(join(state, "gateway-token"), canaries.gateway, { mode: 0o600 });
  return place;
}

test("the report contains no planted secret and no home directory, as text and as JSON", async () => {
  const { home, run } = await planted();
  for (const output of ["text", "json"]) {
    const { text, code } = await run(["--report", "--output", output], environment);
    expect(code).toBe(1);
    for (const [place, canary] of Object.entries(canaries)) {
      expect.soft(text, place).not.toContain(canary);
      expect.soft(text, place).not.toContain(encodeURIComponent(canary));
    }
    expect(text).not.toContain(home);
    expect(text).toContain("~/.config/toolwright/config.jsonc");
  }
});

test("the findings alone contain no planted secret either", async () => {
  const { doctor } = await planted();
  const text = JSON.stringify((await doctor(["--verbose"], environment)).findings);
  for (const [place, canary] of Object.entries(canaries)) expect.soft(text, place).not.toContain(canary);
});

test("the JSON report has versions, providers, servers and hooks by name and kind, the database and every check", async () => {
  const { run } = await planted();
  const { text } = await run(["--report", "--output", "json"], environment);
  const report: DoctorReport = JSON.parse(text);
  expect(report).toMatchObject({
    report: 1,
    versions: { toolwright: expect.stringMatching(/^\d/u), node: process.versions.node },
    settings: { model: "openai/gpt-x", mode: "ask", log: false, telemetry: false },
    servers: [
      { name: "web", by: "user", reached: "address" },
      { name: "local", by: "user", reached: "command" },
      { name: "fails", by: "user", reached: "command" },
    ],
    hooks: [
      { on: ["prompt"], by: "user", runs: "address" },
      { on: ["prompt"], by: "user", runs: "line" },
    ],
    database: { bytes: expect.any(Number) },
  });
  expect(report.providers).toContainEqual({
    name: "openai",
    wire: "openai-responses",
    address: "http://127.0.0.1:9",
    key: "OPENAI_API_KEY",
  });
  expect(report.providers.find(({ name }) => name === "mine")).toMatchObject({ key: "the configuration" });
  expect(report.database.bytes).toBeGreaterThan(0);
  const checks = new Set(report.findings.map(({ check }) => check));
  for (const check of ["sandbox", "languages", "integrity", "tool servers", "trust"])
    expect(checks).toContain(check);
  expect(text).not.toContain('"rows"');
});

test("the text report suits a bug report, and a report is also made when the configuration cannot be read", async () => {
  const { home, run } = await newHome();
  const { text, code } = await run(["--report"]);
  expect(code).toBe(0);
  expect(text).toMatch(/^### Toolwright \d[^\n]*\n\n- Node /u);
  expect(text.match(/^```$/gmu)).toHaveLength(2);
  await mkdir(join(home, ".config/toolwright"), { recursive: true });
  await writeFile(join(home, ".config/toolwright/config.jsonc"), '{ "mode": ');
  const broken = await run(["--report", "--output", "json"]);
  const report: DoctorReport = JSON.parse(broken.text);
  expect([
    broken.code,
    report.findings.some(({ check, state }) => check === "configuration" && state === "fail"),
  ]).toEqual([1, true]);
});

test("a setting of the wrong type is reported without its value", async () => {
  const { write, run } = await newHome();
  for (const wrong of [{ mode: { key: "canary20-deep" } }, { maxRounds: ["canary21-listed"] }]) {
    await write(".config/toolwright", JSON.stringify(wrong));
    const { code, text } = await run(["--report"]);
    expect([code, text.includes("canary")]).toEqual([1, false]);
    expect(text).toMatch(/"(?:mode|maxRounds)" must be .*, not an? (?:object|list)/u);
  }
});

test("--report is refused by every command but doctor and probe", async () => {
  const { run } = await newHome();
  const { runCli } = await import("../src/cli/main.ts");
  const { testTerminal } = await import("../src/tui/testing/terminal.ts");
  const terminal = testTerminal({ env: {}, cwd: "/" });
  expect(await runCli(["models", "--report"], terminal)).toBe(2);
  expect(terminal.reported()).toContain("--report is for toolwright doctor and probe only");
  expect((await run(["--report", "--verbose"])).code).toBe(0);
});
