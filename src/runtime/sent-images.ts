/** What is sent as a picture has to be one: a log that holds something else could not be told to any model again. */
import { sniffType } from "../base/text.ts";
import type { ImagePart, Part } from "../protocol/messages.ts";

/** What all models take that can see. */
const mediaTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** Base64 characters that hold the beginning of a file. */
const head = 24;

/** Why these parts cannot be sent; undefined where they can. */
export function imageProblem(content: readonly Part[]): string | undefined {
  for (const part of content) {
    const problem = part.type === "image" ? problemOf(part) : undefined;
    if (problem !== undefined) return `A picture cannot be sent: ${problem}`;
  }
  return undefined;
}

function problemOf({ mediaType, data }: ImagePart): string | undefined {
  if (!mediaTypes.includes(mediaType))
    return `models take ${mediaTypes.join(", ")}, and this says ${JSON.stringify(mediaType.slice(0, 60))}.`;
  if (!isBase64(data)) return "its data is no base64.";
  const type = sniffType(Buffer.from(data.slice(0, head), "base64"));
  return type === mediaType ? undefined : `it says that it is ${mediaType}, and its data is ${type}.`;
}

const isBase64 = (data: string): boolean =>
  data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
