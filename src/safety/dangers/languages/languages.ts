/** Interpreters of programming languages. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, doesMore, interprets, loads, reads } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { filters, showsDirectories } from "../file-effect-makers.ts";
import {
  evaluatedIn,
  interpretsAll,
  interpretsInput,
  loadsLibraries,
  scriptOrInput,
} from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { java } from "./java.ts";
import { javascript } from "./javascript-programs.ts";
import { python } from "./python-program.ts";

/** Options that take code; `files`: options that load a file first. */
type CodeForm = OptionForm & { codes: string; files?: string; idle?: string };

const scripting = (names: string, language: Language, form: CodeForm): Program =>
  program(names, (use) => scripted(use, language, form), {
    kind: "interpreter",
    options: { stopAtOperand: true, ...form },
  });

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
  program(
    "irb pry",
    ({ operands, values }) => [
      ...loadsLibraries(values("r", "I"), "ruby"),
      ...scriptOrInput(operands, "ruby"),
    ],
    {
      kind: "interpreter",
      options: { stopAtOperand: true, short: "rIe" },
    },
  ),
  program("php php-cgi php-cli", php, {
    kind: "interpreter",
    options: {
      stopAtOperand: true,
      short: "rRBEFfSctdzT",
      long: namesIn(`run process-code process-begin process-end file server docroot define php-ini zend-extension rf
        rc re rz ri process-file`),
    },
  }),
  scripting("lua luajit luau texlua", "other", { short: "elj", codes: "e", files: "l", idle: "v" }),
  scripting("Rscript littler", "other", {
    short: "eg",
    codes: "e",
    long: ["default-packages"],
    idle: "version",
  }),
  program("R", rProject, {
    kind: "interpreter",
    options: { short: "efgd", long: ["file", "args", "gui", "encoding", "expression"] },
  }),
  scripting("julia", "other", {
    short: "eELpJtCHmi",
    codes: "e E eval print",
    files: "L load machine-file",
    long: namesIn(
      `eval print load procs sysimage threads cpu-target project home machine-file startup-file module`,
    ),
    idle: "v version",
  }),
  scripting("octave octave-cli matlab", "other", {
    codes: "eval r batch",
    oneDash: true,
    long: ["eval", "path", "exec-path", "r", "batch", "sd"],
    idle: "version",
  }),
  scripting("elixir iex", "other", {
    codes: "e eval rpc-eval",
    files: "r pr pa pz S require",
    short: "eSr",
    long: ["eval", "rpc-eval", "require", "name", "sname", "cookie", "erl", "dot-iex"],
    idle: "v version",
  }),
  program("erl escript", erlang, {
    kind: "interpreter",
    options: {
      oneDash: true,
      long: namesIn("eval pa pz name sname setcookie config boot mode args_file s run env"),
    },
  }),
  scripting("scala scala3 amm scala-cli", "other", {
    oneDash: true,
    codes: "e c execute-script code",
    long: ["e", "c", "cp", "classpath", "code", "execute-script"],
    idle: "version",
  }),
  scripting("kotlin groovy groovysh jython bsh nashorn jjs", "other", {
    short: "ec",
    codes: "e c",
    long: ["classpath", "cp"],
    idle: "v version",
  }),
  scripting("clojure clj bb lein-exec joker planck lumo nbb", "other", {
    short: "eif",
    codes: "e eval",
    files: "i init f file",
    long: ["eval", "init", "file"],
    idle: "version",
  }),
  scripting("ocaml utop ocamlrun", "other", {
    oneDash: true,
    codes: "e",
    files: "init",
    long: ["e", "I", "init", "open"],
    idle: "version",
  }),
  scripting("ghci runghc runhaskell runhugs hugs", "other", { short: "ei", codes: "e", idle: "version" }),
  scripting("tclsh wish jimsh", "other", { codes: "" }),
  scripting(
    "guile racket gracket csi chez scheme petite sbcl clisp ecl gosh chibi-scheme mit-scheme janet fennel",
    "other",
    {
      short: "ecls",
      codes: "e c eval expr",
      files: "l load s script f",
      long: ["eval", "load", "script"],
      idle: "version",
    },
  ),
  scripting("raku rakudo perl6", "other", { short: "eIM", codes: "e", files: "I", idle: "v version" }),
  scripting("swipl gprolog yap", "other", { short: "gtslf", codes: "g t", files: "s l f" }),
  scripting("qjs quickjs d8 jsc hermes gjs cjs mujs njs", "javascript", {
    short: "ecI",
    codes: "e c eval command",
    files: "I include",
    long: ["eval", "command", "include"],
    idle: "h help version",
  }),
  scripting("gnuplot maxima gap sage gp", "other", { short: "ec", codes: "e c" }),
  scripting("osmium red rebol rexx regina newlisp pike io picolisp wolframscript", "other", {
    short: "ec",
    codes: "e c",
  }),
];

function* scripted(
  use: Use,
  language: Language,
  { codes, files = "", idle = "" }: CodeForm,
): Iterable<Effect> {
  const listed = use.values(...namesIn(codes));
  const named = evaluatedIn(use.words); // `-eval code`, also where letters can be combined
  const given = named.length >= listed.length ? named : listed;
  yield* loadsLibraries(use.values(...namesIn(files)), language);
  yield* interpretsAll(language, given);
  if (use.has("S")) yield doesMore; // `iex -S mix`: a script that is installed
  if (given.length > 0 && language === "other") yield doesMore; // the individual calls are not known
  const ends = idle !== "" && use.has(...namesIn(idle)) && use.operands.length === 0;
  if (given.length === 0 && !ends && !use.has("help")) yield* scriptOrInput(use.operands, language);
}

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

function* rProject(use: Use): Iterable<Effect> {
  const { operands } = use;
  if (operands[0]?.text === "CMD") {
    const [, verb, ...rest] = operands;
    if (verb?.text === "INSTALL") yield danger("medium", "it installs packages, which run code of their own");
    if (verb?.text === "BATCH") yield* scriptOrInput(rest, "other");
    if (verb?.text === "REMOVE") yield danger("medium", "it removes installed packages");
    return;
  }
  const codes = use.values("e", "expression");
  const file = use.value("f", "file");
  yield* interpretsAll("other", codes);
  if (codes.length > 0) yield doesMore;
  if (file) yield loads(file);
  if (codes.length === 0 && !file && !use.has("version", "help")) yield interpretsInput("other");
}

function* erlang(use: Use): Iterable<Effect> {
  if (use.name === "escript") {
    yield* scriptOrInput(use.operands, "other");
    return;
  }
  const codes = use.values("eval");
  for (const path of use.values("pa", "pz", "config", "args_file", "boot")) yield loads(path);
  for (const code of codes) yield interprets("other", code);
  if (codes.length === 0 && !use.has("s", "run", "version")) yield interpretsInput("other");
}
