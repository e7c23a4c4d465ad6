/** Content as both OpenAI formats write and read it: texts, and pictures as data URLs. */
import { isObject, parseObject, type JsonObject } from "../../base/json.ts";
import type { ImagePart, Part, ToolChoice } from "../../protocol/messages.ts";
import { badField } from "../ask-fields.ts";
import { stringAt } from "../fields.ts";

export const dataUrl = ({ mediaType, data }: ImagePart): string => `data:${mediaType};base64,${data}`;

/** Reads a data URL; any other address is refused, since nothing here fetches. `field` names it for the person. */
export function readDataUrl(url: unknown, field: string): ImagePart {
  const [, mediaType, data] = (typeof url === "string" && /^data:([^;,]+);base64,(.*)$/s.exec(url)) || [];
  if (mediaType === undefined || data === undefined) throw badField(field, "a data: URL with base64");
  return { type: "image", mediaType, data };
}

export const joinTexts = (parts: readonly Part[], between: string): string =>
  parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join(between);

/** The arguments of a call in a history; an old call that cannot be read counts as one without arguments. */
export function historyInput(text: string | undefined): JsonObject {
  const parsed = parseObject(text ?? "");
  return parsed.ok ? parsed.value : {};
}

/** "auto", "none", "required", or the one tool wanted. */
export function readToolChoice(value: unknown): ToolChoice | undefined {
  if (value === "auto" || value === "none" || value === "required") return value;
  if (!isObject(value)) return undefined;
  const tool = value["function"] ?? value["custom"];
  const name = stringAt(tool, "name") ?? stringAt(value, "name");
  return name === undefined ? undefined : { name };
}
