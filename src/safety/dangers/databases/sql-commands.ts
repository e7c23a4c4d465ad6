/** Commands of database clients between SQL statements: `\!`, `\copy`, `.shell`, `.output`, `source`. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

const runsCommand = danger("high", "it runs a command out of the database's client");
const runsFile = danger("medium", "it runs the statements of a file");

/** One line may hold several commands of psql; everything behind `\!` goes to the shell. */
export function clientCommands(line: Word): Effect[] {
  const shell = line.text.indexOf("\\!");
  const before = shell < 0 ? line.text : line.text.slice(0, shell);
  const parts = before.startsWith("\\") ? before.split(/(?=\\[a-z])/iu) : [before];
  return [...parts, ...(shell < 0 ? [] : [line.text.slice(shell)])].flatMap((text) =>
    commandEffects(text, line),
  );
}

const shells = /^[\\.:]?(?:!+|(?:sh(?!ow)\w*|sy\w*|pager|edit)\b|\\?[Pe]\b)\s*/u;
const files = /^[\\.:]?(?:i|ir|include|include_relative|\.|source|read|rea|r|load)\s+/iu;
const targets =
  /^[\\.:]?(?:o|out|g|gx|w|write|tee|T|output|once|log|excel|trace|testcase|backup|save|clone|export|open|restore)\s+/u;
const dangers = /^\\(?:gexec|setenv|ef|ev|lo_import|lo_export|password)\b|^[.:](?:load|archive|ar)\b/u;
const piped = /^[\\.:]?(?:o|out|g|gx|w|write|output|once|read|r|import|log)\b[^|]*\|(?<code>[^]*)$/u;

function commandEffects(text: string, line: Word): Effect[] {
  const runs = (code: string): Effect[] => [
    runsCommand,
    interprets("shell", withText(line, withoutQuotes(code))),
  ];
  const [shell] = shells.exec(text) ?? [];
  if (shell !== undefined) return runs(text.slice(shell.length));
  const code =
    piped.exec(text)?.groups?.["code"] ??
    /\bprogram\s+'(?<code>[^']*)'/iu.exec(text)?.groups?.["code"] ??
    /`(?<code>[^`]*)`/u.exec(text)?.groups?.["code"];
  if (code !== undefined) return runs(code);
  const words = (text.match(/'[^']*'|"[^"]*"|\S+/gu) ?? []).map((word) =>
    withText(line, withoutQuotes(word)),
  );
  const last = words.at(-1);
  const effects = dangers.test(text) ? [runsCommand] : [];
  if (words.length < 2 || !last) return effects;
  if (files.test(text)) effects.push(...words.slice(1, 2).map((path) => loads(path)), runsFile);
  else if (targets.test(text) && !/^(?:stdout|off)$|^\(/u.test(last.text))
    effects.push({ type: "writes", path: last, how: "replaces" });
  else if (/^(?:\\copy|\.import)\b/u.test(text)) effects.push(...copiesRows(words));
  return effects;
}

/** `\copy t to 'a.csv'`, `.import a.csv t`: rows go to a file, or come from one. */
function copiesRows(words: readonly Word[]): Effect[] {
  const at = words.findIndex(({ text }) => /^(?:to|from)$/iu.test(text));
  const path = words[at < 0 ? 1 : at + 1];
  if (!path || /^p?std(?:in|out)$/iu.test(path.text)) return [];
  return /^to$/iu.test(words[at]?.text ?? "")
    ? [{ type: "writes", path, how: "replaces" }]
    : [{ type: "reads", path }, danger("medium", "it changes data in a database")];
}

const withoutQuotes = (text: string): string =>
  text
    .trim()
    .replace(/^(?<mark>['"])(?<inside>.*)\k<mark>$/su, "$<inside>")
    .replace(/["']$/u, "");
