/** The questions put to hooks, and their JSON: our field names first, then those of other agents. */

import { join, resolve } from "node:path";
import type { CallDescription, ChangeDescription, ResultDescription } from "../../agent/extensions.ts";
import { otherProgramBounds } from "../../base/bounds.ts";
import type { JsonObject } from "../../base/json.ts";
import type { FactOf } from "../../protocol/facts.ts";
import { type ContentPart, textOf } from "../../protocol/messages.ts";
import type { Hook } from "./hook.ts";
import { type ToldBesides, withOthersNames, withOwnNames } from "./others-arguments.ts";

/** `call`, `change`: what the hook decides about; `heldBack`: how often hooks have prevented this turn from ending. */
export type HookQuestion =
  | { event: "session-start"; isResumed: boolean }
  | { event: "session-end" }
  | { event: "prompt"; content: readonly ContentPart[] }
  | { event: "before-call"; call: CallDescription }
  | { event: "after-call"; call: ResultDescription }
  | { event: "before-change" | "after-change"; change: ChangeDescription; diff: string }
  | { event: "approval-asked"; question: FactOf<"approval-asked"> }
  | { event: "turn-end"; stopped: string; text: string; heldBack: number }
  | { event: "compaction"; because: string };

/** Other agents' names for the cause of an event, which their matchers select on. */
export const occasions: Readonly<Partial<Record<HookQuestion["event"], readonly string[]>>> = {
  "session-start": ["startup", "resume"],
  "session-end": ["other"],
  "approval-asked": ["permission_prompt"],
  compaction: ["manual", "auto"],
};

export function occasionOf(asked: HookQuestion): string | undefined {
  const [one, other] = occasions[asked.event] ?? [];
  if (asked.event === "after-call") return asked.call.outcome === "ok" ? "ok" : "failed";
  if (asked.event === "session-start") return asked.isResumed ? other : one;
  if (asked.event === "compaction") return asked.because === "person" ? one : other;
  return one;
}

export type HookSession = { session: string; parent?: string; workspace: string };

/** `calls`: the hook's name for the tool; `path`: the file in question, for a call about several files. */
type HookInput = {
  asked: HookQuestion;
  place: HookSession;
  calls?: string | undefined;
  path?: string | undefined;
};

/** The JSON that a hook receives on standard input or by POST. */
export function toldTo(hook: Hook, { asked, place, calls, path }: HookInput): JsonObject {
  const { session, parent, workspace } = place;
  return {
    event: asked.event,
    hook: hook.name,
    session,
    ...(parent === undefined ? {} : { parent }),
    workspace,
    ...detailsOf(asked),
    session_id: session,
    cwd: workspace,
    hook_event_name: hook.foreign ?? asked.event,
    ...(parent === undefined ? {} : { agent_id: session }),
    ...othersDetails(asked, { calls, path, workspace }),
  };
}

function detailsOf(asked: HookQuestion): JsonObject {
  switch (asked.event) {
    case "session-start":
      return { resumed: asked.isResumed };
    case "session-end":
      return {};
    case "prompt":
      return { text: textOf(asked.content) };
    case "before-call":
      return { call: callIn(asked.call) };
    case "after-call": {
      const { outcome, content } = asked.call;
      return { call: callIn(asked.call), result: { outcome, text: shortenText(textOf(content)) } };
    }
    case "before-change":
    case "after-change": {
      const { callId, tool, files } = asked.change;
      return { call: { id: callId, tool }, files: files.map(fileIn), diff: shortenText(asked.diff) };
    }
    case "approval-asked": {
      const { callId, title, because, risk, preview } = asked.question;
      return { call: { id: callId, title }, because, risk, preview: shortenText(preview) };
    }
    case "turn-end":
      return { stopped: asked.stopped, text: shortenText(asked.text), heldBack: asked.heldBack };
    case "compaction":
      return { because: asked.because };
    default:
      return asked satisfies never;
  }
}

const callIn = ({ callId, tool, title, input, paths }: CallDescription): JsonObject => ({
  id: callId,
  tool,
  title,
  input,
  paths: [...paths],
});

