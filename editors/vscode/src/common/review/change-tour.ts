/** The way through all changes that await a review: "Change X of Y", file after file. */

import type { FileInReview } from "./changed-files.ts";
import type { PresentPlace } from "./hunk-places.ts";
import type { PeeledText } from "./peeled-text.ts";

/** A change to stop at. `line`: from 0, in the present text; absent where the file has no lines to show. */
export type TourStop = { path: string; key?: string; line?: number };

export type TourPlace = { path: string; line: number };

/** `peeled`: where the hunks of a file are. A file without hunks is one stop. */
export function tourOf(
  files: readonly FileInReview[],
  peeled: (file: FileInReview) => PeeledText,
): TourStop[] {
  return files.flatMap((file) => {
    const stops = peeled(file).placed.flatMap(({ hunk, place }) => {
      const line = lineOf(place);
      return line === undefined ? [] : [{ path: file.path, key: hunk.key, line }];
    });
    return stops.length === 0 ? [{ path: file.path }] : stops.toSorted((one, other) => one.line - other.line);
  });
}

/** The first line of a hunk; none where nothing of it is left, or it removed the file. */
export function lineOf(place: PresentPlace): number | undefined {
  switch (place.type) {
    case "exact":
      return place.spans[0]?.start;
    case "edited":
      return place.span.start;
    case "gone":
      return undefined;
    default:
      return place satisfies never;
  }
}

/** The stop at a place, or the last one before it in its file; from 0. */
export function stopAt(stops: readonly TourStop[], place: TourPlace | undefined): number | undefined {
  if (!place) return undefined;
  const inFile = stops.flatMap((stop, at) =>
    stop.path === place.path ? [{ at, line: stop.line ?? 0 }] : [],
  );
  const reached = inFile.findLast(({ line }) => line <= place.line);
  return reached?.at;
}

/** Begins anew behind the last stop. Outside all files that changed it is the first. */
export function nextStop(stops: readonly TourStop[], place: TourPlace | undefined): number | undefined {
  if (stops.length === 0) return undefined;
  const inFile = place ? stops.findIndex((stop) => stop.path === place.path) : -1;
  if (!place || inFile === -1) return 0;
  const last = stops.findLastIndex((stop) => isUpTo(stop, place));
  return last === -1 ? inFile : (last + 1) % stops.length;
}

const isUpTo = (stop: TourStop, { path, line }: TourPlace): boolean =>
  stop.path === path && (stop.line ?? 0) <= line;

export function previousStop(stops: readonly TourStop[], place: TourPlace | undefined): number | undefined {
  if (stops.length === 0) return undefined;
  const inFile = place ? stops.findIndex((stop) => stop.path === place.path) : -1;
  if (!place || inFile === -1) return stops.length - 1;
  const before = stops.findLastIndex((stop) => stop.path === place.path && (stop.line ?? 0) < place.line);
  return before === -1 ? (inFile - 1 + stops.length) % stops.length : before;
}
