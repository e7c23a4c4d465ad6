/** The question what to keep of the changes of a command that has run, for a line-based terminal. */

import { visibleLine, visiblePreview } from "../base/visible-text.ts";
import type { QuestionBlock } from "./blocks.ts";
import { previewLines } from "./plain.ts";
import { fileHeading } from "./review.ts";
import type { Style } from "./style.ts";
import { type WaitingChanges, type WaitingFile, waitingWords } from "./waiting-changes.ts";
import { wrapSentence } from "./wrap-sentence.ts";

export type WaitingQuestion = Omit<QuestionBlock, "type" | "key"> & { waiting: WaitingChanges };

/** A formatter can change very much: what does not fit is shown on request. */
const shownFiles = 20;
const shownRows = 40;

/** What has happened stands first, then the files, then the diff as far as it fits; `isCut`: there is more of it. */
export function waitingLines(
  question: WaitingQuestion,
  style: Style,
  columns: number,
): { lines: string[]; isCut: boolean } {
  const { waiting, title, because } = question;
  const rows = wholeDiff(question, style, columns);
  const [moreFiles, moreRows] = [waiting.files.length - shownFiles, rows.length - shownRows];
  const told = (sentences: readonly string[]): string[] =>
    sentences.flatMap((sentence) => wrapSentence(visibleLine(sentence), { columns, indent: 2 }));
  const lines = [
    style.bold(style.yellow(`? ${visibleLine(title)}`)),
    ...told(waitingWords(waiting)),
    ...waiting.files.slice(0, shownFiles).map((file) => `  ${waitingFileLine(file, style)}`),
    ...(moreFiles > 0 ? [style.dim(`  and ${moreFiles} more`)] : []),
    ...rows.slice(0, shownRows),
    ...(moreRows > 0
      ? [style.dim(`    … ${moreRows} more lines of the diff: answer d to see all of it`)]
      : []),
    ...told([`Reason: ${because}`, ...alwaysWords(question)]),
  ];
  return { lines, isCut: moreRows > 0 };
}

export const wholeDiff = (question: WaitingQuestion, style: Style, columns: number): string[] =>
  previewLines(question, style, columns);

/** What a longer-lasting yes covers. */
function alwaysWords({ scopes = ["once", "turn", "session"], grant }: WaitingQuestion): string[] {
  const wider = scopes.filter((scope) => scope !== "once");
  const last = wider.pop();
  if (last === undefined) return [];
  const named = wider.length === 0 ? last : `${wider.join(", ")} or ${last}`;
  const covered = visiblePreview(grant).replaceAll("\n", "⏎");
  return [`Yes for this ${named} keeps all, from now on without asking, of: ${covered}`];
}

/** "src/a.ts · modified · +2 −1", as in a review. */
export function waitingFileLine(file: WaitingFile, style: Style): string {
  const whole = file.whole === undefined ? "" : ` · ${file.whole}`;
  return fileHeading({ ...file, status: "pending" }, "pending", style) + style.dim(whole);
}
