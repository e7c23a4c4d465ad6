/** `trust show`: prints every file that would run, and its changes since the approval, sanitized for a terminal. */

import { refuse } from "../../base/expected.ts";
import { visibleLine, visiblePreview } from "../../base/visible-text.ts";
import { changedLines, contentsOf, type ShownFile } from "../../trust/contents.ts";
import { type TrustApproval, agreedBefore, type TrustItem, isNamed } from "../../trust/trust.ts";
import { dayOf, meansAll, nameLine, shownLines, whatToSay } from "./lines.ts";

type TrustReviewContext = { workspace: string; agreed: readonly TrustApproval[]; by: string };

type ContentsResult =
  | { ok: true; lines: string[]; things: (TrustItem & { contents: ShownFile[] })[] }
  | { ok: false; problem: string };

/** Shows the named things, by default all. Fails on a name that matches nothing. */
export async function showTrust(
  things: readonly TrustItem[],
  words: readonly string[],
  place: TrustReviewContext,
): Promise<ContentsResult> {
  const isAll = words.length === 0 || meansAll(words, things);
  const unknown = isAll ? undefined : words.find((word) => !things.some((thing) => isNamed(thing, [word])));
  if (unknown !== undefined) return refuse(whatToSay(unknown, place.by));
  const meant = isAll ? things : things.filter((thing) => isNamed(thing, words));
  const nothing = "Nothing in this workspace would run by itself.";
  if (meant.length === 0) return { ok: true, lines: [nothing], things: [] };
  const { files, left } = await contentsOf(meant, place.workspace);
  const lines: string[] = [];
  for (const thing of meant) {
    lines.push(...(lines.length > 0 ? [""] : []), standing(thing, place.agreed), ...shownLines(thing));
    lines.push(...(files.get(thing) ?? []).flatMap(fileLines), ...(await sinceLines(thing, place.agreed)));
  }
  if (left > 0)
    lines.push(
      "",
      `${left} more ${left === 1 ? "file is" : "files are"} left out: name one thing to see more.`,
    );
  return { ok: true, lines, things: meant.map((thing) => ({ ...thing, contents: files.get(thing) ?? [] })) };
}

function standing(thing: TrustItem, agreed: readonly TrustApproval[]): string {
  const now = agreed.find(
    ({ kind, name, where, hash }) =>
      kind === thing.kind && name === thing.name && where === thing.where && hash === thing.hash,
  );
  return `${nameLine(thing)}, ${now ? `agreed to${dayOf(now)}` : "not used until you agree"}`;
}

function fileLines({ path, size, text, note }: ShownFile): string[] {
  const head = `    ${visibleLine(path)}${size === "" ? "" : ` (${size})`}:`;
  const shown = text === undefined ? [] : visiblePreview(text.trimEnd()).split("\n");
  return [head, ...shown.map((line) => `      ${line}`), ...(note === undefined ? [] : [`    [${note}]`])];
}

async function sinceLines(thing: TrustItem, agreed: readonly TrustApproval[]): Promise<string[]> {
  const before = agreedBefore(thing, agreed);
  if (!before) return [];
  const lines = await changedLines(thing, before);
  const since = `    It has changed since you agreed to it${dayOf(before)}`;
  if (!lines) return [`${since}; what it was then is not kept.`];
  return [`${since}:`, ...lines.map((line) => `      ${visiblePreview(line)}`)];
}
