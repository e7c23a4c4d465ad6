/** What a person sends with a message: files that they name, and those that they mention in it (`@path`). */

import { lstat, realpath } from "node:fs/promises";
import { figureOf } from "../../base/bound.ts";
import { bounds } from "../../base/bounds.ts";
import { isWithin } from "../../base/paths.ts";
import type { Part } from "../../protocol/messages.ts";
import { type AttachmentPlace, attachPath, meantPath } from "./attachment.ts";
import { droppedPictures, type Mention, mentionsIn, spellingsOf } from "./mentions.ts";
import { imageProblem } from "./sent-images.ts";

export { type AttachmentPlace, attachBytes, attachPath } from "./attachment.ts";

/** `problems`: a line for a person each; where there is one, nothing is to be sent. */
export type Attached = { content: Part[]; problems: string[] };

const limits = bounds.attachments;

/** Each path once. The names of all that is wrong are told at once, up to a few. */
export async function attachPaths(paths: readonly string[], place: AttachmentPlace): Promise<Attached> {
  const wanted = [...new Set(paths)];
  if (wanted.length > limits.files.most) return refused([tooMany(wanted.length)]);
  const content: Part[] = [];
  const problems: string[] = [];
  for (const path of wanted) {
    const attached = await attachPath(path, place);
    if (attached.ok) content.push(...attached.value);
    else problems.push(attached.problem);
    const problem = problems.length === 0 ? attachedProblem(content) : undefined;
    if (problem !== undefined) return refused([problem]);
  }
  return problems.length > 0 ? refused(fewOf(problems)) : { content, problems: [] };
}

const refused = (problems: string[]): Attached => ({ content: [], problems });

const tooMany = (count: number): string =>
  `${count} files are too many for one message, which takes ${limits.files.most}: name the directory, or the files that matter.`;

const mostShown = 5;
const fewOf = (problems: readonly string[]): string[] =>
  problems.length <= mostShown
    ? [...problems]
    : [...problems.slice(0, mostShown), `… and ${problems.length - mostShown} more like these.`];

/** Why these parts are too much for one message; undefined where they are not. */
function attachedProblem(content: readonly Part[]): string | undefined {
  const text = content.reduce(
    (sum, part) => sum + (part.type === "text" && part.file !== undefined ? part.text.length : 0),
    0,
  );
  if (text > limits.allText.most)
    return `The files are too long for one message, which takes ${figureOf(limits.allText)} of text: send fewer, or let the model read them itself.`;
  return imageProblem(content);
}

/**
 * `dropped`: pictures whose whole path stands in it are meant, too, as terminals write it for a dropped file.
 * `onlyInside`: a path that leads out of the workspace is a word like others, since nobody may have looked at the text.
 */
export type Expanding = { dropped?: boolean; onlyInside?: boolean };

/** The message as it was written, and behind it the files that it mentions. What is no file stays a word of it. */
export async function expandMentions(
  text: string,
  place: AttachmentPlace,
  { dropped = false, onlyInside = false }: Expanding = {},
): Promise<Attached> {
  const said: Part = { type: "text", text };
  const found = new Map<string, string>();
  const isMeant = onlyInside ? isInside : isThere;
  for (const mention of mentionsIn(text)) {
    const path =
      (await spelledPath(mention, (one) => isMeant(one, place))) ??
      (isMissed(mention, place, onlyInside) ? mention.path : undefined);
    if (path !== undefined) found.set(meantPath(path, place) ?? path, path);
  }
  for (const path of dropped ? droppedPictures(text) : [])
    if (await isThere(path, place)) found.set(meantPath(path, place) ?? path, path);
  if (found.size === 0) return { content: [said], problems: [] };
  const attached = await attachPaths([...found.values()], place);
  return { content: [said, ...attached.content], problems: attached.problems };
}

/** What of it names something that is there. */
async function spelledPath(
  mention: Mention,
  isMeant: (path: string) => Promise<boolean>,
): Promise<string | undefined> {
  for (const path of spellingsOf(mention)) if (await isMeant(path)) return path;
  return undefined;
}

/** What can only be a file is one all the same, so that its absence is told. */
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
