/** Commands of database clients between SQL statements: `\!`, `\copy`, `.shell`, `.output`, `source`. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const runsCommand = danger("high", "it runs a command out of the database's client");

/** One line may hold several commands of psql; everything behind `\!` goes to the shell. */
export const clientCommands = (line: Word): Effect[] =>
  (line.text.startsWith("\\") ? line.text.split(/(?=\\!)|(?<!\\!.*)(?=\\[a-z])/giu) : [line.text]).flatMap(
    (text) => commandEffects(text, line),
  );

/** To the shell goes all that follows, what stands behind a pipe, or in quotes. */
const given = [
  /^[\\.:]?(?:!+|(?:sh(?!ow)\w*|sy\w*|pager|edit)\b|\\?[Pe]\b)\s*([^]*)$/u,
  /^[\\.:]?(?:o|out|g|gx|w|write|output|once|read|r|import|log)\b[^|]*\|([^]*)$/u,
  /\bprogram\s+'([^']*)'/iu,
  /`([^`]*)`/u,
];
const dangers = /^\\(?:gexec|setenv|ef|ev|lo_import|lo_export|password)\b|^[.:](?:load|archive|ar)\b/u;
/** The file that a command runs, reads rows from, or writes. */
const places: readonly (readonly [RegExp, (path: Word) => Effect[]])[] = [
  [
    /^[\\.:]?(?:i|ir|include|include_relative|\.|source|read|rea|r|load)\s+(\S+)/iu,
    (path) => [loads(path), danger("medium", "it runs the statements of a file")],
  ],
  [
    /^\\copy\b.*\sfrom\s+('[^']*'|\S+)|^\.import\s+(\S+)/isu,
    (path) => [{ type: "reads", path }, danger("medium", "it changes data in a database")],
  ],
  [
    /^\\copy\b.*\sto\s+(?!p?stdout)('[^']*'|\S+)|^[\\.:]?(?:o|out|g|gx|w|write|tee|T|output|once|log|excel|trace|testcase|backup|save|clone|export|open|restore)\s+(?!stdout|off|\()(?:\S+\s+)*?('[^']*'|\S+)\s*$/isu,
    (path) => [{ type: "writes", path, how: "replaces" }],
  ],
];

function commandEffects(text: string, line: Word): Effect[] {
  const code = given.map((pattern) => pattern.exec(text)?.[1]).find((one) => one !== undefined);
  const plain = (part: string): Word => withText(line, part.trim().replaceAll(/^['"]|['"]$/gu, ""));
  if (code !== undefined) return [runsCommand, interprets("shell", plain(code))];
  const effects = places.flatMap(([pattern, does]) => {
    const [, path, other] = pattern.exec(text) ?? [];
    return path || other ? does(plain(path ?? other ?? "")) : [];
  });
  return [...(dangers.test(text) ? [runsCommand] : []), ...effects];
}
