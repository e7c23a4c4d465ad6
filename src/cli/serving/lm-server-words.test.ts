/** `toolwright lm-server keys` and `usage`, with a server that runs meanwhile. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testTerminal, type TestTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "toolwright-lm-keys-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nowhere = { OLLAMA_HOST: "http://127.0.0.1:9", LMSTUDIO_BASE_URL: "http://127.0.0.1:9" };
const terminalHere = (): TestTerminal => testTerminal({ env: { HOME: home, ...nowhere }, cwd: home });

async function run(...argv: string[]) {
  const terminal = terminalHere();
  const code = await runCli(["lm-server", ...argv], terminal);
  return { code, out: terminal.printed(), problem: terminal.reported() };
}

const stateDir = (): string => join(home, ".local", "state", "toolwright");

test("a key is shown once, works at a server that runs already, is counted, and ends when it is revoked", async () => {
  const terminal = terminalHere();
  const running = runCli(["lm-server", "--offline-model", "--port", "0"], terminal);
  await terminal.until("Ctrl-C");
  const url = /http:\/\/127\.0\.0\.1:\d+/u.exec(terminal.printed())?.[0] ?? "";
  const added = await run(
    "keys",
    "add",
    "alice",
    "--models",
    "claude-*, small",
    "--max-requests",
    "2",
    "--max-dollars-day",
    "0.5",
  );
  expect(added).toMatchObject({ code: 0, problem: "" });
  const key = /tw-[0-9a-f]{64}/u.exec(added.out)?.[0] ?? "";
  expect(added.out).toBe(
    `The key of alice, which is shown this once:\n\n  ${key}\n\nLimits: models claude-*, small, 2 requests a minute, $0.5 a day.\n`,
  );
  const ask = (model: string) =>
    fetch(`${url}/k/${key}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ model, messages: [{ role: "user", content: "Hello." }] }),
    });
  expect([(await ask("big")).status, (await ask("small")).status]).toEqual([404, 200]);
  const listed = await run("keys");
  expect(listed.out).toMatch(
    /^CLIENT +SINCE +LIMITS\nalice +\d{4}-\d\d-\d\d +models claude-\*, small, 2 requests a minute, \$0\.5 a day\n$/u,
  );
  const used = await run("usage");
  expect(used.out).toMatch(/^DAY \(UTC\) .*\n\d{4}-\d\d-\d\d +alice +1 +[\d,]+ +[\d,]+ +\$0\.0000\n$/u);
  const { days }: { days: object[] } = JSON.parse((await run("usage", "--output", "json")).out);
  expect(days).toMatchObject([{ client: "alice", requests: 1, dollars: 0, unpriced: 0 }]);
  expect(await run("keys", "revoke", "alice")).toMatchObject({ code: 0, problem: "" });
  expect((await ask("small")).status).toBe(401);
  terminal.raise("SIGTERM");
  expect(await running).toBe(0);
  for (const name of readdirSync(stateDir()).filter((one) => one.startsWith("lm-server"))) {
    expect(readFileSync(join(stateDir(), name), "latin1"), name).not.toContain(key.slice(3));
    expect(statSync(join(stateDir(), name)).mode & 0o077, name).toBe(0);
  }
  expect(terminal.reported()).not.toContain(key);
});

test("limits in the configuration are shown with the client, and a mistake in them is named", async () => {
  const config = join(home, ".config", "toolwright");
  mkdirSync(config, { recursive: true });
  const write = (clients: object): void =>
    writeFileSync(join(config, "config.json"), JSON.stringify({ lmServer: { clients } }));
  write({ ci: { tokensPerDay: 1_000_000, streams: 2 } });
  const added = await run("keys", "add", "ci", "--max-streams", "9", "--output", "json");
  expect(JSON.parse(added.out)).toEqual({
    client: "ci",
    key: expect.stringMatching(/^tw-/u),
    limits: { streams: 9 },
  });
  expect((await run("keys", "list")).out).toContain("1,000,000 tokens a day, 2 answers at once");
  for (const [clients, words] of [
    [
      { ci: { tokensPerday: 1 } },
      /"lmServer\.clients\.ci" has no "tokensPerday" \(did you mean "tokensPerDay"\?\)/u,
    ],
    [{ ci: { tokensPerDay: 0.5 } }, /"lmServer\.clients\.ci\.tokensPerDay" must be a whole number/u],
    [{ ci: { dollarsPerDay: -1 } }, /"lmServer\.clients\.ci\.dollarsPerDay" must be a number, 0 at least/u],
    [{ "C I": {} }, /"lmServer\.clients\.'C I'" must have a client's name of lower-case letters/u],
  ] as const) {
    write(clients);
    expect(await run("keys")).toMatchObject({ code: 2, problem: expect.stringMatching(words) });
  }
});

test("wrong words, names and limits end with one line that says what to do", async () => {
  await run("keys", "add", "alice");
  const cases: [string[], number, RegExp][] = [
    [["keys", "add", "alice"], 1, /There is a client "alice" already: revoke its key first/u],
    [["keys", "revoke", "bob"], 1, /There is no client "bob": toolwright lm-server keys lists them/u],
    [["keys", "add", "owner"], 2, /cannot be a client's name/u],
    [["keys", "add", "A b"], 2, /cannot be a client's name/u],
    [
      ["keys", "add", "bob", "--max-tokens", "5000"],
      2,
      /--max-tokens limits a session's request: for a client's key use --max-tokens-day/u,
    ],
    [["keys", "add", "bob", "--max-cost", "5"], 2, /use --max-dollars-day/u],
    [["keys", "add", "bob", "--max-streams", "0"], 2, /--max-streams must be a whole number from 1/u],
    [["keys", "add", "bob", "--models", " , "], 2, /--models names no model: write names with commas/u],
    [["--max-streams", "3"], 2, /--max-streams is for toolwright lm-server keys add only/u],
    [["keys", "list", "--models", "a"], 2, /--models is for toolwright lm-server keys add only/u],
    [["keys", "add"], 2, /Choose one/u],
    [["keys", "drop", "alice"], 2, /Choose one/u],
    [["keys", "add", "a", "b"], 2, /Choose one/u],
    [["usage", "more"], 2, /Choose one/u],
    [["more"], 2, /Choose one/u],
  ];
  for (const [argv, code, words] of cases) {
    const ended = await run(...argv);
    expect([argv, ended]).toEqual([argv, { code, out: "", problem: expect.stringMatching(words) }]);
    expect(ended.problem.trim().split("\n")).toHaveLength(1);
  }
  expect((await run("keys")).out).toContain("alice");
  expect((await run("usage")).out).toBe("No client has used the language-model server yet.\n");
});
