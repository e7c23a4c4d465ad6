/** Lets a person choose, hunk by hunk, what to keep of the changes of a command that has run. */

import { visibleLine } from "../../base/visible-text.ts";
import type { DroppedPart } from "../../protocol/facts.ts";
import type { CardContent, CardOffer } from "../../tui/card.ts";
import { hunkLines } from "../../view/review.ts";
import type { WaitingFile } from "../../view/waiting-changes.ts";
import { waitingFileLine } from "../../view/waiting-lines.ts";
import { readReply } from "./reply.ts";
import type { Talk } from "./talk.ts";

/** `hunk`: from 1; absent if the file is kept or dropped whole. */
type HeldPart = { file: WaitingFile; hunk?: number };
type PartChoice = "keep" | "drop" | "keep-rest" | "drop-rest" | "back";

/** What is dropped; `undefined` if they went back to the question, or it was cancelled. */
export async function chooseParts(
  talk: Talk,
  files: readonly WaitingFile[],
): Promise<DroppedPart[] | undefined> {
  const parts = files.flatMap(partsOf);
  const dropped: HeldPart[] = [];
  for (const [at, part] of parts.entries()) {
    const choice = await choose(talk, part);
    if (choice === "back") return undefined;
    if (choice === "keep-rest") break;
    if (choice === "drop") dropped.push(part);
    if (choice === "drop-rest") {
      dropped.push(...parts.slice(at));
      break;
    }
  }
  return dropsOf(dropped);
}

/** The only hunk of a file stands for the whole file. */
const partsOf = (file: WaitingFile): HeldPart[] =>
  file.hunks.length < 2 ? [{ file }] : file.hunks.map((_, at) => ({ file, hunk: at + 1 }));

function dropsOf(parts: readonly HeldPart[]): DroppedPart[] {
  const files = [...new Set(parts.map(({ file }) => file.path))];
  return files.map((path) => {
    const hunks = parts.flatMap(({ file, hunk = [] }) => (file.path === path ? hunk : []));
    return { path, ...(hunks.length > 0 ? { hunks } : {}) };
  });
}

async function choose(talk: Talk, { file, hunk }: HeldPart): Promise<PartChoice> {
  const { terminal, style } = talk;
  const { hunks } = file;
  const shown = hunk === undefined ? [...hunks.entries()] : [[hunk - 1, hunks[hunk - 1] ?? ""] as const];
  const lines = shown.flatMap(([at, text]) => hunkLines({ number: at + 1, text }, style));
  const isFirst = hunk === undefined || hunk === 1;
  const what = hunk === undefined ? "" : `hunk ${hunk} of ${hunks.length} in `;
  const prompt = `  Keep ${what}${visibleLine(file.path)}? [y]es · [n]o · [a]ll the rest · [d]rop all the rest · [q] back: `;
  const heading = isFirst ? [`  ${waitingFileLine(file, style)}`] : [];
  const content: CardContent = { type: "lines", lines: [...heading, ...lines.map((line) => `  ${line}`)] };
  for (;;) {
    const line = await readReply(talk, { content, offers, prompt });
    if (line === undefined) return "back";
    const choice = choices.get(line.trim().toLowerCase());
    if (choice) return choice;
    terminal.note("  Please answer y, n, a, d or q.");
  }
}

const offers: readonly CardOffer[] = [
  { key: "y", words: "keep it", answer: "y" },
  { key: "n", words: "drop it", answer: "n" },
  { key: "a", words: "keep all the rest", answer: "a" },
  { key: "d", words: "drop all the rest", answer: "d" },
  { key: "q", words: "back", answer: "q", isBack: true },
];

const choices = new Map<string, PartChoice>([
  ["y", "keep"],
  ["yes", "keep"],
  ["n", "drop"],
  ["no", "drop"],
  ["a", "keep-rest"],
  ["d", "drop-rest"],
  ["q", "back"],
]);
