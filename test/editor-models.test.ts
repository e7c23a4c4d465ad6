/** The models of the extension for VS Code: the built command as a child, in front of a model that can only write text. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ChatAsk } from "../editors/vscode/src/common/language-model/chat-parts.ts";
import { askModel, modelLimits } from "../editors/vscode/src/common/language-model/lm-server-client.ts";
import type { ProgramStart } from "../editors/vscode/src/node/language-model/lm-server-process.ts";
import { LmServers } from "../editors/vscode/src/node/language-model/lm-servers.ts";
import { collect } from "../src/base/async.ts";
import { hermes } from "../src/dialects/hermes.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { serveModel } from "../src/testing/scripted-server.ts";
import { textOnly } from "../src/testing/text-only.ts";

const command = join(import.meta.dirname, "../dist/bin.cjs");

async function stage(other?: ProgramStart) {
  const home = await mkdtemp(join(tmpdir(), "toolwright-models-"));
  const inner = scriptedModel([[{ call: "list", with: { folder: "src" } }]], { contextTokens: 16_384 });
  const ollama = await serveModel(textOnly(inner, { dialect: hermes }), { capabilities: ["completion"] });
  const starts: ProgramStart[] = [];
  const real: ProgramStart = {
    path: process.execPath,
    words: [command, "--dialect", "hermes"],
    env: { PATH: process.env["PATH"], HOME: home, OLLAMA_HOST: ollama.url },
    directory: home,
  };
  const servers = new LmServers({
    program: async () => {
      starts.push(other ?? real);
      return { ok: true, value: other ?? real };
    },
    log: () => undefined,
  });
  onTestFinished(async () => {
    await servers.close();
    await ollama.close();
    await rm(home, { recursive: true, force: true });
  });
  return { servers, starts };
}

const ask: ChatAsk = {
  model: "ollama/scripted",
  turns: [{ role: "user", parts: [{ type: "text", text: "What is there?" }] }],
  tools: [{ name: "list", description: "Lists a folder." }],
  mustCall: false,
  options: {},
};
const { signal } = new AbortController();

test("two askers share a server, another model replaces it, and a model without tools calls one", async () => {
  const { servers, starts } = await stage();
  const [first, second] = await Promise.all([
    servers.serving(["ollama/scripted"]),
    servers.serving(["ollama/scripted"]),
  ]);
  expect(first).toMatchObject({ ok: true });
  expect(second).toEqual(first);
  expect(starts).toHaveLength(1);
  const third = await servers.serving(["ollama/other"]);
  expect(starts).toHaveLength(2);
  if (!third.ok) throw new Error(third.problem);
  expect(await modelLimits(third.value, "ollama/scripted", signal)).toMatchObject({ tokens: 16_384 });
  const pieces = await collect(askModel(third.value, ask, signal));
  expect(pieces).toContainEqual(
    expect.objectContaining({ type: "call", name: "list", input: { folder: "src" } }),
  );
});

test("a program that cannot start says why, and is tried again at the next question", async () => {
  const wrong = { path: "/nowhere/node", words: [], env: {}, directory: tmpdir() };
  const { servers, starts } = await stage(wrong);
  for (const _ of [1, 2])
    expect(await servers.serving(["a/b"])).toMatchObject({
      ok: false,
      problem: expect.stringContaining("/nowhere/node"),
    });
  expect(starts).toHaveLength(2);
});
