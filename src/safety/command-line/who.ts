/** Finds out which program the first word of a command names, as far as that can be told. */

import { findProgram, programsLike } from "../dangers/index.ts";
import type { Program } from "../dangers/program.ts";
import { placeOf } from "../judge/place.ts";
import { absolutePath, aroundOf, madeAt, type Shell } from "./shell.ts";
import { isUnknown, type Word } from "./word.ts";

type Who =
  | { type: "program"; row: Program }
  /**
   * The file itself matters: this line, the workspace or somebody else wrote it. It may have a known program's name.
   */
  | { type: "file"; row?: Program }
  /** A pattern, and the programs that it matches. */
  | { type: "one-of"; rows: readonly { name: string; row: Program }[] }
  | { type: "unknown"; because: string }
  /** `x --version`: whatever the program is, it only prints that and exits. */
  | { type: "asked-for-itself" };

export function whoIs([first, ...rest]: readonly Word[], shell: Shell): Who {
  if (!first || isUnknown(first))
    return { type: "unknown", because: "the name of the program is only known when it runs" };
  if (first.isPattern && /[*?[]/u.test(first.text))
    return { type: "one-of", rows: isOwnFile(first, shell) ? [] : programsLike(nameOf(first)) };
  const row = findProgram(first.text, shell.around.own);
  const path = first.text.includes("/") ? absolutePath(first.text, shell.directory) : undefined;
  if (path !== undefined && !isInstalled(path, shell)) return row ? { type: "file", row } : { type: "file" };
  if (row) return { type: "program", row };
  if (path !== undefined && placeOf(path, aroundOf(shell)).kind === "in-workspace") return { type: "file" };
  if (rest.length === 1 && selfQuestion.test(rest[0]?.text ?? "")) return { type: "asked-for-itself" };
  return { type: "unknown", because: "Toolwright does not know this program" };
}

/** The name of a program without its directories. */
export const nameOf = ({ text }: Word): string => text.slice(text.lastIndexOf("/") + 1);

const selfQuestion = /^(?:--version|--help|-V|version|help|-h|-\?)$/u;

/** Whatever a pattern matches there, it is not a program of the system. */
function isOwnFile({ text }: Word, shell: Shell): boolean {
  const path = text.includes("/") ? absolutePath(text, shell.directory) : undefined;
  if (path === undefined || installed.test(path)) return false;
  const { kind } = placeOf(path, aroundOf(shell));
  return kind === "in-workspace" || kind === "workspace" || kind === "temporary";
}

/** Where package managers and the system put programs: there a name can be trusted. */
const installed =
  /^\/opt\/|\/(?:node_modules\/\.bin|\.?venv\/bin|\.cargo\/bin|go\/bin|\.local\/bin|\.nvm\/.*\/bin|\.pyenv\/(?:shims|versions\/.*\/bin)|linuxbrew\/.*bin|\.bun\/bin|\.deno\/bin)\//u;

export function isInstalled(path: string, shell: Shell): boolean {
  if (madeAt(shell, path)) return false;
  return installed.test(path) || placeOf(path, aroundOf(shell)).kind === "system";
}

/** From the first word that names a program, behind `--` if there is one. */
export function commandAmong(given: readonly Word[], { around: { own } }: Shell): readonly Word[] {
  const words = given.slice(given.findIndex(({ text }) => text === "--") + 1);
  const known = words.findIndex(
    ({ text }) => /^[\w./-]{2,}$/u.test(text) && text !== "exec" && findProgram(text, own) !== undefined,
  );
  const start = known < 0 ? words.findIndex(({ text }) => !text.startsWith("-")) : known;
  return start < 0 ? [] : words.slice(start);
}
