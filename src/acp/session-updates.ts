/** The events of one session as updates of the Agent Client Protocol, live and when a session is loaded again. */

import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { ContentBlock, PlanEntry, SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { JsonObject } from "../base/json.ts";
import type { Entry, FactOf, Signal } from "../protocol/facts.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { roughTitle } from "../view/blocks.ts";
import { revokedWords } from "../view/message-blocks.ts";
import { CallOutputs } from "./call-outputs.ts";
import { kindOf, locationsIn, previewContent, resultContent } from "./calls.ts";
import { terminalContent, terminalEnd, terminalOf, terminalOutput } from "./shown-terminals.ts";

/** What the client shows besides the least that every client shows. */
export type ClientShows = { notices: boolean; compactions: boolean; terminals: boolean };

type UpdatesSetup = {
  /** Absolute. */
  workspace: string;
  shows: ClientShows;
  /** Whether this client sent the message with that id, so that it shows it already. */
  isOwn: (messageId: string) => boolean;
};

/** `isTerminal`: what it prints goes to a terminal that the client shows. */
type ShownCall = { name: string; changes: readonly ToolCallContent[]; isTerminal?: true };

export class SessionUpdates {
  readonly #setup: UpdatesSetup;
  /** How much was told of the newest text or thought: its fact says all of it again. */
  #told = { block: 0, characters: 0 };
  #compactions = 0;
  /** Announced calls that have no result yet. */
  readonly #calls = new Map<string, ShownCall>();
  readonly #outputs = new CallOutputs();

  constructor(setup: UpdatesSetup) {
    this.#setup = setup;
  }

  /** For each call that has printed something since the last time: all of it, or its end. */
  printed(): SessionUpdate[] {
    return this.#outputs.news().map(({ callId, content, added }) => {
      const { changes = [], isTerminal } = this.#calls.get(callId) ?? {};
      if (isTerminal) return terminalOutput(callId, added);
      return { sessionUpdate: "tool_call_update", toolCallId: callId, content: [...changes, content] };
    });
  }

  /** What a call has changed, as diffs; they stay with the call. */
  changed(callId: string, changes: readonly ToolCallContent[]): SessionUpdate[] {
    const call = this.#calls.get(callId);
    if (!call || changes.length === 0) return [];
    this.#calls.set(callId, { ...call, changes });
    return [{ sessionUpdate: "tool_call_update", toolCallId: callId, content: [...changes] }];
  }

  signal(signal: Signal): SessionUpdate[] {
    switch (signal.type) {
      case "text-delta":
      case "reasoning-delta":
        return this.#growing(signal);
      case "call-delta":
        return this.#written(signal.callId, signal.name);
      case "output-delta":
        this.#outputs.hear(signal);
        return [];
      case "retrying":
        return this.#setup.shows.notices ? this.#notice("info", `Asking again: ${signal.because}`) : [];
      case "compacting":
        return this.#compacting(signal.state);
      default:
        return signal satisfies never;
    }
  }

  fact(fact: Entry): SessionUpdate[] {
    switch (fact.type) {
      case "user-message":
      case "steer":
        return this.#fromPerson(fact);
      case "text":
      case "reasoning":
        return this.#said(fact);
      case "call":
        return this.#called(fact.call);
      case "approval-asked":
        return this.#asked(fact);
      case "call-start":
        return this.#started(fact);
      case "result":
        return this.#result(fact);
      case "todos-set":
        return [{ sessionUpdate: "plan", entries: fact.items.map(todoEntry) }];
      case "question-asked":
        return fact.steps ? [{ sessionUpdate: "plan", entries: fact.steps.map(stepEntry) }] : [];
      case "child-started":
        return [childUpdate(fact)];
      case "turn-end":
        return this.#ended();
      default:
        return this.#aboutSession(fact);
    }
  }

  #aboutSession(fact: Entry): SessionUpdate[] {
    switch (fact.type) {
      case "mode-set":
        return [{ sessionUpdate: "current_mode_update", currentModeId: fact.mode }];
      case "session-renamed":
        return [{ sessionUpdate: "session_info_update", title: fact.title }];
      case "compaction":
        return this.#compacted(fact);
      case "warning":
        return this.#notice("warning", fact.text);
      case "grant-revoked":
        return this.#notice("info", revokedWords(fact));
      case "failure-detected":
        return this.#setup.shows.notices
          ? this.#notice("info", "The model seems to be stuck.", fact.text)
          : [];
      case "changes-undone": {
        const paths = fact.changes.map(({ path }) => path).join(", ");
        return this.#notice("info", `${fact.again ? "Redone" : "Undone"}: ${paths}`);
      }
      default:
        return [];
    }
  }

  #growing({
    type,
    block,
    offset,
    text,
  }: Signal & { type: "text-delta" | "reasoning-delta" }): SessionUpdate[] {
    const told = this.#toldOf(block);
    // What came before was not heard: the block is told again from its start, at the latest by its fact.
    if (offset > told || offset + text.length <= told) return [];
    this.#told = { block, characters: offset + text.length };
    return [
      chunk(
        type === "text-delta" ? "agent_message_chunk" : "agent_thought_chunk",
        block,
        text.slice(told - offset),
      ),
    ];
  }

  #said({ type, block, text }: FactOf<"text"> | FactOf<"reasoning">): SessionUpdate[] {
    const rest = text.slice(this.#toldOf(block));
    this.#told = { block, characters: text.length };
    return rest === ""
      ? []
      : [chunk(type === "text" ? "agent_message_chunk" : "agent_thought_chunk", block, rest)];
  }

  #toldOf(block: number): number {
    return this.#told.block === block ? this.#told.characters : 0;
  }

  #fromPerson({ content, id, queued }: FactOf<"user-message"> | FactOf<"steer">): SessionUpdate[] {
    const messageId = id ?? queued;
    if (messageId !== undefined && this.#setup.isOwn(messageId)) return [];
    return content.map((part) => ({
      sessionUpdate: "user_message_chunk",
      content: blockOf(part, this.#setup.workspace),
    }));
  }

  #written(callId: string, name: string): SessionUpdate[] {
    if (callId === "" || name === "" || this.#calls.has(callId)) return [];
    this.#calls.set(callId, { name, changes: [] });
    return [
      {
        sessionUpdate: "tool_call",
        toolCallId: callId,
        title: name,
        name,
        kind: kindOf(name),
        status: "pending",
        ...this.#terminal(name, callId),
      },
    ];
  }

  #terminal(name: string, callId: string, input: JsonObject = {}): ReturnType<typeof terminalOf> {
    return this.#setup.shows.terminals ? terminalOf(name, callId, input, this.#setup.workspace) : {};
  }

  #called(call: FactOf<"call">["call"]): SessionUpdate[] {
    const { id, name, input } = call;
    const isAnnounced = this.#calls.has(id);
    this.#calls.set(id, { name, changes: [] });
    const about = {
      toolCallId: id,
      title: roughTitle(call),
      name,
      kind: kindOf(name),
      rawInput: input,
      locations: locationsIn(input, this.#setup.workspace),
    };
    return [
      isAnnounced
        ? { sessionUpdate: "tool_call_update", ...about }
        : { sessionUpdate: "tool_call", ...about, status: "pending", ...this.#terminal(name, id, input) },
    ];
  }

  #asked({ callId, title, preview, changes = [] }: FactOf<"approval-asked">): SessionUpdate[] {
    const content = previewContent(preview, changes.length > 0, this.#setup.workspace);
    return [{ sessionUpdate: "tool_call_update", toolCallId: callId, title, content }];
  }

  #started({ callId, title, does }: FactOf<"call-start">): SessionUpdate[] {
    const call = this.#calls.get(callId);
    const kind = kindOf(call?.name ?? "", does);
    const isTerminal = this.#setup.shows.terminals && call && kindOf(call.name) === "execute";
    if (isTerminal) this.#calls.set(callId, { ...call, isTerminal });
    const content = isTerminal ? { content: [terminalContent(callId)] } : {};
    return [
      {
        sessionUpdate: "tool_call_update",
        toolCallId: callId,
        title,
        kind,
        status: "in_progress",
        ...content,
      },
    ];
  }

  #result(result: FactOf<"result">): SessionUpdate[] {
    const { callId, outcome, title, metadata } = result;
    const { changes = [], isTerminal } = this.#calls.get(callId) ?? {};
    this.#calls.delete(callId);
    const { printed, added } = this.#outputs.over(callId);
    const end = isTerminal ? terminalEnd(result, printed) : undefined;
    const shown = end ? [terminalContent(callId)] : [];
    return [
      ...(end && added !== "" ? [terminalOutput(callId, added)] : []),
      ...(end?.output ?? []),
      {
        sessionUpdate: "tool_call_update",
        toolCallId: callId,
        status: outcome === "ok" ? "completed" : "failed",
        content: [...changes, ...shown, ...resultContent(end?.rest ?? result.content)],
        rawOutput: metadata === undefined ? { outcome } : { outcome, metadata },
        ...end?.exit,
        ...(title === undefined ? {} : { title }),
      },
    ];
  }

  /** Calls that the model never finished writing end with their turn. */
  #ended(): SessionUpdate[] {
    const left = [...this.#calls.keys()];
    this.#calls.clear();
    return left.map((toolCallId) => ({ sessionUpdate: "tool_call_update", toolCallId, status: "failed" }));
  }

  #compacting(state: "begun" | "given-up"): SessionUpdate[] {
    if (!this.#setup.shows.compactions) return [];
    const compactionId = compactionName(this.#compactions + 1);
    const status = state === "begun" ? "in_progress" : "failed";
    return [{ sessionUpdate: "compaction_update", compactionId, status }];
  }

  #compacted({ summary, tokensBefore, tokensAfter }: FactOf<"compaction">): SessionUpdate[] {
    this.#compactions += 1;
    if (!this.#setup.shows.compactions)
      return this.#notice(
        "info",
        `The conversation was shortened for the model, from ${tokensBefore} to ${tokensAfter} tokens. The log keeps everything.`,
      );
    return [
      {
        sessionUpdate: "compaction_update",
        compactionId: compactionName(this.#compactions),
        status: "completed",
        summary: [{ type: "text", text: summary }],
      },
    ];
  }

  /** Where the client shows no notices it is a message like the others. */
  #notice(severity: "info" | "warning", title: string, description?: string): SessionUpdate[] {
    if (title === "") return [];
    if (this.#setup.shows.notices)
      return [
        { sessionUpdate: "notice", severity, title, ...(description === undefined ? {} : { description }) },
      ];
    const text = `\n> ${title.replaceAll("\n", "\n> ")}\n\n`;
    return [{ sessionUpdate: "agent_message_chunk", content: { type: "text", text } }];
  }
}

