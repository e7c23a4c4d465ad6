/** Reads a person's own system prompt (`--system-prompt-file`, `--append-system-prompt-file`). */

import { figureOf } from "../base/bound.ts";
import { fileBounds } from "../base/bounds.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";
import { decodeText } from "../base/text.ts";

/** `instead` replaces Toolwright's own text, `added` follows it. */
export type OwnSystemPrompt = { instead?: string; added?: string };

type PromptPaths = { instead: string | undefined; added: string | undefined };

export function readSystemPrompts({ instead, added }: PromptPaths): Expected<OwnSystemPrompt> {
  const whole = instead === undefined ? undefined : readPrompt(instead);
  if (whole?.ok === false) return whole;
  const more = added === undefined ? undefined : readPrompt(added);
  if (more?.ok === false) return more;
  return {
    ok: true,
    value: { instead: whole?.value, added: more?.value },
  };
}

function readPrompt(path: string): Expected<string> {
  const wrong = (words: string): Expected<never> => refuse(`The system prompt ${path} ${words}`);
  const read = readSmallFile(path, fileBounds.configuration.most);
  if (!read.ok)
    return read.problem === "too-large"
      ? wrong(`is too large: at most ${figureOf(fileBounds.configuration)} are taken`)
      : wrong(`cannot be read (${read.problem === "no-file" ? "it is no file" : read.problem})`);
  if (read.value === undefined) return wrong("does not exist: name a text file");
  const decoded = decodeText(read.value);
  if (decoded.kind === "binary") return wrong(`is no UTF-8 text (${decoded.type})`);
  return decoded.text.trim() === "" ? wrong("is empty") : { ok: true, value: decoded.text.trim() };
}
