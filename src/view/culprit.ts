/** Shows which part of a command weighs most, where that is less than all of it. */

import { visibleLine, visiblePreview } from "../base/visible-text.ts";
import type { QuestionBlock } from "./blocks.ts";

type AskedText = Pick<QuestionBlock, "preview" | "culprit" | "place">;

/** The preview in three parts, safe to show; undefined if there is nothing to point at. */
type CulpritParts = { before: string; part: string; after: string; does: string };

export function culpritParts({ preview, culprit, place }: AskedText): CulpritParts | undefined {
  if (!culprit) return undefined;
  const { from, to, because } = culprit;
  const part = preview.slice(from, to);
  const command = place ? preview.slice(preview.indexOf("\n") + 1) : preview;
  if (part.trim() === "" || to > preview.length || part === command.trim()) return undefined;
  return {
    before: visiblePreview(preview.slice(0, from)),
    part: visiblePreview(part),
    after: visiblePreview(preview.slice(to)),
    does: visibleLine(because.replace(/^it /u, "")),
  };
}

/** Why it is asked, without what the mark at the culprit says. */
export function otherReason({ because, culprit }: Pick<QuestionBlock, "because" | "culprit">): string {
  const said = culprit?.because ?? "";
  return because.startsWith(said) ? because.slice(said.length).replace(/^; /u, "") : because;
}

/** In words, for a terminal that prints lines. */
export function culpritWords(question: AskedText & Pick<QuestionBlock, "because">): string[] {
  const found = culpritParts(question);
  if (!found) return [];
  const part = found.part.replaceAll("\n", "⏎");
  const isSaid = question.because.startsWith(question.culprit?.because ?? "");
  return [`It is this part: ${part}${isSaid ? "" : ` (it ${found.does})`}`];
}
