/** How addons learn which files a command would run: from the parser that judges commands, which the runtime hands in. */

export type FilesRun = (
  runs: { type: "line"; line: string } | { type: "program"; command: readonly string[] },
  around: {
    workspace: string;
    /** The start directory, if not the workspace. */
    from?: string;
    /** Set for the command. */
    variables?: readonly (readonly [name: string, value: string])[];
  },
) =>
  | {
      /** Sorted by path, which is relative to the workspace. Without `bytes` the file is too large to show. */
      files: readonly { path: string; hash: string; bytes?: Uint8Array }[];
      /** Directories of which every file counts, ending in "/". */
      whole: readonly string[];
      /** The parts of the command that do not reveal which files they load. */
      unfollowed: readonly string[];
    }
  /** There may be too many to check each time, so nobody can consent to it. */
  | undefined;

/** A program with its arguments, on one line for a person. */
export const commandWords = (command: readonly string[]): string =>
  command.map((word) => (/^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word))).join(" ");

/** Lines for a person, shown after the covered files. */
export function unfollowedWords(parts: readonly string[]): string[] {
  if (parts.length === 0) return [];
  const named = parts
    .slice(0, mostNamed)
    .map((text) => (text.length > longest ? `${text.slice(0, longest)}…` : text));
  return [
    "not counted, because these words do not tell it: which files of the workspace these load or run:",
    ...named.map((text) => `  ${text}`),
    ...(parts.length > mostNamed ? [`  … and ${parts.length - mostNamed} more parts`] : []),
  ];
}

const mostNamed = 5;
const longest = 200;
