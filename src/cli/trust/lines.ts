/** Formats what a workspace brings along, sanitized so that it cannot hide or disguise anything on the screen. */

import { shellQuoted } from "../../base/shell-word.ts";
import { visibleLine, visiblePreview } from "../../base/visible-text.ts";
import { type TrustApproval, agreedBefore, type TrustItem, shortHash } from "../../trust/trust.ts";
import { countedKinds, kindInWords } from "../../trust/words.ts";

type BroughtItem = Pick<TrustItem, "kind" | "name" | "where" | "hash">;

/** Everything that awaits approval, in full, and approved things by name. */
export function broughtLines({ waiting, agreed, before, by }: BroughtOverview): string[] {
  const head =
    waiting.length === 0
      ? agreed.length === 0
        ? "Nothing in this workspace would run by itself."
        : "Nothing in this workspace awaits your approval."
      : `This workspace brings ${countedKinds(waiting)}, not used until you agree:`;
  return [
    head,
    ...waiting.flatMap((thing) => ["", nameLine(thing), ...shownLines(thing), ...sinceLine(thing, before)]),
    ...(waiting[0] ? ["", ...howTo(by, waiting[0])] : []),
    ...(agreed.length > 0
      ? ["", "Agreed to, as long as its content stays the same:", ...agreed.map(nameLine)]
      : []),
  ];
}

/** `before`: all approvals ever given; `by`: the command to type here. */
type BroughtOverview = {
  waiting: readonly TrustItem[];
  agreed: readonly BroughtItem[];
  before: readonly TrustApproval[];
  by: string;
};

function sinceLine(thing: TrustItem, agreed: readonly TrustApproval[]): string[] {
  const before = agreedBefore(thing, agreed);
  return before ? [`      It has changed since you agreed to it${dayOf(before)}.`] : [];
}

/** " on 2026-11-22", if the date is known. */
export const dayOf = ({ at }: TrustApproval): string =>
  at === undefined ? "" : ` on ${new Date(at).toLocaleDateString("sv-SE")}`;

function howTo(by: string, { name }: BroughtItem): string[] {
  const typed = visibleLine(shellQuoted(name));
  return [
    `\`${by} all\` agrees to all of it, \`${by} ${typed}\` to one (the beginning of its name or its number behind # will do).`,
    `\`${by} show ${typed}\` prints every file that counts, and what has changed since you agreed.`,
    `\`${by} forget\` revokes it.`,
  ];
}

/** The hash identifies exactly this content. */
export const nameLine = ({ kind, name, where, hash }: BroughtItem): string =>
  `  ${kindInWords(kind)} ${visibleLine(name)} (${visibleLine(where)}) #${shortHash(hash)}`;

export const shownLines = ({ shows }: TrustItem): string[] =>
  visiblePreview(shows)
    .split("\n")
    .map((line) => `      ${line}`);

export const agreedLines = (things: readonly TrustItem[]): string[] =>
  things.length === 0
    ? ["Nothing waits: all of that is agreed to already."]
    : [
        "Agreed to, as long as its content stays the same:",
        ...things.flatMap((thing) => [nameLine(thing), ...shownLines(thing)]),
      ];

export const forgottenLines = (things: readonly BroughtItem[]): string[] =>
  things.length === 0
    ? ["There was nothing to forget."]
    : ["Not used any more, from the next step on:", ...things.map(nameLine)];

export const isAnother = ({ kind, name, where }: BroughtItem): string =>
  `The ${kindInWords(kind)} ${visibleLine(name)} (${visibleLine(where)}) has come or changed since you looked; nothing was agreed to. Look again with \`toolwright trust\`.`;

export const whatToSay = (word: string, by: string): string =>
  `Nothing in this workspace is called ${JSON.stringify(word)}: \`${by}\` lists what there is.`;

/** Whether "all" is meant, and not a thing of that name. */
export const meansAll = (words: readonly string[], things: readonly BroughtItem[]): boolean =>
  words.includes("all") && (words.length === 1 || !things.some(({ name }) => name === "all"));

export const allBesides = (by: string): string =>
  `"all" means everything, so no name can stand beside it. Nothing was changed: say either \`${by} all\` or only the names.`;
