/** Parses which changes a person selects: "3 src/a.ts --hunk 1,2", on the command line or in a conversation. */

import { type Expected, refuse } from "../../base/expected.ts";
import type { UndoCommand } from "../../protocol/commands.ts";
import { parseArguments } from "./arguments.ts";
import { waysOnConflict } from "./option-choices.ts";
import type { Values } from "./options.ts";

/** The selection as typed. `turn` is a number or a checkpoint id; `paths` are not resolved yet. */
export type ChangeSelection = {
  turn?: string;
  paths: string[];
} & Pick<UndoCommand, "hunks" | "onConflict">;

/** A number or a checkpoint id is a turn, everything else a path; write "./5" for a file named 5. */
export function readAsked(words: readonly string[], flags: Values): Expected<ChangeSelection> {
  const turns = words.filter(isTurn);
  const paths = words.filter((word) => !isTurn(word));
  const [turn, second] = turns;
  if (second !== undefined)
    return refuse(`Only one request at a time: ${turn} or ${second}? A file of that name is ./${second}.`);
  if (turn !== undefined && /^0+$/u.test(turn)) return refuse("Requests are numbered from 1.");
  if (paths.includes("")) return refuse("A path is empty: name a file, or leave it out to mean all.");
  const hunks = readHunks(flags.hunk);
  if (!hunks.ok) return hunks;
  if (hunks.value && paths.length > 1)
    return refuse(`--hunk is of one file, and these are ${paths.length}: undo them one by one.`);
  const onConflict = waysOnConflict.find((way) => way === flags.conflict);
  return {
    ok: true,
    value: {
      turn,
      paths,
      hunks: hunks.value,
      onConflict,
    },
  };
}

/** The same for the rest of a line in a conversation, where quotes group a path with spaces. */
export function readAskedLine(
  command: "diff" | "undo" | "redo" | "keep",
  rest: string,
): Expected<ChangeSelection> {
  const words = splitWords(rest);
  if (!words.ok) return words;
  const parsed = parseArguments([command, ...words.value], {});
  if (!parsed.ok) return refuse(inConversation(parsed.problem));
  const { flags } = parsed.value;
  const strange = Object.keys(flags).find((name) => name !== "hunk" && name !== "conflict");
  if (strange !== undefined) return refuse(`/${command} takes no option --${strange}.`);
  return readAsked(parsed.value.words, flags);
}

const inConversation = (words: string): string =>
  words.replace(/: see toolwright --help$/u, ": /help lists the commands").replaceAll("toolwright ", "/");

const isTurn = (word: string): boolean => /^(?:\d+|ckpt_\w+)$/u.test(word);

/** At most nine digits, which is more hunks than any file has. */
function readHunks(value: Values["hunk"]): Expected<number[] | undefined> {
  if (typeof value !== "string") return { ok: true, value: undefined };
  const numbers = value.split(",").map((word) => word.trim());
  if (numbers.every((word) => /^0*[1-9]\d{0,8}$/u.test(word)))
    return { ok: true, value: [...new Set(numbers.map(Number))] };
  return refuse(
    `--hunk must be hunks by their numbers, such as 2 or 1,3, not ${JSON.stringify(value)}: toolwright diff numbers them from 1.`,
  );
}

/** Splits at blanks, except inside quotes. */
export function splitWords(text: string): Expected<string[]> {
  const words: string[] = [];
  const pattern = /\s+|((?:[^\s"']+|"[^"]*"|'[^']*')+)/uy;
  while (pattern.lastIndex < text.length) {
    const at = pattern.lastIndex;
    const found = pattern.exec(text);
    if (!found) return refuse(`A quote is not closed: ${text.slice(at)}`);
    if (found[1] !== undefined)
      words.push(
        found[1].replaceAll(
          /"([^"]*)"|'([^']*)'/gu,
          (_, double?: string, single?: string) => double ?? single ?? "",
        ),
      );
  }
  return { ok: true, value: words };
}
