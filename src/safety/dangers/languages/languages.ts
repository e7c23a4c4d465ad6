/** Interpreters of programming languages. */

import { type Word, withText } from "../../command-line/word.ts";
import { statementsOfInput } from "../databases/clients.ts";
import { danger, doesMore, interprets, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filters, showsDirectories } from "../file-effect-makers.ts";
import { interpretsAll, interpretsInput, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";

/** Functions of `languages.yaml`. */
export const languages: Readonly<Record<string, WordsDo>> = {
  java: (_, use) => java(use),
  perl: (_, use) => perl(use),
  ruby: (_, use) => ruby(use),
  php: (_, use) => php(use),
};

/** Whatever its options name outside is code that it loads. */
function* java({ words, operands, has }: Use): Iterable<Effect> {
  const [main] = operands;
  if (!main && has("h", "list-modules")) return;
  yield doesMore;
  if (main && (has("jar") || /\.(?:java|jsh)$/u.test(main.text))) yield loads(main);
  for (const word of words.slice(0, words.length - operands.length + 1))
    for (const [, path = ""] of word.text.matchAll(/(?:^|[:=@])([~/][^:=]*)/gu))
      yield loads(withText(word, path));
}

function* perl(use: Use): Iterable<Effect> {
  const { operands, has, values } = use;
  const codes = values("e", "E");
  for (const library of values("I")) yield loads(library, "perl");
  if (has("v", "V", "h")) return;
  const modules = values("M", "m").map((module) =>
    withText(module, `use ${module.text.replace(/^-/u, "")};`),
  );
  yield* interpretsAll("perl", [...modules, ...codes]);
  if (codes.length === 0) yield* scriptOrInput(operands, "perl");
  else yield* filtersFiles(use);
}

/** `-n` and `-p` read the named files, `-i` edits them in place. */
function* filtersFiles({ operands, has, values }: Use): Iterable<Effect> {
  const code = values("e", "E").map(({ text }) => text);
  if (has("i")) yield* filters(operands, code.join("\n"), has("n"));
  else if (has("n", "p")) yield* reads(operands);
}

function* ruby(use: Use): Iterable<Effect> {
  const { operands, has, values } = use;
  const codes = values("e");
  yield* loadsLibraries(values("r", "require"), "ruby");
  for (const library of values("I")) yield loads(library, "ruby");
  if (has("h", "copyright")) return;
  if (has("v") && operands.length === 0 && codes.length === 0) return;
  yield* interpretsAll("ruby", codes);
  if (codes.length > 0) yield* filtersFiles(use);
  else if (has("c")) yield* reads(operands.slice(0, 1));
  else yield* scriptOrInput(operands, "ruby");
}

const executingSettings =
  /^(?:auto_prepend_file|auto_append_file|extension|zend_extension|disable_functions|open_basedir|sendmail_path|include_path)\b/u;

const phpTells = namesIn("v version i info m modules h help ini S server rf rc re rz ri");

function* php(use: Use): Iterable<Effect> {
  const { operands, has, value, values } = use;
  if (/(?:^|\/)artisan$/u.test(operands[0]?.text ?? "")) yield* artisan(operands.slice(1), use);
  const codes = values("r", "run", "R", "process-code", "B", "process-begin", "E", "process-end");
  for (const path of values("c", "php-ini", "z", "zend-extension", "F", "process-file"))
    yield loads(path, "php");
  for (const setting of values("d", "define"))
    if (executingSettings.test(setting.text))
      yield danger("high", "a setting of it runs code or lifts a limit");
  yield* interpretsAll("php", codes);
  const file = value("f", "file");
  if (file) yield loads(file, "php");
  if (has("l", "s", "w", "syntax-check")) yield* reads([...operands, ...(file ? [file] : [])]);
  else if (codes.length === 0 && !file && !has(...phpTells)) yield* scriptOrInput(operands, "php");
  if (!has("S", "server")) return;
  yield doesMore;
  yield* showsDirectories(values("t", "docroot"));
}

/** Laravel's `artisan`. */
function* artisan([verb, ...rest]: readonly Word[], use: Use): Iterable<Effect> {
  if (
    /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe|queue:flush|queue:clear)$/u.test(verb?.text ?? "")
  )
    yield danger("high", "it deletes data of a database");
  if (verb?.text === "db") yield* statementsOfInput(use);
  if (verb?.text !== "tinker") return;
  const given = rest.filter(({ text }) => text.startsWith("--execute="));
  for (const word of given) yield interprets("php", withText(word, word.text.slice("--execute=".length)));
  if (given.length === 0) yield interpretsInput("php");
}
