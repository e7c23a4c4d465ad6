/** The hunks that a person has kept while others of the same file wait, remembered by session. */

export type KeptHunksStore = {
  read: (session: string) => readonly string[];
  write: (session: string, keys: readonly string[]) => void;
};

/** For each session, the hunks of the newest decisions. */
const mostKept = 5000;

export function withKept(keys: ReadonlySet<string>, more: readonly string[]): string[] {
  return [...keys, ...more.filter((key) => !keys.has(key))].slice(-mostKept);
}

/** Without those that another decision has overtaken. */
export function withoutKept(keys: ReadonlySet<string>, over: readonly string[]): string[] {
  const gone = new Set(over);
  return [...keys].filter((key) => !gone.has(key));
}

/** In memory, for as long as the program runs. */
export function keptHunksInMemory(): KeptHunksStore {
  const kept = new Map<string, readonly string[]>();
  return {
    read: (session) => kept.get(session) ?? [],
    write: (session, keys) => void kept.set(session, keys),
  };
}
