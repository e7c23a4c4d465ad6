/** Interpreters of programming languages. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, interprets, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { filters, showsDirectories } from "../file-effect-makers.ts";
import { interpretsAll, loadsLibraries, scriptOrInput } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript-programs.ts";
import { python } from "./python-program.ts";

/** Options that take code; `files`: options that load a file first. */
export const languages: readonly Program[] = [
  ...python,
  ...java,
  ...javascript,
  program("perl", perl, {
    kind: "interpreter",
    options: {
      stopAtOperand: true,
      short: "eEI",
      attached: "iFDxMmV",
      behind: {
        0: /^(?:x[\da-f]+|[0-7]*)/iu,
        l: /^[0-7]*/u,
        C: /^(?:\d+|[IOEioADSLa]*)/u,
        d: /^(?:t?:.*|t)?/su,
      },
      known: ["version", "help"],
    },
  }),
  program("ruby jruby truffleruby mruby rbx", ruby, {
    kind: "interpreter",
    options: {
      stopAtOperand: true,
      short: "eErICX",
      attached: "iFx",
      behind: { 0: /^[0-7]*/u, K: /^[a-z]?/iu, T: /^\d*/u, W: /^(?:\d|:.*)?/su },
      long: ["encoding", "external-encoding", "enable", "disable", "require"],
    },
  }),
  program("php php-cgi php-cli", php, {
    kind: "interpreter",
    options: {
      stopAtOperand: true,
      short: "rRBEFfSctdzT",
      long: namesIn(`run process-code process-begin process-end file server docroot define php-ini zend-extension rf
        rc re rz ri process-file`),
    },
  }),
];

function* perl(use: Use): Iterable<Effect> {
  const { operands, has } = use;
  const codes = use.values("e", "E");
  for (const library of use.values("I")) yield loads(library, "perl");
  if (has("v", "V", "h", "version", "help")) return;
  const modules = use
    .values("M", "m")
    .map((module) => withText(module, `use ${module.text.replace(/^-/u, "")};`));
  yield* interpretsAll("perl", [...modules, ...codes]);
  if (codes.length === 0) {
    yield* scriptOrInput(operands, "perl");
    return;
  }
  yield* filtersFiles(use);
}

/** `-n` and `-p` read the named files, `-i` edits them in place. */
function* filtersFiles({ operands, has, values }: Use): Iterable<Effect> {
  const code = values("e", "E").map(({ text }) => text);
  if (has("i")) yield* filters(operands, code.join("\n"), has("n"));
  else if (has("n", "p")) yield* reads(operands);
}

function* ruby(use: Use): Iterable<Effect> {
  const codes = use.values("e");
  yield* loadsLibraries(use.values("r", "require"), "ruby");
  for (const library of use.values("I")) yield loads(library, "ruby");
  if (
    use.has("version", "help", "h", "copyright") ||
    (use.has("v") && use.operands.length === 0 && codes.length === 0)
  )
    return;
  yield* interpretsAll("ruby", codes);
  if (codes.length === 0) {
    if (use.has("c")) yield* reads(use.operands.slice(0, 1));
    else yield* scriptOrInput(use.operands, "ruby");
    return;
  }
  yield* filtersFiles(use);
}

const executingSettings =
  /^(?:auto_prepend_file|auto_append_file|extension|zend_extension|disable_functions|open_basedir|sendmail_path|include_path)\b/u;

const artisanLoses =
  /^(?:migrate:(?:fresh|reset|refresh|rollback)|db:wipe|queue:flush|queue:clear|telescope:clear|down)$/u;

/** Laravel's `artisan`. */
function* artisan([verb, ...rest]: readonly Word[]): Iterable<Effect> {
  if (verb && artisanLoses.test(verb.text)) yield danger("high", "it deletes data of a database");
  for (const word of verb?.text === "tinker" ? rest : [])
    if (word.text.startsWith("--execute="))
      yield interprets("php", withText(word, word.text.slice("--execute=".length)));
}

function* php(use: Use): Iterable<Effect> {
  const { operands } = use;
  if (/(?:^|\/)artisan$/u.test(operands[0]?.text ?? "")) yield* artisan(operands.slice(1));
  const codes = use.values("r", "run", "R", "process-code", "B", "process-begin", "E", "process-end");
  for (const path of use.values("c", "php-ini", "z", "zend-extension", "F", "process-file"))
    yield loads(path, "php");
  for (const setting of use.values("d", "define"))
    if (executingSettings.test(setting.text))
      yield danger("high", "a setting of it runs code or lifts a limit");
  yield* interpretsAll("php", codes);
  const file = use.value("f", "file");
  if (file) yield loads(file, "php");
  if (use.has("l", "s", "w", "syntax-check")) yield* reads([...operands, ...(file ? [file] : [])]);
  else if (
    codes.length === 0 &&
    !file &&
    !use.has(
      "v",
      "version",
      "i",
      "info",
      "m",
      "modules",
      "h",
      "help",
      "ini",
      "S",
      "server",
      "a",
      "rf",
      "rc",
      "re",
      "rz",
      "ri",
    )
  )
    yield* scriptOrInput(operands, "php");
  if (!use.has("S", "server")) return;
  yield* showsDirectories(use.values("t", "docroot"));
  yield operands[0] ? loads(operands[0], "php") : doesMore;
}