const compactionName = (count: number): string => `compaction-${count}`;

const chunk = (
  sessionUpdate: "agent_message_chunk" | "agent_thought_chunk",
  block: number,
  text: string,
): SessionUpdate => ({ sessionUpdate, content: { type: "text", text }, messageId: `block-${block}` });

function blockOf(part: ContentPart, workspace: string): ContentBlock {
  if (part.type === "image") return { type: "image", mimeType: part.mediaType, data: part.data };
  if (part.file === undefined) return { type: "text", text: part.typed ?? part.text };
  return { type: "resource_link", name: part.file, uri: pathToFileURL(resolve(workspace, part.file)).href };
}

const todoStatus = { open: "pending", doing: "in_progress", done: "completed" } as const;

const todoEntry = ({ text, state }: FactOf<"todos-set">["items"][number]): PlanEntry => ({
  content: text,
  priority: "medium",
  status: todoStatus[state],
});

const stepEntry = ({ title }: { title: string }): PlanEntry => ({
  content: title,
  priority: "medium",
  status: "pending",
});

/** A subagent: its session can be loaded like any other. */
const childUpdate = ({ callId, session, agent, task }: FactOf<"child-started">): SessionUpdate => ({
  sessionUpdate: "tool_call_update",
  toolCallId: callId,
  title: agent === undefined ? task : `${agent}: ${task}`,
  _meta: { toolwright: { session } },
});
