/** Turns a file or directory attached by a person into message parts: an image, or text with its name. */

import { opendir, realpath, stat } from "node:fs/promises";
import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { countOf, sizeInWords } from "../../base/amounts.ts";
import { fileBounds } from "../../base/bounds.ts";
import { attempt, type Expected, refuse } from "../../base/expected.ts";
import { otherEncoding, sniffType } from "../../base/media-type.ts";
import { isWithin } from "../../base/paths.ts";
import { fileProblem, readRegularFile, readWindow } from "../../base/safe-fs/own-files.ts";
import { shownPath } from "../../base/safe-fs/problems.ts";
import { decodeText } from "../../base/text.ts";
import { filePart, nameInLine } from "../../protocol/file-part.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { placeOf } from "../../safety/judge/place.ts";
import { toolBounds } from "../../tools/bounds.ts";
import { type FileObjection, objectionToReading } from "../reading.ts";
import { pictureTypes, shapeProblem, smallerPicture } from "./sent-images.ts";

export type AttachmentPlace = {
  /** Absolute, with symbolic links resolved. */
  workspace: string;
  /** The base of relative paths. Default: the workspace. */
  from?: string;
  /** The home directory of the person naming the files. Default: that of this process. */
  home?: string;
  /** What objects to reading a file. Default: what objects without any rules. */
  objection?: FileObjection;
  /** Refuse paths outside the workspace and what a rule asks about, because perhaps no person named them. */
  inside?: boolean;
};

/**
 * Accepts a path as a person writes it: relative, absolute, "~/…" or "file://…". The problem is one line for people.
 */
export async function attachPath(path: string, place: AttachmentPlace): Promise<Expected<ContentPart[]>> {
  const meant = meantPath(path, place);
  if (meant === undefined) return refuse(`${quotedPath(path)} is no path of a file: name one.`);
  const shown = shownPath(path);
  try {
    const real = await realpath(meant);
    if (place.inside && !isWithin(place.workspace, real))
      return refuse(`${shown} lies outside the workspace. Nothing was sent.`);
    const stats = await stat(real);
    const why = whyNotSent(meant, place) ?? whyNotSent(real, place);
    if (why !== undefined) return refuse(`${shown} ${why}. ${sentOnPurpose}`);
    const name = nameIn(place.workspace, real);
    return stats.isDirectory() ? await listing(real, name) : await readFile(real, { name, shown });
  } catch (error) {
    return refuse(`${fileProblem(path, error, "read").problem.message}. Nothing was sent.`);
  }
}

const sentOnPurpose =
  "It is not sent to a model by its name; if you mean it, paste or pipe in the part that is needed.";

const quotedPath = (path: string): string => JSON.stringify(shownPath(path));

/** Undefined if it cannot be a path. */
export function meantPath(
  path: string,
  { workspace, from = workspace, home = homedir() }: AttachmentPlace,
): string | undefined {
  if (path.trim() === "" || path.includes("\0")) return undefined;
  if (path === "~" || path.startsWith("~/")) return resolve(home, path.slice(2));
  if (!path.startsWith("file:")) return resolve(from, path);
  return attempt(() => fileURLToPath(path));
}

/** Whoever names a file answers a rule that asks, but opens no secret, and no place that a rule denies. */
function whyNotSent(path: string, place: AttachmentPlace): string | undefined {
  const { workspace, home = homedir(), inside = false } = place;
  const { objection = (one: string) => objectionToReading(one, { workspace, home, rules: [] }) } = place;
  const found = objection(path);
  if (found?.isSecret) return "holds secrets, by its name";
  if (found && (found.isDenied || inside)) return `may not be read: ${found.because}`;
  const { secret } = placeOf(path, { home, workspace, directory: workspace });
  return secret === undefined ? undefined : `holds ${secret}`;
}

/** Relative to the workspace if the path lies inside it. */
const nameIn = (workspace: string, path: string): string =>
  nameInLine(isWithin(workspace, path) ? relative(workspace, path) || "." : path);

type NamedPath = { name: string; shown: string };

async function readFile(path: string, named: NamedPath): Promise<Expected<ContentPart[]>> {
  const head = await readWindow(path, { offset: 0, length: fileBounds.text.most + 1 });
  if (!head.ok) return refuse(`${head.problem.message}. Nothing was sent.`);
  const { bytes, size } = head.value;
  if (!pictureTypes.includes(sniffType(bytes))) return attachBytes(bytes, { ...named, size });
  const whole = await readRegularFile(path, { maxBytes: fileBounds.imageBytes.most });
  if (!whole.ok) return refuse(`${whole.problem.message}. ${smallerPicture()}`);
  return attachBytes(whole.value, named);
}

