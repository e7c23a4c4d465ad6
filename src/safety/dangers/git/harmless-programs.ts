/** Programs commonly named in git settings: pagers and editors, with harmless options only. */

import { isLiteral, type Word } from "../../command-line/word.ts";
import { namesIn } from "../listed.ts";

const programs = new Set(
  namesIn(`true false : yes no on off 0 1
  cat less more most bat batcat delta diff-so-fancy difft
  vi vim nvim nano pico emacs emacsclient micro hx helix kak joe ed code codium cursor subl zed atom mate gedit kate
  ssh gpg gpg2 ssh-keygen git-lfs firefox chromium vimdiff nvimdiff meld kdiff3 opendiff`),
);

/** Options of editors and pagers that take no value: `--wait`, `-FRX`, `-nw`. */
const plainSwitch = /^(?:--[a-z-]+|-[FRXSnwi]+)$/u;

/** `git-lfs clean -- %f` is the form in which git-lfs registers itself in the settings. */
const largeFiles = /^git-lfs (?:clean|smudge|filter-process)(?: (?:--|--skip|%f))*$/u;

export function isHarmlessProgram(value: Word): boolean {
  if (!isLiteral(value)) return false;
  if (value.text.trim() === "" || largeFiles.test(value.text)) return true;
  const [name = "", ...rest] = value.text.trim().split(/[ \t]+/u);
  return programs.has(name.toLowerCase()) && rest.every((word) => plainSwitch.test(word));
}
