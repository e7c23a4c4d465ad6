/** Reports how much of an answer is withheld, so that a model writing a long call does not look silent (A28). */

import type { ToolDescription } from "../../protocol/messages.ts";
import type { ModelEvent } from "../../protocol/model-events.ts";

/** Receives each piece of text, and the events emitted for it. */
type WithheldWatch = (text: string, told: readonly ModelEvent[]) => ModelEvent[];

/** Less than this is normal while a mark is undecided, and most of it is not a call. */
const least = 200;
/** A name farther from the beginning is not the call's. */
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

/** The rest of a piece that began as text: providers merge pieces that arrive together. */
function untold(text: string, told: readonly ModelEvent[]): string {
  const said = told.map((event) => (event.type === "text-delta" ? event.text.length : text.length));
  return text.slice(said.reduce((sum, length) => sum + length, 0));
}

/** The offered tool mentioned first. */
function firstNamed(text: string, tools: readonly ToolDescription[]): string {
  const named = tools.map(({ name }) => ({ name, at: text.indexOf(name) })).filter(({ at }) => at >= 0);
  const [first] = named.toSorted((one, other) => one.at - other.at || other.name.length - one.name.length);
  return first?.name ?? "";
}
