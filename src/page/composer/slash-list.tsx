/** The list of commands and skills that match the text typed after a slash. */

import { useEffect, useRef } from "preact/hooks";
import { countWords, sourceWords } from "./slash.ts";
import type { Slash } from "./use-slash.ts";

const listId = "slash-list";
const optionId = (at: number): string => `slash-option-${at}`;

/** ARIA attributes that tell screen readers which item is selected. */
export const slashField = ({ items, at }: Slash) =>
  items.length === 0
    ? {}
    : {
        "aria-autocomplete": "list" as const,
        "aria-controls": listId,
        "aria-activedescendant": optionId(at),
      };

export function SlashList({ slash: { items, at, choose } }: { slash: Slash }) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, items.length]);
  return (
    <>
      <p class="visually-hidden" role="status">
        {items.length > 0 && countWords(items.length)}
      </p>
      {items.length > 0 && (
        <ul class="slash-list" id={listId} role="listbox" aria-label="Commands" ref={list}>
          {items.map((command, index) => (
            <li
              key={command.path}
              class="slash-option"
              id={optionId(index)}
              role="option"
              aria-selected={index === at}
              title={command.path}
              onPointerDown={(event) => event.preventDefault()} // keeps the focus in the field
              onClick={() => choose(command)}
            >
              <span class="slash-name" dir="auto">
                /{command.name}
                {command.argumentHint !== undefined && <span class="muted"> {command.argumentHint}</span>}
              </span>
              <span class="slash-says" dir="auto">
                {command.description}
              </span>
              <span class="slash-source muted">{sourceWords(command)}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
