/** Encodes and decodes content for both OpenAI formats: texts, and pictures as data URLs. */

import { isObject, parseObject, type JsonObject } from "../../base/json.ts";
import type { ImagePart, ContentPart, ToolChoice } from "../../protocol/messages.ts";
import { badField, requiredText } from "../ask-fields.ts";
import { stringAt } from "../fields.ts";
import { notShown } from "../not-shown.ts";

export const dataUrl = ({ mediaType, data }: ImagePart): string => `data:${mediaType};base64,${data}`;

export const partJson = (part: ContentPart): JsonObject =>
  part.type === "text"
    ? { type: "text", text: part.text }
    : { type: "image_url", image_url: { url: dataUrl(part) } };

/** Parses a data URL; of a picture on the web the model is told, because nothing here fetches. */
export function readDataUrl(url: unknown, field: string): ContentPart {
  if (typeof url === "string" && /^https?:/i.test(url)) return notShown("image", url);
  const [, mediaType, data] = (typeof url === "string" && /^data:([^;,]+);base64,(.*)$/s.exec(url)) || [];
  if (mediaType === undefined || data === undefined) throw badField(field, "a data: URL with base64");
  return { type: "image", mediaType, data };
}

/** Reads content, which is a text, a list of parts, or absent. */
export function contentOf(
  content: unknown,
  field: string,
  readPart: (part: unknown, field: string) => ContentPart,
): ContentPart[] {
  if (content === undefined || content === null || content === "") return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw badField(field, "a text or a list");
  return content.map((part, at) => readPart(part, `${field}[${at}]`));
}

/** The arguments of a call in the history; if unreadable, they count as empty. */
export function historyInput(text: string | undefined): JsonObject {
  const parsed = parseObject(text ?? "");
  return parsed.ok ? parsed.value : {};
}

/**
 * "auto", "none", "required", or the one required tool. Of a choice among several tools only the mode is used; a choice
 * of one of the service's own tools, which are left out, is dropped.
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
