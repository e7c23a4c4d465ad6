/** Our own tools, as listed for a client and called by it. */

import type { CallToolResult, ContentBlock, Tool as ToolTold } from "@modelcontextprotocol/server";
import type { JsonObject } from "../base/json.ts";
import { everyTool, webTools } from "../configuration/addon-tools.ts";
import type { Does } from "../protocol/facts.ts";
import { filesOfCall } from "../protocol/fold-changes.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { askUser } from "../tools/ask-user.ts";
import { tools } from "../tools/index.ts";
import { todos } from "../tools/todos.ts";
import type { Tool } from "../tools/tool.ts";
import type { CallStop } from "./direct-calls.ts";
import { adviceUnasked, problem } from "./outcome.ts";
import { progressFor } from "./progress.ts";
import { answerTo, askFor, type ClientAnswers, type RoundState } from "./rounds.ts";
import type { SessionToolContext, ToolReply } from "./session-tool.ts";

/** Tools between a model and its user, and the model's to-do list, are useless to another program. */
const forModels: ReadonlySet<Tool> = new Set([askUser, todos]);
const isForPrograms = (tool: Tool): boolean =>
  tool.modes === undefined && tool.does !== "delegate" && !forModels.has(tool);

/** Includes tools unavailable in this workspace: the session reports that when the tool is called. */
export const ownTool = (name: string): Tool | undefined =>
  everyTool.find((tool) => tool.name === name && isForPrograms(tool));

/** `here`: additional tools that are available in this workspace. */
export const ownToolsTold = (here: readonly Tool[]): ToolTold[] =>
  [...tools, ...here].filter(isForPrograms).map(({ name, summary, schema, does }) => ({
    name,
    description: summary,
    inputSchema: asObjectSchema(schema),
    annotations: { ...hintsOf(does), ...(reachesOut(name) ? { openWorldHint: true } : {}) },
  }));

const reachesOut = (name: string): boolean => webTools.some((tool) => tool.name === name);

const asObjectSchema = (schema: JsonObject) => ({ ...schema, type: "object" as const });

function hintsOf(does: Does) {
  switch (does) {
    case "read":
      return { readOnlyHint: true, openWorldHint: false };
    case "change":
      return { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false };
    case "execute":
    case "delegate":
      return { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true };
    default:
      return does satisfies never;
  }
}

export async function callOwnTool(
  tool: Tool,
  input: JsonObject,
  given: SessionToolContext,
): Promise<ToolReply> {
  const { surface, context, canAsk, by } = given;
  const { signal, requestState, inputResponses = {} } = context.mcpReq;
  const round = requestState<RoundState>();
  const progress = progressFor(context);
  try {
    const id = round === undefined ? begin() : round.kind === "call" ? round.call : undefined;
    if (id === undefined) return problem("What was brought back belongs to another call.");
    if (typeof id !== "string") return id;
    const cancel = (): void => surface.calls.cancel(id);
    signal.addEventListener("abort", cancel, { once: true });
    if (signal.aborted) cancel();
    try {
      return await waitFor(id, round && inputResponses);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  } finally {
    progress.end();
  }

  function begin(): string | CallToolResult {
    const reads = tool.does === "read";
    const begun = surface.calls.begin({ name: tool.name, input, reads, canAsk, heard: progress.heard });
    return begun.ok ? begun.value : problem(begun.problem);
  }

  async function waitFor(id: string, answers?: ClientAnswers): Promise<ToolReply> {
    surface.unanswered.over(id);
    let stop = await surface.calls.stop(id);
    if (answers && stop?.type === "waits") {
      for (const asked of stop.asked) {
        const command = answerTo(asked, answers, by);
        if (command) await surface.calls.answer(id, asked, command);
      }
      stop = await surface.calls.stop(id);
    }
    if (stop === undefined) return problem("This call is over already.");
    if (stop.type !== "waits") return resultOf(stop);
    const round: RoundState = { kind: "call", session: stop.session, call: id };
    const { host } = surface.calls;
    const gone = (): void => surface.calls.cancel(id);
    return askFor(stop.asked, { round, host, gone, goOn: (told) => waitFor(id, told) }, given);
  }
}

function resultOf(stop: Exclude<CallStop, { type: "waits" }>): CallToolResult {
  if (stop.type === "failed") return problem(stop.problem);
  const { result, session, turn, changes, isUnasked } = stop;
  const changed = filesOfCall(changes);
  return {
    content: [
      ...result.content.map(asContent),
      ...(isUnasked ? [{ type: "text" as const, text: adviceUnasked }] : []),
    ],
    ...(result.outcome === "ok" ? {} : { isError: true }),
    _meta: {
      "toolwright/session": session,
      "toolwright/turn": turn,
      "toolwright/outcome": result.outcome,
      ...(changed.length === 0 ? {} : { "toolwright/changed": changed }),
      "toolwright/metadata": result.metadata,
    },
  };
}

const asContent = (part: ContentPart): ContentBlock =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image", data: part.data, mimeType: part.mediaType };
