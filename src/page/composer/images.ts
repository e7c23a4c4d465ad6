/** Prepares pictures for a message: shrinks those that are too large, and refuses those that remain so. */

import { fileBounds } from "../../base/bounds.ts";
import { type Expected, refuse } from "../../base/expected.ts";
import type { ImagePart } from "../../protocol/messages.ts";
import { pageBounds } from "../bounds.ts";

const taken = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
/** Pixels of the longer side; models do not use a higher resolution. */
const longestSide = 1568;
const qualities = [0.9, 0.75, 0.6];

export async function pictureOf(file: File): Promise<Expected<ImagePart>> {
  if (!file.type.startsWith("image/")) return refusal(file, "is not a picture");
  const picture = await createImageBitmap(file).catch(() => undefined);
  if (!picture) return refusal(file, "cannot be read as a picture: it may be damaged");
  if (isSentAsIs(file, picture))
    return { ok: true, value: { type: "image", mediaType: file.type, data: await base64(file) } };
  const drawn = await smaller(picture).catch(() => undefined);
  if (!drawn) return refusal(file, "cannot be made smaller");
  if (drawn.size > pageBounds.imageBytes.most) return refusal(file, "is too large, even made smaller");
  return { ok: true, value: { type: "image", mediaType: drawn.type, data: await base64(drawn) } };
}

const isSentAsIs = ({ type, size }: File, { width, height }: ImageBitmap): boolean =>
  taken.has(type) && size <= pageBounds.imageBytes.most && Math.max(width, height) <= fileBounds.side.most;

const refusal = ({ name }: File, why: string): { ok: false; problem: string } =>
  refuse(`${name === "" ? "What was pasted" : name} ${why}.`);

async function smaller(picture: ImageBitmap): Promise<Blob> {
  const scale = Math.min(1, longestSide / Math.max(picture.width, picture.height));
  const canvas = new OffscreenCanvas(Math.ceil(picture.width * scale), Math.ceil(picture.height * scale));
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser cannot draw.");
  // Transparent areas would become black.
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  let drawn = await canvas.convertToBlob({ type: "image/png" });
  for (const quality of qualities) {
    if (drawn.size <= pageBounds.imageBytes.most) return drawn;
    drawn = await canvas.convertToBlob({ type: "image/jpeg", quality });
  }
  return drawn;
}

async function base64(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  let text = "";
  const step = 32_768;
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step));
  return btoa(text);
}
