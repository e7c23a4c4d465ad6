/** Collects what a person sends with a message: files they attach, and files the text mentions (`@path`). */

import { lstat, realpath } from "node:fs/promises";
import { isDeepStrictEqual } from "node:util";
import { fewOf } from "../../addons/added-text.ts";
import { figureOf } from "../../base/bound.ts";
import { isWithin } from "../../base/paths.ts";
import type { ContentPart } from "../../protocol/messages.ts";
import { type AttachmentPlace, attachPath, meantPath } from "./attachment.ts";
import { messageBounds } from "./bounds.ts";
import { imageProblem } from "./sent-images.ts";

export { type AttachmentPlace, attachBytes, attachPath } from "./attachment.ts";

/** `problems`: one line each, for people; if there are any, the message must not be sent. */
export type Attachments = { content: ContentPart[]; problems: string[] };

/** `unmet`: mentions of no file, which stay plain words. */
type MentionedFiles = Attachments & { unmet: string[] };

const limits = messageBounds;

/** Attaches each path once, unless the message has it `already`. Reports all failures together, up to a few. */
export async function attachPaths(
  paths: readonly string[],
  place: AttachmentPlace,
  already: readonly ContentPart[] = [],
): Promise<Attachments> {
  const wanted = [...new Set(paths)];
  if (wanted.length > limits.files.most) return refusal([tooMany(wanted.length)]);
  const content: ContentPart[] = [];
  const problems: string[] = [];
  for (const path of wanted) {
    const attached = await attachPath(path, place);
    if (attached.ok) attachOnce(content, attached.value, already);
    else problems.push(attached.problem);
    const problem = problems.length === 0 ? attachedProblem(content) : undefined;
    if (problem !== undefined) return refusal([problem]);
  }
  return problems.length > 0 ? refusal(fewOf(problems, 5)) : { content, problems: [] };
}

/** Adds the parts of a file, unless the same of them are there. */
export function attachOnce(
  content: ContentPart[],
  parts: readonly ContentPart[],
  already: readonly ContentPart[] = [],
): void {
  const all = [...already, ...content];
  if (!parts.every((part) => all.some((one) => isDeepStrictEqual(one, part)))) content.push(...parts);
}

const refusal = (problems: string[]): Attachments => ({ content: [], problems });

const tooMany = (count: number): string =>
  `${count} files are too many for one message, which takes ${limits.files.most}: name the directory, or the files that matter.`;

/** Why these parts are too much for one message; undefined if they are not. */
function attachedProblem(content: readonly ContentPart[]): string | undefined {
  const text = content.reduce(
    (sum, part) => sum + (part.type === "text" && part.file !== undefined ? part.text.length : 0),
    0,
  );
  if (text > limits.allText.most)
    return `The files are too long for one message, which takes ${figureOf(limits.allText)} of text: send fewer, or let the model read them itself.`;
  return imageProblem(content);
}

/**
 * `dropped`: also attach images whose full path is in the text, as terminals insert it for a dropped file.
 * `onlyInside`: leave paths outside the workspace as plain words, since no person may have read the text. `already`:
 * what the message has besides its text.
 */
export type AttachmentOptions = {
  dropped?: boolean;
  onlyInside?: boolean;
  already?: readonly ContentPart[];
};

/** Returns the message unchanged, followed by the files it mentions. A mention of no file stays plain text. */
export async function expandMentions(
  text: string,
  place: AttachmentPlace,
  { dropped = false, onlyInside = false, already = [] }: AttachmentOptions = {},
): Promise<MentionedFiles> {
  const said: ContentPart = { type: "text", text };
  const found = new Map<string, string>();
  const unmet: string[] = [];
  const isMeant = onlyInside ? isInside : isThere;
  for (const mention of mentionsIn(text)) {
    const path =
      (await spelledPath(mention, (one) => isMeant(one, place))) ??
      (isMissed(mention, place, onlyInside) ? mention.path : undefined);
    if (path !== undefined) found.set(meantPath(path, place) ?? path, path);
    else unmet.push(spellingsOf(mention).at(-1) ?? mention.path);
  }
  for (const path of dropped ? droppedPictures(text) : [])
    if (await isThere(path, place)) found.set(meantPath(path, place) ?? path, path);
  if (found.size === 0) return { content: [said], problems: [], unmet };
  const attached = await attachPaths([...found.values()], { ...place, inside: onlyInside }, already);
  return { ...attached, content: [said, ...attached.content], unmet };
}

