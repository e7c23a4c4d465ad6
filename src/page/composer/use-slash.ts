/** State of the command list while a name is typed after a slash: visibility and selection. */

import { useEffect, useState } from "preact/hooks";
import type { Expected } from "../../base/expected.ts";
import type { SlashCommandValue } from "../../remote/api-values.ts";
import { listKey, nameTyped, matchingCommands } from "./slash.ts";

/** Reads the commands that a message can invoke here. Never rejects. */
export type ReadCommands = () => Promise<Expected<readonly SlashCommandValue[]>>;

type SlashInput = { text: string; read: ReadCommands; take: (text: string) => void };

export function useSlash({ text, read, take }: SlashInput) {
  const [commands, setCommands] = useState<readonly SlashCommandValue[]>([]);
  const [isClosed, setClosed] = useState(false);
  const typed = nameTyped(text);
  const [chosen, setChosen] = useState({ typed, at: 0 });
  /** For newly typed letters, the selection returns to the first match. */
  const at = chosen.typed === typed ? chosen.at : 0;
  const isTyping = typed !== undefined;
  useEffect(() => {
    setClosed(false);
    if (!isTyping) return undefined;
    let isLeft = false;
    const learn = async (): Promise<void> => {
      const found = await read();
      if (!isLeft && found.ok) setCommands(found.value);
    };
    void learn();
    return () => {
      isLeft = true;
    };
  }, [isTyping]);
  const items = isTyping && !isClosed ? matchingCommands(commands, typed) : [];
  const choose = (command: SlashCommandValue | undefined): void => {
    if (command) take(`/${command.name} `);
  };
  /** Returns whether the list handled the key. */
  const pressed = (event: KeyboardEvent): boolean => {
    const isWhole = items[at]?.name === typed;
    const key = listKey(event, { at, count: items.length, isWhole });
    if (!key) return false;
    event.preventDefault();
    if (key.type === "move") setChosen({ typed, at: key.at });
    else if (key.type === "close") setClosed(true);
    else choose(items[at]);
    return true;
  };
  return { items, at, choose, pressed, close: () => setClosed(true), open: () => setClosed(false) };
}

export type Slash = ReturnType<typeof useSlash>;
