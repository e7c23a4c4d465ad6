/** Formats message contents as the conventions require; opt-in, and with secrets redacted. */

import { otherProgramBounds } from "../../base/bounds.ts";
import type { EnvironmentVariables } from "../../base/environment-variables.ts";
import { type Redact, redactedJson } from "../../base/redact.ts";
import type { AssistantPart, ToolCall, Message, ContentPart } from "../../protocol/messages.ts";
import { contentVariable } from "./names.ts";

/** Undefined if contents are not to be recorded. */
export type Capture = ((value: unknown) => string) | undefined;

export function captureFor(env: EnvironmentVariables, redact: Redact): Capture {
  const wanted = (env[contentVariable] ?? "").trim().toLowerCase();
  if (wanted === "" || wanted === "false" || wanted === "0" || wanted === "no_content") return undefined;
  return (value) => redactedJson(value, redact).slice(0, otherProgramBounds.text.most);
}

const message = (role: string, parts: readonly object[]): object[] => [{ role, parts }];

/** Images are recorded by their type only. */
const partOf = (part: ContentPart): object =>
  part.type === "text"
    ? { type: "text", content: part.text }
    : { type: "blob", modality: "image", mime_type: part.mediaType };

export const userMessage = (content: readonly ContentPart[]): object[] =>
  message("user", content.map(partOf));

export const answerContent = (texts: readonly string[], calls: readonly ToolCall[]): object[] =>
  message("assistant", [...texts.map((content) => ({ type: "text", content })), ...calls.map(calledPart)]);

const calledPart = ({ id, name, input }: ToolCall): object => ({
  type: "tool_call",
  id,
  name,
  arguments: input,
});

/** The whole conversation as it is sent to the model. */
export const conversationContent = (messages: readonly Message[]): object[] =>
  messages.flatMap((one) => {
    switch (one.role) {
      case "user":
        return userMessage(one.content);
      case "assistant":
        return message("assistant", one.content.map(assistantPart));
      case "tool":
        return message("tool", [
          { type: "tool_call_response", id: one.callId, response: one.content.map(partOf) },
        ]);
      default:
        return one satisfies never;
    }
  });

const assistantPart = (part: AssistantPart): object =>
  part.type === "call" ? calledPart(part.call) : { type: part.type, content: part.text };

export const resultContent = (content: readonly ContentPart[]): object[] => content.map(partOf);
