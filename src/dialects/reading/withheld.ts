/** Says how much of an answer is held back, so that a model that writes a long call does not look silent (A28). */

import type { ToolDescription } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";

/** Takes each piece of text, and what was told when it came. */
type WithheldWatch = (text: string, told: readonly ModelEvent[]) => ModelEvent[];

/** Until it is clear what a mark means less than this is held back, and most of that is no call. */
const least = 200;
/** A name that stands farther from the beginning is not that of the call. */
const mostSearched = 500;

export function withheldWatch(tools: readonly ToolDescription[]): WithheldWatch {
  let characters = 0;
  let start = "";
  let name = "";
  return (text, told) => {
    const held = told.length === 0 ? text : untold(text, told);
    if (told.length > 0) [characters, start, name] = [0, "", ""];
    characters += held.length;
    const isOpen = name === "" && start.length < mostSearched;
    if (isOpen) start += held.slice(0, mostSearched);
    if (characters < least) return [];
    if (isOpen) name = firstNamed(start, tools);
    return [{ type: "withheld", name, characters }];
  };
}

/** What is left of a piece that began as text: providers join pieces that come at once. */
function untold(text: string, told: readonly ModelEvent[]): string {
  const said = told.map((event) => (event.type === "text-delta" ? event.text.length : text.length));
  return text.slice(said.reduce((sum, length) => sum + length, 0));
}

/** The tool on offer that is named first. */
function firstNamed(text: string, tools: readonly ToolDescription[]): string {
  const named = tools.map(({ name }) => ({ name, at: text.indexOf(name) })).filter(({ at }) => at >= 0);
  const [first] = named.toSorted((one, other) => one.at - other.at || other.name.length - one.name.length);
  return first?.name ?? "";
}
