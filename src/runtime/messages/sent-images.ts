/** Validates images before they enter the log: a log with a broken image could not be sent to any model again. */

import { sizeInWords } from "../../base/amounts.ts";
import { figureOf } from "../../base/bound.ts";
import { fileBounds } from "../../base/bounds.ts";
import { sniffType } from "../../base/media-type.ts";
import { pictureSize } from "../../base/picture.ts";
import type { Fact } from "../../protocol/facts.ts";
import type { ImagePart, ContentPart } from "../../protocol/messages.ts";
import type { Model } from "../../providers/provider.ts";
import { messageBounds } from "./bounds.ts";

/** The formats accepted by all models with vision. */
export const pictureTypes: readonly string[] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

const { allPictures } = messageBounds;
const { imageBytes: picture, images: pictures, side } = fileBounds;

export const smallerPicture = (): string =>
  `Pictures may have ${figureOf(picture)} and ${figureOf(side)} pixels on a side: make it smaller, or send the part that matters.`;

/** Why these parts cannot be sent; undefined if they can. */
export function imageProblem(content: readonly ContentPart[]): string | undefined {
  const images = content.filter((part) => part.type === "image");
  if (images.length > pictures.most)
    return `${images.length} pictures are too many for one message, which takes ${pictures.most}: send fewer.`;
  for (const image of images) {
    const problem = problemOf(image);
    if (problem !== undefined) return `A picture cannot be sent: ${problem}`;
  }
  const bytes = images.reduce((sum, { data }) => sum + bytesOf(data), 0);
  return bytes > allPictures.most
    ? `The pictures have ${sizeInWords(bytes)} together, and a message takes ${figureOf(allPictures)}: send fewer, or smaller ones.`
    : undefined;
}

/** Warns before the message that the model cannot see its images; the images are stored all the same. */
export function unseen(
  content: readonly ContentPart[],
  { name, sees }: Pick<Model, "name" | "sees">,
): Fact[] {
  const count = sees === false ? content.filter(({ type }) => type === "image").length : 0;
  if (count === 0) return [];
  const [what, there] = count === 1 ? ["the picture", "is one"] : [`the ${count} pictures`, `are ${count}`];
  const text = `${name} cannot see ${what}: it is only told that there ${there}. You can switch to a model that sees at any time: it is then shown what was sent before.`;
  return [{ type: "warning", code: "unseen-pictures", text }];
}

const bytesOf = (data: string): number => Math.floor((data.length * 3) / 4);

function problemOf({ mediaType, data }: ImagePart): string | undefined {
  if (!pictureTypes.includes(mediaType))
    return `models take ${pictureTypes.join(", ")}, and this says ${JSON.stringify(mediaType.slice(0, 60))}.`;
  if (bytesOf(data) > picture.most + 2)
    return `it has ${sizeInWords(bytesOf(data))}, and ${figureOf(picture)} are the most. ${smallerPicture()}`;
  if (!isBase64(data)) return "its data is no base64.";
  const bytes = Buffer.from(data, "base64");
  const type = sniffType(bytes);
  if (type !== mediaType) return `it says that it is ${mediaType}, and its data is ${type}.`;
  return shapeProblem(bytes, type);
}

/** For bytes that begin like an image of this type. */
export function shapeProblem(bytes: Uint8Array, type: string): string | undefined {
  const size = pictureSize(bytes, type);
  if (!size) return `it begins like ${type} but is damaged or cut off. Save it anew.`;
  const { width, height } = size;
  return Math.max(width, height) > side.most
    ? `it has ${width} × ${height} pixels. ${smallerPicture()}`
    : undefined;
}

const isBase64 = (data: string): boolean =>
  data !== "" && data.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(data);