const fileIn = ({ path, before, after, added, removed }: ChangeDescription["files"][number]): JsonObject => ({
  path,
  change: before === null ? "created" : after === null ? "deleted" : "changed",
  added,
  removed,
});

type OthersView = { calls: string | undefined; path: string | undefined; workspace: string };

/** The fields that scripts written for other agents expect. */
function othersDetails(asked: HookQuestion, view: OthersView): JsonObject {
  const { calls, workspace } = view;
  switch (asked.event) {
    case "session-start":
      return { source: asked.isResumed ? "resume" : "startup" };
    case "session-end":
      return { reason: "other" };
    case "prompt":
      return { prompt: textOf(asked.content) };
    case "before-call":
      return othersCall(asked.call, view);
    case "after-call": {
      const { outcome, content } = asked.call;
      const output = shortenText(textOf(content));
      const told = { ...othersCall(asked.call, view), tool_response: { success: outcome === "ok", output } };
      return outcome === "ok" ? told : { ...told, error: output };
    }
    case "before-change":
    case "after-change": {
      const [file] = asked.change.files;
      const input: JsonObject = file ? { file_path: join(workspace, file.path) } : {};
      return { tool_name: calls ?? asked.change.tool, tool_input: input };
    }
    case "approval-asked":
      return { message: `Toolwright asks: ${asked.question.title}`, notification_type: "permission_prompt" };
    case "turn-end":
      return { stop_hook_active: asked.heldBack > 0, last_assistant_message: shortenText(asked.text) };
    case "compaction":
      return { trigger: asked.because === "person" ? "manual" : "auto", custom_instructions: "" };
    default:
      return asked satisfies never;
  }
}

const othersCall = (call: CallDescription, { calls, path, workspace }: OthersView): JsonObject => ({
  tool_name: calls ?? call.tool,
  tool_input: withOthersNames(call.input, besides(call, workspace, path)),
  tool_use_id: call.callId,
});

/** Other agents pass absolute file paths. */
function besides(call: CallDescription, workspace: string, path = fileOf(call)): ToldBesides {
  return { file: path === undefined ? undefined : resolve(workspace, path), command: call.command };
}

/** Arguments as changed by a hook of another agent's format, translated back to our names. */
export const withOwnInput = (
  changed: JsonObject,
  call: CallDescription,
  { workspace, path }: { workspace: string; path?: string | undefined },
): JsonObject => withOwnNames(changed, call.input, besides(call, workspace, path));

function shortenText(text: string): string {
  const most = otherProgramBounds.text.most;
  if (text.length <= most) return text;
  return `${text.slice(0, most).toWellFormed()}\n[${text.length - most} more characters]`;
}

/** Environment variables for hooks that do not parse JSON. */
export function variablesOf(hook: Hook, asked: HookQuestion, place: HookSession): Record<string, string> {
  const call = "call" in asked ? asked.call : "change" in asked ? asked.change : undefined;
  const path = "change" in asked ? asked.change.files[0]?.path : call && "input" in call && fileOf(call);
  const variables = {
    TOOLWRIGHT_HOOK_EVENT: asked.event,
    TOOLWRIGHT_HOOK_NAME: hook.name,
    TOOLWRIGHT_HOOK_SESSION: place.session,
    TOOLWRIGHT_HOOK_WORKSPACE: place.workspace,
    TOOLWRIGHT_HOOK_TOOL: call?.tool,
    TOOLWRIGHT_HOOK_CALL: call?.callId,
    TOOLWRIGHT_HOOK_PATH: typeof path === "string" ? path : undefined,
    CLAUDE_PROJECT_DIR: place.workspace,
  };
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value.replaceAll("\0", "").slice(0, longestVariable)]],
    ),
  );
}

/** A command's `paths` hold its working directory, which is no file it is about. */
const fileOf = ({ input, paths, command }: CallDescription): string | undefined =>
  typeof input["path"] === "string" ? input["path"] : command === undefined ? paths[0] : undefined;

const longestVariable = 4_000;
