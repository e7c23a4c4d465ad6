/** The stable protocol's updates and questions in the words of its second version, which is a draft. */

import type * as stable from "@agentclientprotocol/sdk";
import { ElicitationPropertySchema } from "@agentclientprotocol/sdk";
import type * as draft from "@agentclientprotocol/sdk/experimental/v2";
import { createTwoFilesPatch } from "diff";

/** `unnamed`: the id of a message that has none. Undefined for what the draft tells in other ways. */
export function draftUpdate(update: stable.SessionUpdate, unnamed: string): draft.SessionUpdate | undefined {
  switch (update.sessionUpdate) {
    case "user_message_chunk":
      return { sessionUpdate: "user_message_chunk", ...draftChunk(update, unnamed) };
    case "agent_message_chunk":
      return { sessionUpdate: "agent_message_chunk", ...draftChunk(update, unnamed) };
    case "agent_thought_chunk":
      return { sessionUpdate: "agent_thought_chunk", ...draftChunk(update, unnamed) };
    case "tool_call":
    case "tool_call_update":
      return { sessionUpdate: "tool_call_update", ...draftCall(update) };
    case "plan":
      return {
        sessionUpdate: "plan_update",
        plan: { type: "items", planId: "plan", entries: update.entries },
      };
    case "available_commands_update":
      return {
        sessionUpdate: "available_commands_update",
        availableCommands: update.availableCommands.map(draftCommand),
      };
    case "config_option_update":
      return {
        sessionUpdate: "config_option_update",
        configOptions: update.configOptions.flatMap(draftOption),
      };
    case "current_mode_update":
      return undefined; // a configuration option
    default:
      return update;
  }
}

const draftChunk = ({ messageId, content }: stable.ContentChunk, unnamed: string): draft.ContentChunk => ({
  messageId: messageId ?? unnamed,
  content,
});

const draftCommand = ({ name, description, input }: stable.AvailableCommand): draft.AvailableCommand => ({
  type: "command",
  name,
  description,
  ...(input ? { input: { type: "text", hint: input.hint } } : {}),
});

function draftCall({
  toolCallId,
  name,
  title,
  kind,
  status,
  content,
  locations,
  rawInput,
  rawOutput,
}: stable.ToolCallUpdate): draft.ToolCallUpdate {
  const all = {
    name,
    title,
    kind,
    status,
    content: content?.map(draftContent),
    locations,
    rawInput,
    rawOutput,
  };
  return {
    toolCallId,
    ...Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
  };
}

/** Comparing two texts takes this long at most, in milliseconds. */
const patchMs = 200;

function draftContent(content: stable.ToolCallContent): draft.ToolCallContent {
  if (content.type !== "diff") return content;
  const { path, oldText, newText } = content;
  const change: draft.DiffChange =
    typeof oldText === "string" ? { operation: "modify", path } : { operation: "add", path };
  const names = [typeof oldText === "string" ? path : "/dev/null", path] as const;
  const text = createTwoFilesPatch(...names, oldText ?? "", newText, "", "", { timeout: patchMs });
  return { type: "diff", changes: [change], ...(text ? { patch: { format: "git_patch", text } } : {}) };
}

/** We have no other kind. */
export function draftOption(option: stable.SessionConfigOption): draft.SessionConfigOption[] {
  if (option.type !== "select") return [];
  const { id, name, category, currentValue, options } = option;
  const choices = options.flatMap((one) => ("value" in one ? [one] : one.options));
  return [{ type: "select", configId: id, name, category, currentValue, options: choices }];
}

export function draftPermission({
  sessionId,
  toolCall,
  options,
}: stable.RequestPermissionRequest): draft.RequestPermissionRequest {
  return {
    sessionId,
    title: toolCall.title ?? "May this be done?",
    subject: { type: "tool_call", toolCall: draftCall(toolCall) },
    options,
  };
}

/** Our forms have texts only. */
export function draftSchema({
  properties = {},
  required,
}: stable.ElicitationSchema): draft.ElicitationSchema {
  const texts = Object.entries(properties).flatMap(([name, property]) => {
    if (!ElicitationPropertySchema.isString(property)) return [];
    const { title, enum: values, maxLength } = property;
    return [[name, { type: "string" as const, title, enum: values, maxLength }] as const];
  });
  return { type: "object", properties: Object.fromEntries(texts), required: required ?? [] };
}
