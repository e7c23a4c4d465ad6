/** Takes the hunks of requests off a text, newest request first: where each hunk is in it, and what was there before. */

import { type PresentPlace, type HunkSpan, type PlacedHunk, placeHunks } from "./hunk-places.ts";
import type { ReviewHunk } from "./hunk.ts";
import type { PresentText } from "./present-text.ts";

/**
 * `placed`: in lines of the present text. `before`: the text without those hunks that are in it as the requests left
 * them.
 */
export type PeeledText = { placed: PlacedHunk[]; before: PresentText };

/** For each line, and for the end, the line of the present text where it is or was. */
type LineOrigins = readonly number[];

type Peeling = { text: PresentText; origins: LineOrigins };

/** `layers`: the hunks of one file, by request, the newest request first. */
export function peel(text: PresentText, layers: readonly (readonly ReviewHunk[])[]): PeeledText {
  let peeling: Peeling = { text, origins: Array.from({ length: text.lines.length + 1 }, (_, at) => at) };
  const placed: PlacedHunk[] = [];
  for (const hunks of layers) {
    const { origins } = peeling;
    const layer = placeHunks(hunks, peeling.text.lines);
    placed.push(...layer.map(({ hunk, place }) => ({ hunk, place: inOrigin(place, origins) })));
    peeling = takeOff(layer, peeling);
  }
  return { placed, before: peeling.text };
}

function inOrigin(place: PresentPlace, origins: LineOrigins): PresentPlace {
  switch (place.type) {
    case "exact":
      return { type: "exact", spans: place.spans.map((span) => spanInOrigin(span, origins)) };
    case "edited":
      return { type: "edited", span: spanInOrigin(place.span, origins) };
    case "gone":
      return place;
    default:
      return place satisfies never;
  }
}

function spanInOrigin({ start, end }: HunkSpan, origins: LineOrigins): HunkSpan {
  const from = origins[start] ?? 0;
  if (start === end) return { start: from, end: from };
  const last = origins[end - 1] ?? from;
  return { start: from, end: Math.max(last + 1, from) };
}

function takeOff(layer: readonly PlacedHunk[], { text, origins }: Peeling): Peeling {
  const lines: string[] = [];
  const kept: number[] = [];
  let at = 0;
  const takeUntil = (end: number): void => {
    lines.push(...text.lines.slice(at, end));
    kept.push(...origins.slice(at, end));
    at = end;
  };
  let { isOpen } = text;
  for (const { hunk, place } of layer) {
    if (place.type !== "exact") continue;
    for (const [index, { removed }] of hunk.replacements.entries()) {
      const span = place.spans[index];
      if (!span) continue;
      takeUntil(span.start);
      lines.push(...removed);
      kept.push(...removed.map(() => origins[span.start] ?? 0));
      at = span.end;
    }
    if (hunk.oldEnd !== undefined) isOpen = hunk.oldEnd === "open";
  }
  takeUntil(text.lines.length);
  return { text: { ...text, lines, isOpen }, origins: [...kept, origins.at(-1) ?? 0] };
}
