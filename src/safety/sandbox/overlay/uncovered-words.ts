/** Describes uncovered entries in a few lines, for users and models. */

import { countOf, sizeInWords } from "../../../base/amounts.ts";
import { type BytePath, shownPath } from "./byte-path.ts";
import type { Reason, UncoveredDifference } from "./coverage.ts";
import type { OverlayCaps } from "./differences.ts";
import { isGeneratedName } from "./generated-directories.ts";

const mostLines = 20;

/** "node_modules: 30,123 files": one line for each generated directory, large file or top directory. */
export function uncoveredInWords(list: readonly UncoveredDifference[], caps: OverlayCaps): string[] {
  const lines = new Map<string, UncoveredLine>();
  for (const one of list) {
    const files = filesOf(one);
    const place = placeOf(one);
    const key = `${one.reason}/${place}`;
    if (files === 0 && !isOddDirectory(one)) continue;
    lines.set(key, { place, reason: one.reason, files: files + (lines.get(key)?.files ?? 0) });
  }
  const told = [...lines.values()].map(
    ({ place, reason, files }) => `${shownPath(place)}: ${filesInWords(files)}${because(reason, caps)}`,
  );
  if (told.length <= mostLines) return told;
  const more = told.length - mostLines + 1;
  return [...told.slice(0, mostLines - 1), `and ${more} more places`];
}

/** The directories and files that those lines are about. */
export const placesOf = (list: readonly UncoveredDifference[]): BytePath[] => [...new Set(list.map(placeOf))];

/** Something was there that is kept nowhere, and that no installing or building makes again. */
export const isLoss = ({ path, before, files = 0, reason }: UncoveredDifference): boolean =>
  before !== null &&
  (before.kind !== "directory" || files > 0) &&
  reason !== "generated" &&
  !path.split("/").some(isGeneratedName);

type UncoveredLine = { place: BytePath; reason: Reason; files: number };

function filesOf({ before, after, files }: UncoveredDifference): number {
  if (files !== undefined) return Math.max(1, files);
  return (after ?? before)?.kind === "directory" ? 0 : 1;
}

/** Reported individually; other directories only contain entries that are. */
const isOddDirectory = ({ reason }: UncoveredDifference): boolean => reason === "odd" || reason === "name";

function placeOf({ path, reason, generated, apart }: UncoveredDifference): BytePath {
  if (reason === "apart") return apart ?? path;
  if (reason === "generated") return generated ?? path;
  return reason === "limit" ? (path.split("/")[0] ?? path) : path;
}

const filesInWords = (files: number): string => (files === 0 ? "a directory" : countOf(files, "file"));

function because(reason: Reason, { fileBytes }: OverlayCaps): string {
  switch (reason) {
    case "generated":
    case "apart":
      return "";
    case "limit":
    case "holds":
      return " (more than can be kept)";
    case "size":
      return ` (larger than ${sizeInWords(fileBytes)})`;
    case "name":
      return " (the name is no UTF-8 text)";
    case "odd":
      return " (cannot be kept)";
    default:
      return reason satisfies never;
  }
}
