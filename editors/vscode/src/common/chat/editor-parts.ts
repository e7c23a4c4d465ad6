/** What an editor shows, as parts of a message: a selection with its lines, and the problems of files. */

import { fileBounds } from "../../../../../src/base/bounds.ts";
import { filePart, nameInLine } from "../../../../../src/protocol/file-part.ts";
import type { TextPart } from "../../../../../src/protocol/messages.ts";
import { inEnglishOnly } from "../translate.ts";

/** Lines are counted from 1. */
type EditorSelection = { path: string; from: number; to: number; text: string };

export function selectionPart({ path, from, to, text }: EditorSelection): TextPart {
  const name = nameInLine(path);
  const lines = inEnglishOnly(from === to ? `Line ${from}` : `Lines ${from} to ${to}`);
  const { most } = fileBounds.text;
  const cut = text.length > most ? inEnglishOnly(`. Only the first ${most} characters are attached`) : "";
  return filePart({
    name: from === to ? `${name}:${from}` : `${name}:${from}-${to}`,
    about: inEnglishOnly(`${lines} of ${name}, selected in the editor${cut}`),
    text: text.slice(0, most),
  });
}

export type EditorProblem = { path: string; line: number; severity: "error" | "warning"; message: string };

/** Problems in one message; errors come first. */
const mostProblems = 100;

export function problemsPart(problems: readonly EditorProblem[]): TextPart {
  const sorted = problems.toSorted((a, b) => rank(a) - rank(b));
  const shown = sorted.slice(0, mostProblems).map(lineOf);
  const rest = problems.length - shown.length;
  const more = rest > 0 ? [inEnglishOnly(`and ${rest} more`)] : [];
  return filePart({
    name: "problems",
    about: inEnglishOnly(
      problems.length === 0
        ? "The editor shows no problems"
        : `Problems that the editor shows (${problems.length})`,
    ),
    text: [...shown, ...more].join("\n"),
  });
}

const rank = ({ severity }: EditorProblem): number => (severity === "error" ? 0 : 1);

const lineOf = ({ path, line, severity, message }: EditorProblem): string =>
  `${path}:${line}: ${severity}: ${message.replaceAll(/\s*\n\s*/gu, " ")}`;

/** How a message names a file of the workspace. */
export const mentionOf = (path: string): string => (/\s/u.test(path) ? `@"${path}"` : `@${path}`);
