/** Client commands between SQL statements: `\!`, `\copy`, `.shell`, `.output`. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import type { SqlKind } from "./sql.ts";

const runsCommand = danger("high", "it runs a command out of the database's client");

export function clientCommand(command: Word, kind: SqlKind): Iterable<Effect> {
  if (kind === "postgres") return psqlLine(command);
  return kind === "mysql" ? mysql(command) : dot(command);
}

/** One line may hold several commands; everything after `\!` goes to the shell. */
function psqlLine(command: Word): Effect[] {
  const shell = command.text.indexOf("\\!");
  const before = shell < 0 ? command.text : command.text.slice(0, shell);
  const parts = before.split("\\").filter((text) => text !== "");
  return [...parts, ...(shell < 0 ? [] : [command.text.slice(shell + 1)])].flatMap((text) => [
    ...psql(withText(command, text)),
  ]);
}

const rest = (command: Word, length: number): Word =>
  withText(command, unquoted(command.text.slice(length).trim()));
const unquoted = (text: string): string =>
  text.replace(/^(?<mark>['"])(?<inside>.*)\k<mark>$/su, "$<inside>");
const first = (word: Word): Word =>
  withText(word, unquoted(/^(?:'[^']*'|"[^"]*"|\S+)/u.exec(word.text)?.[0] ?? ""));

/** A blank separates the command's name from its argument, except after `\!`. */
function* psql(command: Word): Iterable<Effect> {
  const name = /^(?:!|[a-z_+?]+)/iu.exec(command.text)?.[0] ?? "";
  const what = rest(command, name.length);
  if (name === "!") yield* [runsCommand, interprets("shell", what)];
  else if (/^(?:o|out|g|gx|w|write)$/u.test(name)) yield* output(what);
  else if (/^(?:i|ir|include|include_relative)$/u.test(name))
    yield* [loads(first(what)), danger("medium", "it runs the statements of a file")];
  else if (name === "copy") yield* copy(what);
  else if (/^(?:gexec|setenv|e|edit|ef|ev)$/u.test(name)) yield runsCommand;
  else if (/^(?:lo_import|lo_export|password)$/u.test(name))
    yield danger("high", "it moves files in or out, or changes a password");
  if (/`[^`]*`/u.test(command.text))
    yield* [
      runsCommand,
      interprets("shell", withText(command, /`(?<code>[^`]*)`/u.exec(command.text)?.groups?.["code"] ?? "")),
    ];
}

function* output(what: Word): Iterable<Effect> {
  if (what.text === "" || what.text === "stdout" || what.text.startsWith("(")) return;
  if (what.text.startsWith("|"))
    yield* [runsCommand, interprets("shell", withText(what, what.text.slice(1)))];
  else yield { type: "writes", path: first(what), how: "replaces" };
}

function* copy(what: Word): Iterable<Effect> {
  const [, direction = "", program, target = ""] =
    /\b(from|to)\s+(program\s+)?('[^']*'|\S+)/iu.exec(what.text) ?? [];
  const word = withText(what, unquoted(target));
  if (program !== undefined) yield* [runsCommand, interprets("shell", word)];
  else if (/^(?:stdin|stdout|pstdin|pstdout)?$/iu.test(word.text)) return;
  else if (direction.toLowerCase() === "to") yield { type: "writes", path: word, how: "replaces" };
  else yield* [{ type: "reads", path: word } as const, danger("medium", "it changes data in a database")];
}

function* mysql(command: Word): Iterable<Effect> {
  const name = /^(?:\\.|[a-z]+)/iu.exec(command.text)?.[0] ?? "";
  const what = rest(command, name.length);
  if (/^(?:\\!|system|\\P|pager|\\e|edit)$/iu.test(name)) yield* [runsCommand, interprets("shell", what)];
  else if (/^(?:\\\.|source)$/iu.test(name))
    yield* [loads(what), danger("medium", "it runs the statements of a file")];
  else yield { type: "writes", path: what, how: "appends" };
}

/** Also handles sqlcmd's commands (`:!!`, `:r`, `:out`), which start with a colon. */
function* dot(command: Word): Iterable<Effect> {
  const name = /^(?:[:.]?!!|[.:][a-z]+)/iu.exec(command.text)?.[0].slice(1).toLowerCase() ?? "";
  const what = rest(
    command,
    command.text.length === 0 ? 0 : (/^(?:[:.]?!!|[.:][a-z]+)/iu.exec(command.text)?.[0].length ?? 0),
  );
  const path = first(what);
  if (/^!+$|^(?:shell|system|sh|sy|sys|shel)$/u.test(name)) yield* [runsCommand, interprets("shell", what)];
  else if (/^(?:read|r|rea)$/u.test(name)) yield* read(what);
  else if (name === "load") yield* [danger("high", "it loads code into the database's client"), loads(path)];
  else if (/^(?:output|once|out|log|excel|trace|testcase)$/u.test(name)) yield* output(lastOf(what));
  else if (/^(?:backup|save|clone|export)$/u.test(name))
    yield { type: "writes", path: lastOf(what), how: "replaces" };
  else if (name === "open" || name === "restore") yield { type: "writes", path: lastOf(what), how: "edits" };
  else if (name === "import")
    yield* [
      ...output(onlyPipe(what)),
      { type: "reads", path: path } as const,
      danger("medium", "it changes data in a database"),
    ];
  else if (name === "archive" || name === "cd" || name === "ar")
    yield danger("medium", "it moves files in or out of the database");
}

const lastOf = (word: Word): Word =>
  word.text.startsWith("|") ? word : withText(word, unquoted(word.text.split(/\s+/u).at(-1) ?? ""));

const onlyPipe = (word: Word): Word =>
  withText(word, /(?:^|["'\s])(?<pipe>\|.*)$/su.exec(word.text)?.groups?.["pipe"] ?? "");

function* read(what: Word): Iterable<Effect> {
  if (unquoted(what.text).startsWith("|")) yield* output(withText(what, unquoted(what.text)));
  else yield* [loads(first(what)), danger("medium", "it runs the statements of a file")];
}
