/** What a repository's names stand for, as a text that undo compares and brings back like a file's. */

/** `head`: a branch's name or, detached, a commit. `index`: the tree of what is staged; absent while a merge is open. */
export type References = {
  head: string | undefined;
  index: string | undefined;
  /** What each branch, tag and other reference leads to: a hash, or the name of another reference. */
  names: ReadonlyMap<string, string>;
  /** The newest first. */
  stash: readonly StashEntry[];
  /** What git keeps while a merge, a rebase and the like is not over, by the names of its files. */
  open: readonly string[];
};

export type StashEntry = { hash: string; message: string };

/** A line each. */
export function referencesText({ head, index, names, stash, open }: References): string {
  const lines = [
    ...(head === undefined ? [] : [`HEAD ${head}`]),
    ...(index === undefined ? [] : [`index ${index}`]),
    ...[...names].map(([name, value]) => `${name} ${value}`),
    ...stash.map(({ hash, message }) => `stash ${hash} ${message}`),
    ...open.map((name) => `open ${name}`),
  ];
  return lines.map((line) => `${line}\n`).join("");
}

/** Undefined if the text is none of these: a merge of two of them may be. */
export function readReferencesText(text: string): References | undefined {
  const names = new Map<string, string>();
  const stash: StashEntry[] = [];
  const open: string[] = [];
  const single = new Map<string, string>();
  for (const line of text.split("\n").slice(0, -1)) {
    const [, name = "", value = "", message] = /^([^ ]+) ([^ ]+)(?: (.*))?$/su.exec(line) ?? [];
    if (name === "stash" && isHash(value)) stash.push({ hash: value, message: message ?? "" });
    else if (message !== undefined || value === "" || single.has(name) || names.has(name)) return undefined;
    else if (name === "open") open.push(value);
    else if (name === "HEAD" || name === "index") single.set(name, value);
    else if (name.startsWith("refs/")) names.set(name, value);
    else return undefined;
  }
  return { head: single.get("HEAD"), index: single.get("index"), names, stash, open };
}

export const isHash = (text: string): boolean => /^(?:[\da-f]{40}|[\da-f]{64})$/u.test(text);
