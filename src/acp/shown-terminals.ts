/**
 * Commands as terminals that the client only shows. What it reads of `_meta` is no part of the protocol, but a custom
 * of editors (Zed) and agents: a client says `_meta.terminal_output` among its capabilities.
 */

import { resolve } from "node:path";
import type { SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { JsonObject } from "../base/json.ts";
import type { FactOf } from "../protocol/facts.ts";
import { textOf } from "../protocol/messages.ts";
import { kindOf } from "./calls.ts";

type Meta = { _meta?: Record<string, unknown> };

/** Told with a call's first update, the only one in which clients look for it. */
export function terminalOf(name: string, callId: string, input: JsonObject, workspace: string): Meta {
  if (kindOf(name) !== "execute") return {};
  const cwd = typeof input["cwd"] === "string" ? resolve(workspace, input["cwd"]) : workspace;
  return { _meta: { terminal_info: { terminal_id: callId, cwd } } };
}

export const terminalContent = (terminalId: string): ToolCallContent => ({ type: "terminal", terminalId });

export const terminalOutput = (callId: string, data: string): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: callId,
  _meta: { terminal_output: { terminal_id: callId, data } },
});

/**
 * What the terminal still lacks of the result, and how the command ended. `rest`: what is shown beside it, as it does
 * not continue what was printed.
 */
export function terminalEnd(
  { callId, outcome, content }: FactOf<"result">,
  printed: string,
): { output: SessionUpdate[]; rest: FactOf<"result">["content"]; exit: Meta } {
  const shown = content.filter((part) => part.type !== "text" || part.for !== "model");
  const words = textOf(shown);
  const before = printed.replace(/\n$/u, "");
  const continues = words.startsWith(before);
  const more = continues ? words.slice(before.length).replace(/^\n/u, "") : "";
  const gap = more === "" || printed === "" || printed.endsWith("\n") ? "" : "\n";
  const [, code] = /(?:^|\n)Exit code: (\d+)$/u.exec(words) ?? [];
  const [, signal = null] = /(?:^|\n)Ended by signal (\w+)$/u.exec(words) ?? [];
  const exitCode = code === undefined ? (outcome === "ok" ? 0 : null) : Number(code);
  return {
    output: more === "" ? [] : [terminalOutput(callId, `${gap}${more}\n`)],
    rest: continues ? shown.filter(({ type }) => type !== "text") : content,
    exit: { _meta: { terminal_exit: { terminal_id: callId, exit_code: exitCode, signal } } },
  };
}
