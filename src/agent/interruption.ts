/** What stops a running turn, and what the results of the calls that it cuts short say of it. */

import { byPerson } from "../protocol/fact-words.ts";
import type { FactOf } from "../protocol/facts.ts";
import { findTool } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";

/** What stops a turn, and who if it is a person. */
export type Stopper = Pick<FactOf<"turn-end">, "by" | "device"> & { because: string };

/** The reason with which a running step is aborted. */
export class Interruption extends Error {
  override readonly name = "Interruption";
  readonly stopper: Stopper;

  constructor(stopper: Stopper) {
    super("interrupted");
    this.stopper = stopper;
  }
}

/** What a signal was aborted with, or else a person. */
export const stopperOf = ({ reason }: AbortSignal): Stopper =>
  reason instanceof Interruption ? reason.stopper : { because: byPerson };

/** For the result of a call that had started. */
export function wordsWhileItRan(name: string, tools: readonly Tool[], { because }: Stopper): string {
  if (because !== byPerson)
    return `Stopped while it ran (${because}): it may be half done. Check before repeating it.`;
  const tool = findTool(tools, name);
  return tool.ok && tool.value.lasting
    ? "The user stopped waiting for it; what runs on the terminal goes on."
    : "Stopped by the user while it ran: it may be half done. Check before repeating it.";
}
