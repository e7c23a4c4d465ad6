/** Shows a terminal's output while a call waits for it. */

import { bounds } from "../../base/bounds.ts";
import { ansiStripper } from "../../base/terminal/plain-text.ts";
import type { ToolRoom } from "../tool.ts";
import type { LiveTerminal } from "./live-terminal.ts";

/** More is nothing that anybody could follow; the result has its end. */
const mostCharacters = bounds.terminals.liveText.most;

/** Until what it returns is called. */
export function startListening(terminal: LiveTerminal, room: ToolRoom): () => void {
  const decoder = new TextDecoder();
  const plain = ansiStripper();
  let shown = 0;
  const listener = (bytes: Uint8Array): void => {
    const words = plain(decoder.decode(bytes, { stream: true }));
    // What full-screen programs draw makes no sense in a row.
    if (terminal.screen.isFullScreen || shown > mostCharacters) return;
    shown += words.length;
    if (words !== "") room.output(words);
  };
  terminal.listeners.add(listener);
  return () => terminal.listeners.delete(listener);
}
