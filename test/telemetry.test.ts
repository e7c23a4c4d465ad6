/** Telemetry over the wire: what the language-model server and the gateway's sessions export to a real collector. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { runCli } from "../src/cli/main.ts";
import { scriptedModel } from "../src/providers/scripted-model.ts";
import { followUntil, testHost } from "../src/testing/host.ts";
import { testTerminal } from "../src/tui/testing/terminal.ts";
import { attributeOf, otlpReceiver, type ReceivedSpan } from "./support/otlp.ts";

async function newHome(): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), "toolwright-telemetry-"));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  return home;
}

const nowhere = { OLLAMA_HOST: "http://127.0.0.1:9", LMSTUDIO_BASE_URL: "http://127.0.0.1:9" };
const named = (spans: readonly ReceivedSpan[], name: string): ReceivedSpan[] =>
  spans.filter((span) => span.name === name);

test("lm-server exports its requests and model calls in the caller's trace", async () => {
  const collector = await otlpReceiver();
  const home = await newHome();
  const terminal = testTerminal({ env: { HOME: home, ...nowhere }, cwd: home });
  const flags = ["--offline-model", "--port", "0", "--telemetry", collector.path];
  const running = runCli(["lm-server", ...flags], terminal);
  await terminal.until("Ctrl-C stops it.");
  const [url = ""] = /http:\/\/127\.0\.0\.1:\d+/u.exec(terminal.printed()) ?? [];
  const [, key = ""] = /OPENAI_API_KEY=(\S+)/u.exec(terminal.printed()) ?? [];
  const [traceId, spanId] = ["ab".repeat(16), "cd".repeat(8)];
  const ask = async (traceparent: string, token = key): Promise<number> => {
    const response = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "x-api-key": token, "content-type": "application/json", traceparent },
      body: JSON.stringify({
        model: "claude",
        max_tokens: 9,
        messages: [{ role: "user", content: "canary-words" }],
      }),
    });
    await response.text();
    return response.status;
  };
  expect(await ask(`00-${traceId}-${spanId}-01`)).toBe(200);
  expect(await ask(`00-${"f".repeat(9_000)}`)).toBe(200);
  expect(await ask(`00-${traceId}-${spanId}-01`, "no token of ours")).toBe(401);
  terminal.raise("SIGTERM");
  expect(await running).toBe(0);

  const { spans, measured } = collector;
  const [continued, own] = named(spans, "POST /v1/messages");
  expect(named(spans, "POST /v1/messages")).toHaveLength(2);
  expect(continued).toMatchObject({ traceId, parentSpanId: spanId, kind: 2 });
  expect(own?.parentSpanId).toBeUndefined();
  expect(own?.traceId).not.toBe(traceId);
  const asked = spans.filter(({ kind }) => kind === 3);
  expect(asked.map(({ parentSpanId }) => parentSpanId)).toEqual([continued?.spanId, own?.spanId]);
  expect(asked.map((span) => attributeOf(span, "gen_ai.operation.name"))).toEqual(["chat", "chat"]);
  for (const name of [
    "gen_ai.server.request.duration",
    "gen_ai.client.operation.duration",
    "gen_ai.server.time_to_first_token",
    "http.server.request.duration",
  ])
    expect(measured).toContain(name);
  expect(JSON.stringify(spans)).not.toContain("canary-words");
  expect(JSON.stringify(spans)).not.toContain(key);
});

test("gateway sessions export their turns and model calls, like command-line sessions", async () => {
  const collector = await otlpReceiver();
  const made = await testHost(scriptedModel([[{ say: "Hello there." }]]), {
    flags: ["--telemetry", collector.path],
  });
  onTestFinished(() => made.remove());
  const session = await made.host.create({});
  if (!session.ok) throw new Error(session.problem);
  const { id } = session.value;
  const ended = followUntil(made.host, id, ({ type }) => type === "turn-end");
  await made.host.command(id, { type: "send", content: [{ type: "text", text: "Hello" }] });
  await ended;
  await made.close();
  const [turn] = named(collector.spans, "invoke_agent toolwright");
  expect(turn && attributeOf(turn, "gen_ai.conversation.id")).toBe(id);
  expect(named(collector.spans, "chat model").map(({ parentSpanId }) => parentSpanId)).toEqual([
    turn?.spanId,
  ]);
});

test("lm-server loads no telemetry code when telemetry is off", async () => {
  const home = await newHome();
  const hook = join(home, "hook.mjs");
  await writeFile(
    hook,
    `import { registerHooks } from "node:module";
     registerHooks({
       resolve(name, context, next) {
         if (/opentelemetry|addons\\/telemetry|telemetry\\/open/u.test(name)) process.stderr.write("LOADED " + name + "\\n");
         return next(name, context);
       },
     });`,
  );
  const bin = join(import.meta.dirname, "../src/cli/bin.ts");
  const argv = ["--no-warnings", "--import", hook, bin, "lm-server", "--offline-model", "--port", "0"];
  const env = { HOME: home, PATH: process.env["PATH"] ?? "", ...nowhere };
  const child = spawn(process.execPath, argv, { env, cwd: home });
  onTestFinished(() => void child.kill("SIGKILL"));
  let told = "";
  let said = "";
  child.stderr.on("data", (piece: Buffer) => (told += piece.toString()));
  const ended = once(child, "close");
  for await (const piece of child.stdout) {
    said += String(piece);
    if (said.includes("Ctrl-C stops it.")) child.kill("SIGTERM");
  }
  await ended;
  expect(said).toContain("Ctrl-C stops it.");
  expect(told).not.toContain("LOADED");
});