/** The first spelling of the mention that names an existing file. */
async function spelledPath(
  mention: Mention,
  isMeant: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const path of spellingsOf(mention)) if (await isMeant(path)) return path;
  return undefined;
}

/** Treats an unmistakable file mention as a file even if it does not exist, so that its absence is reported. */
function isMissed({ path, isSure }: Mention, place: AttachmentPlace, onlyInside: boolean): boolean {
  const meant = isSure ? meantPath(path, place) : undefined;
  return meant !== undefined && (!onlyInside || isWithin(place.workspace, meant));
}

async function isThere(path: string, place: AttachmentPlace): Promise<boolean> {
  const meant = meantPath(path, place);
  return meant !== undefined && (await lstat(meant).then(Boolean, () => false));
}

async function isInside(path: string, place: AttachmentPlace): Promise<boolean> {
  const meant = meantPath(path, place);
  const real = meant === undefined ? undefined : await realpath(meant).catch(() => undefined);
  return real !== undefined && isWithin(place.workspace, real);
}

/** `isSure`: the notation can only mean a file. */
type Mention = { path: string; isSure: boolean };

/** Only this many are checked: a pasted text may be full of them. */
const mostMentions = 1_000;

/** In order of appearance, skipping fenced code blocks. */
function mentionsIn(text: string): Mention[] {
  const found: Mention[] = [];
  for (const { groups = {} } of outsideFences(text).matchAll(mention)) {
    const { quoted, bare } = groups;
    if (quoted !== undefined) found.push({ path: quoted, isSure: true });
    else if (bare !== undefined) found.push({ path: bare, isSure: /^(?:\.{1,2}|~)\//u.test(bare) });
    if (found.length === mostMentions) break;
  }
  return found;
}

/** An `@` inside a word (an e-mail address) or a decorator is not a mention. */
const mention = /(?<=^|[\s([{<,;:])@(?:"(?<quoted>[^"\n]{1,4096})"|(?<bare>[^\s"'`@][^\s]{0,4095}))/gu;

/** The path, then the path without trailing punctuation that may only end the sentence. */
function spellingsOf({ path }: Mention): string[] {
  const spellings = [path];
  for (let rest = path; spellings.length < mostSpellings; spellings.push(rest)) {
    const shorter = rest.replace(/[.,;:!?)\]}>'"*]$/u, "");
    if (shorter === rest || shorter === "") break;
    rest = shorter;
  }
  return spellings;
}

const mostSpellings = 8;

/** Full paths of images, as terminals insert them for a dropped file: quoted, with escaped spaces, or as a URL. */
function droppedPictures(text: string): string[] {
  const found = [...outsideFences(text).matchAll(dropped)].slice(0, mostMentions);
  return found.map(({ groups: { quoted, single, bare } = {} }) => {
    if (quoted !== undefined || single !== undefined) return quoted ?? single ?? "";
    return (bare ?? "").replaceAll(/\\(.)/gu, "$1");
  });
}

const dropped = new RegExp(
  String.raw`(?<=^|\s)(?:"(?<quoted>(?:\/|~\/|file:\/\/)[^"\n]{1,4096}?\.(?:png|jpe?g|gif|webp))"` +
    String.raw`|'(?<single>(?:\/|~\/|file:\/\/)[^'\n]{1,4096}?\.(?:png|jpe?g|gif|webp))'` +
    String.raw`|(?<bare>(?:\/|~\/|file:\/\/)(?:\\.|[^\s\\"'])*?\.(?:png|jpe?g|gif|webp)))(?=$|[\s.,;:!?)])`,
  "giu",
);

const outsideFences = (text: string): string => {
  if (!text.includes("```")) return text;
  return text
    .split("```")
    .filter((_, at) => at % 2 === 0)
    .join("\n");
};
