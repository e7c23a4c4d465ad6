/** Converts the answers of servers to tool results: as data, cut to fit, with the full text kept on disk. */

import { sizeInWords } from "../../base/amounts.ts";
import { fileBounds } from "../../base/bounds.ts";
import { headAndTail } from "../../base/cut-text.ts";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { sniffType } from "../../base/media-type.ts";
import { whyNotShown } from "../../base/picture.ts";
import { stripAnsi } from "../../base/terminal/plain-text.ts";
import type { ImagePart, ContentPart } from "../../protocol/messages.ts";
import { failedResult, type ToolResult, text, type ToolContext } from "../../tools/tool.ts";
import { plainLine } from "./words.ts";

const most = fileBounds.readBytes.most;

type ResultContent = { words: string[]; images: ImagePart[] };

/** Converts the answer to `tools/call`. */
export async function producedOf(
  answer: JsonObject,
  context: Pick<ToolContext, "keep">,
): Promise<ToolResult> {
  const read = contentOf(answer["content"]);
  const structured = answer["structuredContent"];
  const said = read.words.join("\n");
  if (structured !== undefined && structured !== null && !saysTheSame(said, structured))
    read.words.push(JSON.stringify(structured, undefined, 1));
  const outcome = answer["isError"] === true ? "failed" : "ok";
  return fitting(outcome, read, context);
}

/** Converts the answer to `resources/read`. */
export async function resourceOf(
  answer: JsonObject,
  context: Pick<ToolContext, "keep">,
): Promise<ToolResult> {
  const contents = answer["contents"];
  if (!Array.isArray(contents) || contents.length === 0) return failedResult("The resource is empty.");
  const read = contentOf(contents.map((resource): Json => ({ type: "resource", resource })));
  return fitting("ok", read, context);
}

/** Extracts text and images from messages or results. */
export function contentOf(content: Json | undefined): ResultContent {
  const read: ResultContent = { words: [], images: [] };
  for (const part of Array.isArray(content) ? content : [content ?? null])
    if (typeof part === "string") read.words.push(plain(part));
    else if (part !== null && isJsonObject(part)) readPart(part, read);
  return read;
}

/** Most servers repeat structured content as text for older clients: as JSON, or in words that contain it all. */
function saysTheSame(said: string, structured: Json): boolean {
  if (said === "") return false;
  if (structured === null || typeof structured !== "object") return said.includes(String(structured));
  const parts = Array.isArray(structured) ? structured : Object.values(structured);
  return parts.every((part) => saysTheSame(said, typeof part === "string" ? plain(part) : part));
}

function readPart(part: JsonObject, read: ResultContent): void {
  const { type } = part;
  if (type === "text") read.words.push(plain(stringAt(part, "text")));
  else if (type === "image") readImage(stringAt(part, "data"), stringAt(part, "mimeType"), read);
  else if (type === "audio") read.words.push(`[A sound (${mediaType(part)}), which cannot be told.]`);
  else if (type === "resource_link") read.words.push(linkWords(part));
  else if (type === "resource") readResource(part["resource"], read);
  else
    read.words.push(
      `[Something of the kind ${plainLine(stringAt(part, "type"), 40)}, which cannot be told.]`,
    );
}

function readResource(resource: Json | undefined, read: ResultContent): void {
  if (resource === undefined || resource === null || !isJsonObject(resource)) return;
  const uri = plainLine(stringAt(resource, "uri"), 500);
  const { text: words, blob } = resource;
  if (typeof words === "string") read.words.push(`[${uri}]`, plain(words));
  else if (typeof blob !== "string") return;
  else if (mediaType(resource).startsWith("image/")) {
    read.words.push(`[${uri}]`);
    readImage(blob, mediaType(resource), read);
  } else {
    const size = sizeInWords(Math.floor((blob.length * 3) / 4));
    read.words.push(`[${uri}: ${size} of ${mediaType(resource)}, which cannot be told.]`);
  }
}

/** Trusts the bytes, not the declared type: models reject every later request that contains a broken image. */
function readImage(data: string, says: string, { words, images }: ResultContent): void {
  const unbroken = data.replaceAll(/[\r\n]+/gu, "");
  const isBase64 = unbroken.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/u.test(unbroken);
  const bytes = Buffer.from(isBase64 ? unbroken : "", "base64");
  const type = sniffType(bytes);
  const why = taken.includes(type) ? whyNotShown(bytes, type) : undefined;
  if (!taken.includes(type))
    words.push(`[A picture that is none that models take (${plainLine(says, 60)}): left out.]`);
  else if (why !== undefined) words.push(`[A picture (${type}) is left out: ${why}.]`);
  else if (images.length >= fileBounds.images.most) words.push(`[A further picture: left out.]`);
  else images.push({ type: "image", mediaType: type, data: unbroken });
}

const taken: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

function linkWords(part: JsonObject): string {
  const name = plainLine(stringAt(part, "title") || stringAt(part, "name"), 200);
  const about = plainLine(stringAt(part, "description"), 500);
  return `[Resource ${plainLine(stringAt(part, "uri"), 500)}${name === "" ? "" : ` "${name}"`}${about === "" ? "" : `: ${about}`}]`;
}

export const stringAt = (part: JsonObject, key: string): string => {
  const value = part[key];
  return typeof value === "string" ? value : "";
};

const mediaType = (part: JsonObject): string => plainLine(stringAt(part, "mimeType"), 60) || "unknown kind";

/** Removes what a terminal would act on; combining marks stay, as parts of the text. */
const plain = (words: string): string =>
  stripAnsi(words)
    .replaceAll(/\r(?!\n)/gu, "\n")
    .replaceAll(/(?![\t\n\r])\p{Cc}/gu, "")
    .toWellFormed();

async function fitting(
  outcome: ToolResult["outcome"],
  { words, images }: ResultContent,
  context: Pick<ToolContext, "keep">,
): Promise<ToolResult> {
  const whole = words.join("\n");
  const shown = headAndTail(whole, { head: 3_000, tail: 1_000, bytes: most, line: most / 2 });
  const content: ContentPart[] = [...(shown.text === "" ? [] : text(shown.text)), ...images];
  if (content.length === 0)
    content.push(...text(outcome === "ok" ? "[It has no content.]" : "It failed, and does not say why."));
  if (!shown.cut) return { outcome, content };
  const bytes = new TextEncoder().encode(whole);
  return {
    outcome,
    content,
    full: { blob: await context.keep(bytes), bytes: bytes.length, omitted: shown.left },
  };
}
