/** Tests `toolwright lm-server` from its start-up lines to its end, on the real runtime in a throw-away home. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { testTerminal, type TestTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";

let home = "";
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "toolwright-lm-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const nowhere = { OLLAMA_HOST: "http://127.0.0.1:9", LMSTUDIO_BASE_URL: "http://127.0.0.1:9" };

function terminalHere(env: Record<string, string> = {}): TestTerminal {
  return testTerminal({ env: { HOME: home, ...nowhere, ...env }, cwd: home });
}

const start = (terminal: TestTerminal, ...flags: string[]): Promise<number> =>
  runCli(["lm-server", ...flags], terminal);

const offline = ["--offline-model", "--port", "0"];
const urlIn = (said: string): string => /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] ?? "";
const keyIn = (said: string): string => /OPENAI_API_KEY=(\S+)/.exec(said)?.[1] ?? "";

test("the server prints what clients need, answers and logs a request, and stops on SIGTERM", async () => {
  const terminal = terminalHere();
  const running = start(terminal, ...offline);
  await terminal.until("Ctrl-C stops it.");
  const said = terminal.printed();
  const [url, key] = [urlIn(said), keyIn(said)];
  for (const setting of [
    `OPENAI_BASE_URL=${url}/v1 OPENAI_API_KEY=${key}`,
    `ANTHROPIC_BASE_URL=${url} ANTHROPIC_AUTH_TOKEN=${key}`,
    `GOOGLE_GEMINI_BASE_URL=${url} GEMINI_API_KEY=${key}`,
    `OLLAMA_HOST=${url} OLLAMA_API_KEY=${key}`,
  ])
    expect(said).toContain(setting);

  const reply = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "any", messages: [{ role: "user", content: "Hello." }] }),
  });
  expect(await reply.json()).toMatchObject({ choices: [{ message: { role: "assistant" } }] });
  terminal.raise("SIGTERM");
  expect(await running).toBe(0);
  const lines = terminal
    .reported()
    .trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  expect(lines).toMatchObject([{ path: "/v1/chat/completions", status: 200, model: "offline/orders" }]);
});

test("the models of --models are served by their own names besides the default", async () => {
  const terminal = terminalHere();
  const running = start(terminal, ...offline, "--models", "ollama/one, openai/two");
  await terminal.until("Ctrl-C stops it.");
  const said = terminal.printed();
  const headers = { authorization: `Bearer ${keyIn(said)}` };
  const listed: unknown = await (await fetch(`${urlIn(said)}/v1/models`, { headers })).json();
  expect(listed).toMatchObject({
    data: [{ id: "ollama/one" }, { id: "openai/two" }, { id: "offline/orders" }],
  });
  const asked = await fetch(`${urlIn(said)}/v1/chat/completions`, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify({ model: "ollama/one", messages: [{ role: "user", content: "Hello." }] }),
  });
  expect(await asked.text()).toContain("127.0.0.1:9");
  terminal.raise("SIGTERM");
  expect(await running).toBe(0);
});

test("a model that cannot be opened is reported once at the start, and the server runs anyway", async () => {
  const terminal = terminalHere();
  const running = start(terminal, "--model", "ollama/tiny", "--port", "0");
  await expect.poll(() => terminal.reported()).toContain("The server runs all the same.");
  expect(terminal.reported()).toMatch(
    /^toolwright: ollama\/tiny cannot be asked now: [^\n]*127\.0\.0\.1:9[^\n]*\n$/u,
  );
  const said = terminal.printed();
  const headers = { authorization: `Bearer ${keyIn(said)}` };
  expect((await fetch(`${urlIn(said)}/v1/models`, { headers })).status).toBe(200);
  terminal.raise("SIGINT");
  expect(await running).toBe(0);
});

test("a silent model server is reported after a second, unless the program is stopped before", async () => {
  const silent = createServer();
  const sockets = new Set<Socket>();
  silent.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const OLLAMA_HOST = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  const flags = ["--model", "ollama/tiny", "--port", "0"];
  const [waiting, hasty] = [terminalHere({ OLLAMA_HOST }), terminalHere({ OLLAMA_HOST })];
  const stopped = start(hasty, ...flags);
  await hasty.until("Ctrl-C stops it.");
  hasty.raise("SIGINT");
  expect(await stopped).toBe(0);
  expect(hasty.reported()).toBe("");
  const running = start(waiting, ...flags);
  await expect.poll(() => waiting.reported()).toContain("The server runs all the same.");
  expect(waiting.reported()).toMatch(/^toolwright: ollama\/tiny [^\n]+ no answer within 1 s\. [^\n]+\n$/u);
  waiting.raise("SIGINT");
  expect(await running).toBe(0);
  for (const socket of sockets) socket.destroy();
  silent.close();
});

test("the token is stored readable by its owner only, and reused by the next run", async () => {
  const keys: string[] = [];
  for (let time = 0; time < 2; time += 1) {
    const terminal = terminalHere();
    const running = start(terminal, ...offline);
    await terminal.until("Ctrl-C");
    keys.push(keyIn(terminal.printed()));
    terminal.raise("SIGINT");
    await running;
  }
  expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(keys[1]).toBe(keys[0]);
  const file = join(home, ".local", "state", "toolwright", "lm-server-token");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("a token set by the user is used unless it is too weak", async () => {
  const own = terminalHere({ TOOLWRIGHT_LM_TOKEN: "a-token-of-my-own" });
  const running = start(own, ...offline);
  await own.until("Ctrl-C");
  expect(keyIn(own.printed())).toBe("a-token-of-my-own");
  own.raise("SIGINT");
  await running;
  for (const weak of ["short", "with a space in it"]) {
    const terminal = terminalHere({ TOOLWRIGHT_LM_TOKEN: weak });
    expect(await start(terminal, ...offline)).toBe(1);
    expect(terminal.reported()).toMatch(/TOOLWRIGHT_LM_TOKEN must have 16 characters/);
  }
});

test("--log writes the lines to a file readable by its owner only", async () => {
  const terminal = terminalHere();
  const log = join(home, "lm.log");
  const running = start(terminal, ...offline, "--log", log);
  await terminal.until("Ctrl-C");
  await fetch(urlIn(terminal.printed()));
  terminal.raise("SIGINT");
  await running;
  const lines = readFileSync(log, "utf8").trim().split("\n");
  expect(lines).toHaveLength(3);
  expect(JSON.parse(lines[1] ?? "")).toMatchObject({ path: "/", status: 401 });
  expect(statSync(log).mode & 0o777).toBe(0o600);
  expect(terminal.reported()).toBe("");
  const lost = terminalHere();
  expect(await start(lost, ...offline, "--log", join(home, "no", "such", "place"))).toBe(1);
  expect(lost.reported()).toMatch(/name another file with --log/);
});

test("the user's configuration maps model names", async () => {
  const config = join(home, ".config", "toolwright");
  mkdirSync(config, { recursive: true });
  const models = {
    "claude-*": { model: "offline/orders", assumedContext: 200_000 },
    small: "offline/orders",
  };
  writeFileSync(join(config, "config.json"), JSON.stringify({ lmServer: { models } }));
  const terminal = terminalHere();
  const running = start(terminal, ...offline);
  await terminal.until("Ctrl-C");
  expect(terminal.printed()).toContain("serves small, offline/orders.");
  terminal.raise("SIGINT");
  await running;
});

test("listening beyond this computer is announced, needs the key all the same, and checks the name it is reached by", async () => {
  const terminal = terminalHere();
  const running = start(terminal, ...offline, "--host", "0.0.0.0");
  await terminal.until("Ctrl-C");
  expect(terminal.reported()).toMatch(
    /^! The server listens on 0\.0\.0\.0: other machines reach it\. Every request needs a key, but .* unencrypted: put a proxy with TLS before it, or a tunnel\.\n$/u,
  );
  const [url, key] = [urlIn(terminal.printed()), keyIn(terminal.printed())];
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const near = own.find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
  const there = url.replace("127.0.0.1", near);
  expect((await fetch(`${there}/v1/models`)).status).toBe(401);
  expect((await fetch(`${there}/k/${key}/v1/models`)).status).toBe(200);
  terminal.raise("SIGINT");
  expect(await running).toBe(0);
  const nowhereHere = terminalHere();
  expect(await start(nowhereHere, ...offline, "--host", "192.0.2.1")).toBe(1);
  expect(nowhereHere.reported()).toMatch(
    /"192\.0\.2\.1" is not an address of this machine: give another one with --host/u,
  );
});

test("a missing model, a port in use or extra arguments end the server with an error", async () => {
  const none = terminalHere();
  expect(await start(none, "--port", "0")).toBe(1);
  expect(none.reported()).toMatch(/^toolwright: No model found: .+\n$/);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  const address = taken.address();
  const port = typeof address === "object" ? String(address?.port) : "";
  const late = terminalHere();
  expect(await start(late, "--offline-model", "--port", port)).toBe(1);
  expect(late.reported()).toMatch(/is in use by another program: choose another one with --port/);
  taken.close();
  const wordy = terminalHere();
  expect(await start(wordy, "more")).toBe(2);
});
