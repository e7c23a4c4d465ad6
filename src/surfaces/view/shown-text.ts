/**
 * What people are shown of a text that was said: a file that was sent along by its name, what was typed as it was
 * typed.
 */

import type { TextPart } from "../../protocol/messages.ts";

export const shownText = ({ text, file, typed }: TextPart): string =>
  file === undefined ? (typed ?? text) : `[file: ${file}]`;
