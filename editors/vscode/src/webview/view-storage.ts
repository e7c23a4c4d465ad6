/** A browser's storage kept in the state of a webview: written a little later, and all at once. */

import { isObject } from "../../../../src/base/json.ts";
import type { WebviewHost } from "./view-host.ts";

/** Milliseconds between a change and its being kept. */
const restMs = 300;

export type ViewStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

export function viewStorage(host: Pick<WebviewHost, "getState" | "setState">): ViewStorage {
  const held = heldIn(host.getState());
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (): void => {
    clearTimeout(timer);
    timer = undefined;
    host.setState(Object.fromEntries(held));
  };
  const changed = (): void => {
    timer ??= setTimeout(keep, restMs);
  };
  addEventListener("pagehide", () => timer !== undefined && keep());
  return {
    get length() {
      return held.size;
    },
    key: (at) => [...held.keys()][at] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem(key, value) {
      held.set(key, value);
      changed();
    },
    removeItem(key) {
      if (held.delete(key)) changed();
    },
  };
}

const heldIn = (state: unknown): Map<string, string> =>
  new Map(
    isObject(state)
      ? Object.entries(state).flatMap(([key, value]) =>
          typeof value === "string" ? [[key, value] as const] : [],
        )
      : [],
  );
