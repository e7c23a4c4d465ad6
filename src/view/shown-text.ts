/** What people are shown of a message's text: attached files by name, typed text unchanged. */

import type { TextPart } from "../protocol/messages.ts";

export const shownText = ({ text, file, typed }: TextPart): string =>
  file === undefined ? (typed ?? text) : `[file: ${file}]`;
