/** VS Code's messages as turns: the only place that knows the classes of their parts. */

import * as vscode from "vscode";
import { isObject } from "../../../../../src/base/json.ts";
import type { ChatAsk, ChatPart, ChatTurn } from "../../common/language-model/chat-parts.ts";
import type { RequestMessage, ResponseOptions } from "./chat-provider-api.ts";

export function chatAsk(
  model: string,
  messages: readonly RequestMessage[],
  { tools = [], toolMode, modelOptions = {} }: ResponseOptions,
): ChatAsk {
  return {
    model,
    turns: messages.map(turnOf),
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, schema: inputSchema })),
    mustCall: toolMode === vscode.LanguageModelChatToolMode.Required,
    options: modelOptions,
  };
}

const turnOf = ({ role, content }: RequestMessage): ChatTurn => ({
  role: roleOf(role),
  parts: partsIn(content),
});

/** Beyond the two that are documented there is one for system messages. */
function roleOf(role: number): ChatTurn["role"] {
  const user: number = vscode.LanguageModelChatMessageRole.User;
  const assistant: number = vscode.LanguageModelChatMessageRole.Assistant;
  if (role === user) return "user";
  return role === assistant ? "assistant" : "system";
}

export const partsIn = (content: RequestMessage["content"]): ChatPart[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content.flatMap(partOf);

/** Parts of kinds that are not known, such as a model's thoughts, are left out. */
function partOf(part: unknown): ChatPart[] {
  if (part instanceof vscode.LanguageModelTextPart) return [{ type: "text", text: part.value }];
  if (part instanceof vscode.LanguageModelToolCallPart)
    return [{ type: "call", id: part.callId, name: part.name, input: part.input }];
  if (part instanceof vscode.LanguageModelToolResultPart)
    return [{ type: "result", id: part.callId, content: part.content.flatMap(partOf) }];
  if (part instanceof vscode.LanguageModelPromptTsxPart)
    return [{ type: "text", text: JSON.stringify(part.value) }];
  if (!isObject(part)) return [];
  const { mimeType, data } = part;
  return typeof mimeType === "string" && data instanceof Uint8Array
    ? [{ type: "data", mediaType: mimeType, bytes: data }]
    : [];
}
