/** Content as both OpenAI formats write and read it: texts, and pictures as data URLs. */

import { isObject, parseObject, type JsonObject } from "../../base/json.ts";
import type { ImagePart, Part, ToolChoice } from "../../protocol/messages.ts";
import { badField, requiredText } from "../ask-fields.ts";
import { stringAt } from "../fields.ts";

export const dataUrl = ({ mediaType, data }: ImagePart): string => `data:${mediaType};base64,${data}`;

/** Reads a data URL; any other address is refused, since nothing here fetches. `field` names it for the person. */
export function readDataUrl(url: unknown, field: string): ImagePart {
  const [, mediaType, data] = (typeof url === "string" && /^data:([^;,]+);base64,(.*)$/s.exec(url)) || [];
  if (mediaType === undefined || data === undefined) throw badField(field, "a data: URL with base64");
  return { type: "image", mediaType, data };
}

/** Content is a text, a list of parts, or nothing at all. */
export function contentOf(
  content: unknown,
  field: string,
  readPart: (part: unknown, field: string) => Part,
): Part[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw badField(field, "a text or a list");
  return content.map((part, at) => readPart(part, `${field}[${at}]`));
}

/** The arguments of a call in a history; an old call that cannot be read counts as one without arguments. */
export function historyInput(text: string | undefined): JsonObject {
  const parsed = parseObject(text ?? "");
  return parsed.ok ? parsed.value : {};
}

/**
 * "auto", "none", "required", or the one tool wanted. Of a choice among some tools only its mode is heeded; a choice of
 * a tool of the service, which is left out, is none.
 */
export function readToolChoice(value: unknown): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined;
  if (value === "auto" || value === "none" || value === "required") return value;
  if (!isObject(value)) throw badField("tool_choice", "auto, none, required, or an object that names a tool");
  if (value["type"] === "allowed_tools") return readToolChoice(modeOf(value));
  const tool = value["function"] ?? value["custom"];
  const name = stringAt(tool, "name") ?? stringAt(value, "name");
  return name === undefined ? undefined : { name };
}

const modeOf = (choice: Record<string, unknown>): string =>
  requiredText(stringAt(choice["allowed_tools"], "mode") ?? choice["mode"], "tool_choice.mode");
