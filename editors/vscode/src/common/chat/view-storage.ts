/** A browser's storage for the view that the extension keeps: a window that is reloaded loses a webview's own state. */

/** Values by key; null for a key that is gone. */
export type StorageChanges = Readonly<Record<string, string | null>>;

/** Milliseconds between a change and its being told. */
const restMs = 100;

type ViewStorage = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

type ViewStorageContext = {
  kept: Readonly<Record<string, string>>;
  keep: (changes: StorageChanges) => void;
};

export function viewStorage({ kept, keep }: ViewStorageContext): ViewStorage {
  const held = new Map(Object.entries(kept));
  const changes = new Map<string, string | null>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tell = (): void => {
    timer = undefined;
    keep(Object.fromEntries(changes));
    changes.clear();
  };
  const changed = (key: string, value: string | null): void => {
    changes.set(key, value);
    timer ??= setTimeout(tell, restMs);
  };
  return {
    get length() {
      return held.size;
    },
    key: (at) => [...held.keys()][at] ?? null,
    getItem: (key) => held.get(key) ?? null,
    setItem(key, value) {
      held.set(key, value);
      changed(key, value);
    },
    removeItem(key) {
      if (held.delete(key)) changed(key, null);
    },
  };
}

/** Longer values, such as attached pictures, last only as long as the view. */
export const longestKept = 256 * 1024;

/** What is kept after these changes. */
export function withChanges(
  kept: Readonly<Record<string, string>>,
  changes: StorageChanges,
): Record<string, string> {
  const next = new Map(Object.entries(kept));
  for (const [key, value] of Object.entries(changes))
    if (value === null || value.length > longestKept) next.delete(key);
    else next.set(key, value);
  return Object.fromEntries(next);
}
