/** The menu before the first conversation: what is at hand, a key that is tried, the choice remembered. */

import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { serveModel } from "../../testing/scripted-server.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { runCli } from "../main.ts";

const key = "sk-ant-api03-canary-Key-1234567890";
const nowhere = "http://127.0.0.1:9";

/** Lists these models; of a provider with a key only to who has it. */
async function serverOf(models: readonly string[]): Promise<string> {
  const server = createServer((request, reply) => {
    const isOllama = request.url?.startsWith("/api/") === true;
    const isTaken = isOllama || request.headers["x-api-key"] === key;
    const body = isOllama
      ? { models: models.map((name) => ({ name })) }
      : { data: models.map((id) => ({ id })) };
    reply
      .writeHead(isTaken ? 200 : 401, { "content-type": "application/json" })
      .end(JSON.stringify(isTaken ? body : { type: "error", error: { message: "no such key" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`;
}

async function begun(variables: Record<string, string> = {}, settings?: string) {
  const home = await mkdtemp(join(tmpdir(), "toolwright-first-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const file = join(home, ".config", "toolwright", "config.jsonc");
  await mkdir(join(home, "work"));
  if (settings !== undefined) {
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, settings);
  }
  const servers = [
    "OLLAMA_HOST",
    "LMSTUDIO_BASE_URL",
    "LLAMACPP_BASE_URL",
    "VLLM_BASE_URL",
    "SGLANG_BASE_URL",
    "ANTHROPIC_BASE_URL",
  ];
  const env = {
    HOME: home,
    PATH: process.env["PATH"] ?? "",
    ...Object.fromEntries(servers.map((name) => [name, nowhere])),
    ...variables,
  };
  const start = (...words: string[]) => {
    const terminal = testTerminal({ terminal: true, env, cwd: join(home, "work") });
    return { terminal, over: runCli(words, terminal) };
  };
  return { ...start(), start, file, home };
}

test("nothing at hand: a key is refused, asked for again, taken, and its provider used from then on", async () => {
  const { terminal, over, start, file, home } = await begun({
    ANTHROPIC_BASE_URL: await serverOf(["claude-tiny"]),
  });
  await terminal.until("1 to 2, or Enter for 1; q leaves: ");
  expect(terminal.printed().split("\n").slice(0, 3)).toEqual([
    "No model can be used: no provider's key is set, and no model server answers as it should.",
    "  1  paste a provider's key",
    "  2  demo: a scripted model, real tools, no network",
  ]);
  terminal.type("\r");
  await terminal.until("Paste a provider's key (it stays hidden)");
  terminal.type("sk-ant-wrong-canary\r");
  await terminal.until("Paste a provider's key (it stays hidden)");
  expect(terminal.reported()).toContain("Anthropic refuses this key");
  terminal.type(`${key}\r`);
  await terminal.until("It works, and is kept for you alone.");
  await terminal.until(`anthropic is used from now on (${file}).`);
  await terminal.until("To begin with, try: Write a program");
  await terminal.until("> ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  expect(terminal.printed() + terminal.reported()).not.toContain("canary");
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual({ model: "anthropic" });
  expect((await stat(join(home, ".local/state/toolwright/credentials.json"))).mode & 0o777).toBe(0o600);
  const next = start();
  await next.terminal.until("> ");
  expect(next.terminal.printed()).not.toMatch(/Which one|To begin with/u);
  next.terminal.type("\u0004");
  expect(await next.over).toBe(0);
});

test("a server with several models: one is chosen by figure or name, and kept beside what the file says", async () => {
  const OLLAMA_HOST = await serverOf(["qwen3:8b", "embed-small", "llama3:8b"]);
  const { terminal, over, file } = await begun({ OLLAMA_HOST }, '{\n  // mine\n  "maxRounds": 9\n}\n');
  await terminal.until("1  Ollama: 2 models");
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("7\r");
  await terminal.until("Enter for 1; q leaves: ");
  expect(terminal.reported()).toContain('"7" is none of these: type a figure from 1 to 3.');
  terminal.type("1\r");
  await terminal.until("2  llama3:8b");
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("llama\r");
  await terminal.until("ollama/llama3:8b is used from now on");
  await terminal.until("> ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  expect(await readFile(file, "utf8")).toBe(
    '{\n  // mine\n  "maxRounds": 9,\n  "model": "ollama/llama3:8b"\n}\n',
  );
});

test.each([
  ["one model", ["qwen3:8b"], {}],
  ["one key", [], { ANTHROPIC_API_KEY: key }],
])("%s is what is meant: nothing is asked", async (_, models, variables) => {
  const { terminal, over, file } = await begun({
    ...variables,
    ...(models.length > 0 ? { OLLAMA_HOST: await serverOf(models) } : {}),
  });
  await terminal.until("> ");
  expect(terminal.printed()).not.toContain("No model is configured");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  await expect(stat(file)).rejects.toThrow("ENOENT");
});

test.each(["q", "Quit", "exit"])("%s leaves the menu, as it says", async (word) => {
  const { terminal, over, file } = await begun();
  await terminal.until("1 to 2, or Enter for 1; q leaves: ");
  terminal.type(`${word}\r`);
  expect(await over).toBe(1);
  expect(terminal.reported()).toBe("");
  await expect(readFile(file, "utf8")).rejects.toThrow("ENOENT");
});

test("two keys are asked about, and a server without models is told", async () => {
  const OLLAMA_HOST = await serverOf([]);
  const { terminal, over } = await begun({
    OLLAMA_HOST,
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: "sk-other-key",
  });
  await terminal.until("1  Anthropic: key from ANTHROPIC_API_KEY");
  await terminal.until("2  OpenAI: key from OPENAI_API_KEY");
  await terminal.until("Ollama runs here, but has no model: load one");
  await terminal.until(": ");
  terminal.type("\u0004");
  expect(await over).toBe(1);
});

test("the demo leads back to the menu, Enter at the key too, and leaving after the demo is no failure", async () => {
  const { terminal, over } = await begun();
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("1\r");
  await terminal.until("press Enter to go back: ");
  terminal.type("\r");
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("demo\r");
  await terminal.until("Edit total.js");
  await terminal.until(": ");
  terminal.type("y\r");
  await terminal.until("Undo the change");
  terminal.type("/undo\r");
  await terminal.until("Undone");
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
});

test("a key that does not say whose it is: q or Enter at that question goes back to the key", async () => {
  const { terminal, over } = await begun();
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("1\r");
  for (const back of ["q", ""]) {
    await terminal.until("press Enter to go back: ");
    terminal.type("canary-of-no-form\r");
    await terminal.until("Which provider? (Enter or q goes back) ");
    terminal.type(`${back}\r`);
  }
  await terminal.until("press Enter to go back: ");
  terminal.type("\r");
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("q\r");
  expect(await over).toBe(1);
  expect(terminal.reported()).toBe("");
});

test("Ctrl-C leaves, also at the question whose key it is", async () => {
  const { terminal, over } = await begun();
  await terminal.until("Enter for 1; q leaves: ");
  terminal.type("1\r");
  await terminal.until("press Enter to go back: ");
  terminal.type("canary-of-no-form\r");
  await terminal.until("Which provider? (Enter or q goes back) ");
  terminal.type("\u0003");
  const again = terminal.until("press Enter to go back: ").then(() => "asked again");
  expect(await Promise.race([over, again])).toBe(1);
});

test("a choice that cannot be kept holds for this time, and the reason is told", async () => {
  const model = scriptedModel([], { name: "tiny" });
  const served = await serveModel(model);
  onTestFinished(() => served.close());
  const { terminal, over, home } = await begun({
    ANTHROPIC_API_KEY: key,
    OPENAI_API_KEY: "sk-other-key",
    OLLAMA_HOST: served.url,
  });
  await writeFile(join(home, ".config"), "in the way");
  await terminal.until("1  Ollama: 1 model");
  await terminal.until(": ");
  terminal.type("\r");
  await terminal.until("model      ollama/tiny");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  expect(terminal.reported()).toContain("The choice is for this time, because it cannot be kept: ");
});

test("the model that was used last is used again where none is configured, as long as it is there", async () => {
  const models = ["qwen3:8b", "llama3:8b"];
  const OLLAMA_HOST = await serverOf(models);
  const { terminal, over, start } = await begun({ OLLAMA_HOST });
  await terminal.until("1  Ollama: 2 models");
  terminal.type("\u0004");
  await over;
  const first = start("--model", "ollama/qwen3:8b");
  await first.terminal.until("> ");
  first.terminal.type("/model ollama/llama3:8b\r");
  await first.terminal.until("llama3:8b");
  first.terminal.type("\u0004");
  expect(await first.over).toBe(0);
  const again = start();
  await again.terminal.until("ollama/llama3:8b");
  await again.terminal.until("> ");
  expect(again.terminal.printed()).not.toContain("No model is configured");
  again.terminal.type("\u0004");
  expect(await again.over).toBe(0);
  models.pop();
  models.push("other:8b");
  const without = start();
  await without.terminal.until("1  Ollama: 2 models");
  without.terminal.type("\u0004");
  await without.over;
});

test("a server whose address is set is offered, and is what is meant if it has one model", async () => {
  const lists = async (...ids: string[]) => {
    const server = createServer((_, reply) => {
      reply
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify({ data: ids.map((id) => ({ id })) }));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/v1`;
  };
  const several = await begun({ OPENAI_COMPATIBLE_BASE_URL: await lists("tiny", "small") });
  await several.terminal.until("1  an OpenAI-compatible server: 2 models");
  several.terminal.type("\u0004");
  await several.over;
  const { terminal, over } = await begun({ OPENAI_COMPATIBLE_BASE_URL: await lists("tiny") });
  await terminal.until("openai-compatible/tiny");
  await terminal.until("> ");
  expect(terminal.printed()).not.toContain("No model is configured");
  terminal.type("\u0004");
  expect(await over).toBe(0);
});

test.each([
  [
    "nothing is there",
    "http://me:secret@127.0.0.1:9/v1",
    "OPENAI_COMPATIBLE_BASE_URL is set (http://127.0.0.1:9/v1), but cannot be used: Nothing answers at http://127.0.0.1:9 (connection refused). Start that server, or choose another model.",
  ],
  [
    "it wants a key",
    undefined,
    "OPENAI_COMPATIBLE_BASE_URL is set (http://SERVER/v1), but cannot be used: The provider refused the key (401): no such key. No key was sent: set OPENAI_COMPATIBLE_API_KEY.",
  ],
  [
    "it is no address",
    "my box",
    'OPENAI_COMPATIBLE_BASE_URL is set, but cannot be used: OPENAI_COMPATIBLE_BASE_URL leads nowhere ("my box" is no address): set it to host:port, or to a URL that starts with http:// or https://.',
  ],
])(
  "a server that was set and cannot be used is told with its variable, also where nobody is asked: %s",
  async (_, set, words) => {
    const origin = await serverOf([]);
    const { terminal, over, start } = await begun({ OPENAI_COMPATIBLE_BASE_URL: set ?? `${origin}/v1` });
    await terminal.until("Enter for 1; q leaves: ");
    const told = terminal.printed().split("\n");
    const expected = words.replace("http://SERVER", origin);
    expect(told.find((line) => line.startsWith("OPENAI_COMPATIBLE_BASE_URL"))).toBe(expected);
    terminal.type("\u0004");
    expect(await over).toBe(1);
    const headless = start("-p", "hello");
    expect(await headless.over).toBe(1);
    expect(headless.terminal.reported().replaceAll(/\s+/gu, " ")).toContain(expected);
  },
);

test("-p takes the only model within reach of a server whose address is set, as a conversation does", async () => {
  const served = await serveModel(scriptedModel([[{ say: "Hello there." }]], { name: "toy" }));
  onTestFinished(() => served.close());
  const { terminal, over, start } = await begun({ OPENAI_COMPATIBLE_BASE_URL: `${served.url}/v1` });
  await terminal.until("openai-compatible/toy");
  await terminal.until("> ");
  terminal.type("\u0004");
  expect(await over).toBe(0);
  const headless = start("-p", "hello");
  expect(await headless.over).toBe(0);
  expect(headless.terminal.printed()).toContain("Hello there.");
});
