/** Streams a terminal's output while a call waits. */

import { kib } from "../../base/bound.ts";
import { ansiStripper } from "../../base/terminal/plain-text.ts";
import type { ToolContext } from "../tool.ts";
import type { LiveTerminal } from "./live-terminal.ts";

/** More output than this cannot be followed live; the result has the end of it. */
const mostCharacters = 256 * kib;

/** Listens until the returned function is called. */
export function startListening(terminal: LiveTerminal, context: ToolContext): () => void {
  const decoder = new TextDecoder();
  const plain = ansiStripper();
  let shown = 0;
  const listener = (bytes: Uint8Array): void => {
    const words = plain(decoder.decode(bytes, { stream: true }));
    // The output of full-screen programs makes no sense as a sequence of lines.
    if (terminal.screen.isFullScreen || shown > mostCharacters) return;
    shown += words.length;
    if (words !== "") context.output(words);
  };
  terminal.listeners.add(listener);
  return () => terminal.listeners.delete(listener);
}
