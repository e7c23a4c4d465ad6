/** A home and sessions for a test whose command finds a real server. */

import { expect, onTestFinished } from "vitest";
import type { AgentSession } from "../../src/runtime/agent-session.ts";
import { openAgent, type Agent } from "../../src/runtime/open-agent.ts";
import { newHome, type Home } from "../support/command.ts";
import { startLlamaServer, type LlamaServer, type ServerOptions } from "./llama-server.ts";
import type { WeightsPackage } from "./packages.ts";

/** Few tools make short prompts: reading those takes most of the time. */
const fewTools = { tools: "read_file,edit_file" };
export const briefly = ["--model", "llamacpp", "--tools", fewTools.tools];

export async function placeWith(
  { env }: Pick<LlamaServer, "env">,
  files: Record<string, string> = {},
): Promise<Home> {
  const home = await newHome(files);
  return { ...home, env: { ...home.env, ...env } };
}

/** A server for one test. */
export async function ownServer(weights: WeightsPackage, options?: ServerOptions): Promise<LlamaServer> {
  const server = await startLlamaServer(weights, options);
  onTestFinished(() => server.kill());
  return server;
}

/** A session in this process, closed with the test. */
export async function agentIn(
  home: Home,
  settings: Record<string, string | number> = {},
  model = "llamacpp",
): Promise<Agent> {
  const { workspace, stateDir, env } = home;
  // What these sessions show holds for models of any size.
  const all = { ...fewTools, smallModel: "off", ...settings };
  const agent = await openAgent({ workspace, stateDir, env, model, settings: all });
  onTestFinished(() => agent.close());
  return agent;
}

/** Sends a request and resolves when the first words of its answer have been heard. */
export async function askUntilHeard(session: AgentSession, request: string): Promise<void> {
  const sent = await session.command({ type: "send", content: [{ type: "text", text: request }] });
  expect(sent).toEqual({ ok: true });
  const heard = new AbortController();
  for await (const event of session.follow(session.state.seq, heard.signal))
    if (event.type === "text-delta" || event.type === "call-delta") return;
}