/** Detects the type by content, whatever the name; pass `size` if `bytes` is only the beginning. */
export function attachBytes(
  bytes: Uint8Array,
  { name, size = bytes.length, shown = name }: { name: string; size?: number; shown?: string },
): Expected<ContentPart[]> {
  const type = sniffType(bytes);
  if (pictureTypes.includes(type)) return picture(bytes, { name, shown, type });
  const text = textOf(bytes);
  if (text === undefined) return refuse(`${shown} cannot be read: ${whyUnreadable(type, size)}`);
  return { ok: true, value: [textPart({ name, size, text })] };
}

function picture(
  bytes: Uint8Array,
  { name, shown, type }: NamedPath & { type: string },
): Expected<ContentPart[]> {
  if (bytes.length > fileBounds.imageBytes.most)
    return refuse(`${shown} is too large: ${sizeInWords(bytes.length)}. ${smallerPicture()}`);
  const problem = shapeProblem(bytes, type);
  if (problem !== undefined) return refuse(`${shown} cannot be sent: ${problem}`);
  const about = `[Attached picture ${name}, ${sizeInWords(bytes.length)}]`;
  const data = Buffer.from(bytes).toString("base64");
  return {
    ok: true,
    value: [
      { type: "text", text: about, file: name },
      { type: "image", mediaType: type, data },
    ],
  };
}

type AttachmentText = { text: string; note?: string };

function textOf(bytes: Uint8Array): AttachmentText | undefined {
  const isCut = bytes.length > fileBounds.text.most;
  const kept = isCut ? wholeCharacters(bytes.subarray(0, fileBounds.text.most)) : bytes;
  const wide = sniffType(kept) === "text in UTF-16" ? wideText(kept) : undefined;
  if (wide !== undefined) return { text: wide };
  if (kept.includes(0)) return undefined;
  const decoded = decodeText(kept);
  if (decoded.kind === "text") return { text: decoded.text };
  if (decoded.type !== otherEncoding) return undefined;
  const text = new TextDecoder().decode(kept);
  return isMostlyText(text)
    ? { text, note: "It is not UTF-8: characters shown as \uFFFD are others in the file." }
    : undefined;
}

/** Tolerates a few Latin letters in another encoding, but not binary noise. */
const isMostlyText = (text: string): boolean =>
  // eslint-disable-next-line no-control-regex -- they are what tells text from noise
  (text.match(/[\uFFFD\x01-\x08\x0e-\x1a\x1c-\x1f]/gu)?.length ?? 0) * 5 < text.length;

function wideText(bytes: Uint8Array): string | undefined {
  const encoding = bytes[0] === 0xff ? "utf-16le" : "utf-16be";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes.subarray(0, bytes.length & ~1));
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Drops an incomplete character at the end. */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  const lead = bytes.subarray(-4).findLastIndex((byte) => (byte & 0xc0) !== 0x80);
  const at = bytes.length - Math.min(4, bytes.length) + lead;
  const byte = bytes[at] ?? 0;
  const needs = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return lead !== -1 && at + needs > bytes.length ? bytes.subarray(0, at) : bytes;
}

function whyUnreadable(type: string, size: number): string {
  if (type === "application/pdf")
    return "it is a PDF, which models are not sent here. Turn it into text first (pdftotext), or its pages into pictures.";
  const what = type === "application/octet-stream" ? "it is no text" : `it is ${type}`;
  return `${what} (${sizeInWords(size)}), and only text and pictures (PNG, JPEG, GIF, WebP) can be sent. Ask the model to look at it with a command.`;
}

function textPart({
  name,
  size,
  text: { text, note },
}: {
  name: string;
  size: number;
  text: AttachmentText;
}): ContentPart {
  const left = size - fileBounds.text.most;
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(left > 0 ? [`Only its beginning stands here; ${sizeInWords(left)} more were left out.`] : []),
  ];
  const about = [`Attached file ${name}, ${size === 0 ? "empty" : sizeInWords(size)}`, ...notes].join(". ");
  return filePart({ name, about, text });
}

/** Lists a directory's names; stops early in a huge one. */
async function listing(path: string, name: string): Promise<Expected<ContentPart[]>> {
  const names: string[] = [];
  let isCut = false;
  for await (const entry of await opendir(path)) {
    isCut = names.length === toolBounds.listedEntries.most;
    if (isCut) break;
    names.push(nameInLine(`${entry.name}${entry.isDirectory() ? "/" : ""}`));
  }
  const count = countOf(names.length, "name");
  const more = isCut ? `the first ${count}, more were left out` : count;
  const about = `Attached directory ${name}, ${more}`;
  const text = names.toSorted().join("\n");
  return { ok: true, value: [filePart({ name: `${name}/`, about, text })] };
}
