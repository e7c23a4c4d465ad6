/** Tests what doctor says of models that are there and are not chosen. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadConfig } from "../../configuration/config.ts";
import { parseArguments } from "../../configuration/options/arguments.ts";
import { scriptedModel } from "../../providers/scripted-model.ts";
import { serveModel } from "../../testing/scripted-server.ts";
import { testTerminal } from "../../tui/testing/terminal.ts";
import { dialectFinding, models } from "./models.ts";

test("doctor names the best way of a measured model, and none if nothing worked", () => {
  const measured = (dialect: string, right: number) => ({
    dialect,
    counts: { calls: 0, repairs: 0, refusals: 0 },
    measured: {
      dialect,
      right,
      at: 0,
      tasks: 22,
      repaired: 0,
      unreadable: 0,
      inputTokens: 0,
      outputTokens: 0,
      medianMs: 1,
    },
  });
  const key = { server: "http://127.0.0.1:1", model: "m", template: "" };
  const words = (...right: number[]): string =>
    dialectFinding([{ ...key, dialects: right.map((each, at) => measured(`way-${at}`, each)) }]).words;
  expect(words(3, 20)).toBe("measured: m (best: way-1, 20/22 tasks)");
  expect(words(0, 0)).toBe("measured: m (no way worked, 0/22 tasks)");
});

test("when a server has models and a session would begin with none, doctor says so and what to do", async () => {
  const home = await mkdtemp(join(tmpdir(), "toolwright-home-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const served = await serveModel(scriptedModel([], { name: "tiny" }));
  onTestFinished(() => served.close());
  const nothing = "http://127.0.0.1:1";
  const env = {
    HOME: home,
    OLLAMA_HOST: nothing,
    LMSTUDIO_BASE_URL: nothing,
    LLAMACPP_BASE_URL: nothing,
    VLLM_BASE_URL: `${served.url}/v1`,
    SGLANG_BASE_URL: `${served.url}/v1`,
  };
  const parsed = parseArguments(["doctor"], env);
  if (!parsed.ok) throw new Error(parsed.problem);
  const settings = await loadConfig({ arguments: parsed.value, env, cwd: home });
  if (!settings.ok) throw new Error(settings.problem);
  const found = await models({ settings: settings.value, terminal: testTerminal({ env, cwd: home }) });
  expect(found.filter(({ check }) => check.startsWith("model"))).toEqual([
    { check: "models", state: "ok", words: "2 within reach (vllm, sglang)" },
    {
      check: "model",
      state: "warn",
      words:
        "No model is chosen. There are vllm/tiny, sglang/tiny: choose one, such as vllm/tiny, with --model.",
    },
  ]);
});
