/** Remembers kept hunks with the window's workspace, for the sessions of late. */

import { isObject } from "../../../../../src/base/json.ts";
import type { KeptHunksStore } from "../../common/review/kept-hunks.ts";

/** VS Code's store for what an extension remembers of a workspace. */
type Memento = { get(key: string): unknown; update(key: string, value: unknown): PromiseLike<void> };

const key = "toolwright.keptHunks";
const mostSessions = 50;

export function keptHunksIn(memento: Memento): KeptHunksStore {
  return {
    read: (session) => strings(readAll(memento)[session]),
    write(session, keys) {
      const { [session]: _, ...others } = readAll(memento);
      const all = [...Object.entries(others), [session, keys] as const].filter(
        ([, each]) => strings(each).length > 0,
      );
      void memento.update(key, Object.fromEntries(all.slice(-mostSessions)));
    },
  };
}

function readAll(memento: Memento): Readonly<Record<string, unknown>> {
  const stored = memento.get(key);
  return isObject(stored) ? stored : {};
}

const strings = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
