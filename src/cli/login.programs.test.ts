/** Handing over a key: tried at the provider, kept for its owner alone, used, and forgotten. */

import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { testTerminal, type TestTerminalOptions } from "../tui/testing/terminal.ts";
import { runCli } from "./main.ts";

const key = "sk-ant-api03-canary-Key-1234567890";
const nowhere = Object.fromEntries(
  ["OLLAMA_HOST", "LMSTUDIO_BASE_URL", "LLAMACPP_BASE_URL", "VLLM_BASE_URL", "SGLANG_BASE_URL"].map(
    (name) => [name, "http://127.0.0.1:9"],
  ),
);

/** A provider that takes this one key. */
async function provider(status = 401): Promise<string> {
  const server = createServer((request, reply) => {
    const given = request.headers["x-api-key"] ?? request.headers.authorization?.replace("Bearer ", "");
    const body =
      given === key
        ? { data: [{ id: "claude-tiny" }] }
        : { type: "error", error: { message: `no ${String(given)}` } };
    reply
      .writeHead(given === key ? 200 : status, { "content-type": "application/json" })
      .end(JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

async function place(url = "http://127.0.0.1:9") {
  const home = await mkdtemp(join(tmpdir(), "toolwright-login-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    ...nowhere,
    ANTHROPIC_BASE_URL: url,
    OPENAI_BASE_URL: `${url}/v1`,
  };
  const terminalOf = (options: TestTerminalOptions = {}) =>
    testTerminal({ ...options, env: { ...env, ...options.env }, cwd: join(home, "work") });
  const run = async (argv: string[], input?: string, options: TestTerminalOptions = {}) => {
    const terminal = terminalOf({ piped: input !== undefined, ...options });
    if (input !== undefined) terminal.input.end(input);
    const code = await runCli(argv, terminal);
    return { code, out: terminal.printed(), err: terminal.reported() };
  };
  const file = join(home, ".local", "state", "toolwright", "credentials.json");
  return { run, terminalOf, file };
}

test("a piped key is known by its form, tried, kept for its owner alone, used, named as the source, and forgotten", async () => {
  const { run, file } = await place(await provider());
  const login = await run(["login"], `${key}\n`);
  expect([login.code, login.err]).toEqual([0, ""]);
  expect(login.out).toMatch(/Trying the key at Anthropic[^]*It works[^]*--model anthropic\/claude-/u);
  expect(login.out).not.toContain("canary");
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await run(["models"])).out).toContain(
    "anthropic  (key: toolwright login)\n  anthropic/claude-tiny\n",
  );
  expect((await run(["doctor"])).out).toContain("anthropic with the key of toolwright login");
  const logout = await run(["logout"]);
  expect([logout.code, logout.err]).toEqual([0, ""]);
  await expect(stat(file)).rejects.toThrow("ENOENT");
  for (const name of ["anthropic", "constructor"])
    expect(await run(["logout", name])).toMatchObject({ code: 1, out: "" });
});

test("a variable goes before the kept key, and login and logout say so", async () => {
  const { run } = await place(await provider());
  const env = { ANTHROPIC_API_KEY: "another-key" };
  expect((await run(["login"], key, { env })).out).toContain(
    "ANTHROPIC_API_KEY is set, too, and goes before it.",
  );
  expect((await run(["models"], undefined, { env })).out).not.toContain("(key: toolwright login)");
  expect((await run(["logout"], undefined, { env })).out).toContain("ANTHROPIC_API_KEY is still set");
});

test("a key that the provider refuses, or that nobody was there to try, is not kept and not shown", async () => {
  const refused = await place(await provider());
  const wrong = await refused.run(["login", "Anthropic"], "wrong-canary-key");
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("Anthropic refuses this key")]);
  const alone = await place();
  const unheard = await alone.run(["login"], key);
  expect([unheard.code, unheard.err]).toEqual([
    1,
    expect.stringMatching(/could not be asked about this key \([^]*[^.]\): it is not kept/u),
  ]);
  for (const { out, err } of [wrong, unheard]) expect(out + err).not.toContain("canary");
  for (const { file } of [refused, alone]) await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("a server that is too busy to tell has not refused the key, which is kept with that doubt", async () => {
  const { run, file } = await place(await provider(529));
  const busy = await run(["login", "anthropic"], "some-other-key");
  expect([busy.code, busy.out]).toEqual([0, expect.stringContaining("the trial says little")]);
  expect(await readFile(file, "utf8")).toContain("some-other-key");
});

test("what is no key, says not whose it is, or stands on the command line is refused before anything is sent", async () => {
  const { run, file } = await place();
  const cases: [string[], string | undefined, RegExp][] = [
    [["login"], "", /no key in that/u],
    [["login"], "two words", /paste the key alone/u],
    [["login", "anthropic"], "short", /too short/u],
    [["login"], "sk-0123456789abcdef0123456789abcdef", /toolwright login PROVIDER.*deepseek/u],
    [["login", "anthropc"], key, /did you mean "anthropic"/u],
    [["login", "lmstudio"], key, /takes a key/u],
    [["login", key], undefined, /does not belong on the command line/u],
    [["login", "anthropic", key], undefined, /takes the name of one provider/u],
    [["login"], undefined, /nobody to ask/u],
  ];
  for (const [argv, input, words] of cases) {
    const { code, out, err } = await run(argv, input);
    expect([code, out, err]).toEqual([2, "", expect.stringMatching(words)]);
    expect(err).not.toContain("canary");
  }
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test("at a terminal the key stays hidden, and a person is asked whose it is only if it does not say so", async () => {
  const { terminalOf, run } = await place(await provider());
  const terminal = terminalOf({ terminal: true });
  const over = runCli(["login"], terminal);
  await terminal.until("it stays hidden: ");
  terminal.type("canary-of-no-form\r");
  await terminal.until("Which provider? ");
  terminal.type("openai\r");
  expect(await over).toBe(1);
  expect(terminal.reported()).toContain("OpenAI refuses this key");
  const again = terminalOf({ terminal: true });
  const kept = runCli(["login", "openai"], again);
  await again.until("it stays hidden: ");
  again.type(`${key}\r`);
  expect(await kept).toBe(0);
  for (const shown of [terminal, again]) expect(shown.printed() + shown.reported()).not.toContain("canary");
  const left = terminalOf({ terminal: true });
  const leaving = runCli(["login"], left);
  await left.until("it stays hidden: ");
  left.type("\u0003");
  expect(await leaving).toBe(1);
  expect((await run(["logout", "openai"])).code).toBe(0);
});
