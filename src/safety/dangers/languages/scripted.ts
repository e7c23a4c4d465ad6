/** Filters programmed in their own language: sed, awk, jq and similar. */

import { joined, unknown, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads } from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import { edits, filters, readsFiles, runsByOption, writes } from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

const sedForm: OptionForm = {
  short: "efl",
  attached: "iI",
  long: ["expression", "file", "line-length"],
  known:
    namesIn(`in-place quiet silent regexp-extended separate unbuffered null-data posix sandbox debug follow-
        symlinks help version`),
};

const awkForm: OptionForm = {
  short: "FfvileEWm",
  attached: "dDLop",
  long: ["field-separator", "file", "assign", "include", "load", "source", "exec"],
  known: namesIn(
    `dump-variables debug lint pretty-print profile sandbox posix traditional bignum version csv`,
  ),
};

const jqForm: OptionForm = {
  short: "fL",
  long: ["from-file", "indent", "library-path", "seq-separator"],
  known: namesIn(`null-input raw-output compact-output slurp raw-input sort-keys exit-status tab args jsonargs
        color-output monochrome-output join-output ascii-output stream`),
};

const yqForm: OptionForm = {
  short: "pIof",
  long: namesIn(`input-format indent output-format from-file front-matter split-exp split-exp-file expression arg
        xml-attribute-prefix`),
};

export const scripted: readonly Program[] = [
  program("sed gsed ssed", edit, { kind: "interpreter", options: sedForm }),
  program("awk gawk mawk nawk igawk original-awk goawk frawk", scan, {
    kind: "interpreter",
    options: awkForm,
  }),
  program("jq gojq jaq jql", query, { options: jqForm }),
  program("yq xq tomlq", queryDocuments, { options: yqForm }),
  program(
    "dasel",
    ({ operands, values, has }) => [
      ...readsFiles(values("f", "file")),
      ...writes(
        has("o", "out") ? values("o", "out") : operands[0]?.text === "put" ? values("f", "file") : [],
        "edits",
      ),
    ],
    { options: { short: "frwtovs", long: ["file", "read", "write", "type", "out", "value", "selector"] } },
  ),
  program("mlr miller", reshape, {
    options: {
      stopAtOperand: true,
      long: ["ifs", "ofs", "fs", "ips", "ops", "irs", "ors", "from", "load", "mload", "nr-progress-mod"],
    },
  }),
  program(
    "xsv qsv xan",
    ({ operands, values }) => [
      ...readsFiles(operands.slice(1)),
      ...writes(values("o", "output"), "replaces"),
    ],
    {
      options: { short: "dosn", long: ["delimiter", "output", "select"] },
    },
  ),
  program("bc gbc", ({ operands }) => readsFiles(operands)),
  program("dc", calculate, {
    kind: "interpreter",
    options: { short: "efI", long: ["expression", "file", "ibase"] },
  }),
  program(
    "m4 gm4",
    ({ operands, values, input, has }) => [
      ...operands.map((path) => loads(path)),
      ...readsFiles(values("R", "reload-state")),
      ...writes(values("F", "freeze-state", "o", "error-output"), "replaces"),
      ...(operands.length === 0 && !has("version", "help") ? macros(input.text) : []),
    ],
    {
      options: {
        short: "DUIFRodltB",
        long: ["define", "include", "reload-state", "freeze-state", "error-output", "debug"],
      },
    },
  ),
];

/** The program's text: given by options, otherwise the first operand. */
function codeOf(
  { operands, values, has }: Use,
  given: readonly string[],
  files: readonly string[],
): { code: Word | undefined; rest: readonly Word[] } {
  const texts = values(...given);
  if (texts.length > 0) return { code: joined(texts, "\n"), rest: operands };
  if (has(...files)) return { code: undefined, rest: operands };
  return { code: operands[0], rest: operands.slice(1) };
}

/** A program stored in a file, which may be standard input. */
const loaded = (path: Word, language: Language): Effect =>
  /^(?:-|\/dev\/stdin|\/dev\/fd\/0|\/proc\/self\/fd\/0)$/u.test(path.text)
    ? { type: "interprets-input", language }
    : loads(path, language);

const interpreted = (language: Language, code: Word | undefined): Effect[] =>
  code ? [interprets(language, code)] : [];

/** macOS takes the backup suffix as a separate, possibly empty word: `sed -i '' …`. */
function edit(use: Use): Effect[] {
  const inPlace = use.has("i", "I", "in-place");
  const isApart = inPlace && use.operands[0]?.text === "" && !use.has("e", "f", "expression", "file");
  const own = isApart ? { ...use, operands: use.operands.slice(1) } : use;
  const { code, rest } = codeOf(own, ["e", "expression"], ["f", "file"]);
  return [
    ...use.values("f", "file").map((path) => loaded(path, "sed")),
    ...interpreted("sed", code),
    ...(inPlace ? filters(rest, code?.text ?? "p", use.has("n", "quiet", "silent")) : readsFiles(rest)),
  ];
}

const plainLibraries =
  /^(?:inplace|inplace\.awk|getopt|join|quicksort|ord|readfile|time|filefuncs|fnmatch|intdiv|bits2str|walkarray|have_mpfr|shellquote|strtonum|processarray|rewind|round)$/u;

/** Words of the form `name=value` among the files set variables. */
function* scan(use: Use): Iterable<Effect> {
  const { code, rest } = codeOf(use, ["e", "source"], ["f", "E", "file", "exec"]);
  for (const path of use.values("f", "E", "file", "exec")) yield loaded(path, "awk");
  yield* interpreted("awk", code);
  const included = use.values("i", "include");
  for (const path of [...included, ...use.values("l", "load")])
    if (!plainLibraries.test(path.text)) yield loads(path, "awk");
  const files = rest.filter(({ text }) => !/^[A-Za-z_]\w*=/u.test(text));
  yield* included.some(({ text }) => text.startsWith("inplace"))
    ? filters(
        files,
        "",
        /^\s*(?:0?|(?:BEGIN)?\s*\{[^{}]*\})\s*$/u.test(code?.text ?? "1") && !/print/u.test(code?.text ?? ""),
      )
    : readsFiles(files);
  const outputs = use.options.flatMap(({ name, value }) => (value && written.has(name) ? [value] : []));
  yield* writes(outputs, "replaces");
}

const written = new Set(["d", "o", "p", "dump-variables", "pretty-print", "profile"]);

/** `--arg name value` and similar take two words each; for the last two kinds the second is a file. */
const pairs = new Set(["--arg", "--argjson", "--slurpfile", "--rawfile", "--argfile"]);

function* query(use: Use): Iterable<Effect> {
  const paired = new Set<Word>();
  for (const [at, { text }] of use.words.entries()) {
    if (!pairs.has(text)) continue;
    const [name, value] = [use.words[at + 1], use.words[at + 2]];
    if (name) paired.add(name);
    if (value) paired.add(value);
    if (value && text.endsWith("file")) yield* readsFiles([value]);
  }
  const listed = use.words.findIndex(({ text }) => text === "--args" || text === "--jsonargs");
  const operands = use.operands.filter((word) => !paired.has(word));
  const isFile = use.has("f", "from-file");
  yield* readsFiles(use.values("f", "from-file"));
  const filter = isFile ? undefined : operands[0];
  const files = isFile ? operands : operands.slice(1);
  if (listed < 0) yield* readsFiles(files);
  if (filter) yield* filterFlows(filter);
}

/** A filter can print the environment, or decode hidden text. */
function* filterFlows({ text }: Word): Iterable<Effect> {
  const plain = text.replaceAll(/"[^"]*"/gu, '""');
  if (/\$ENV\b|(?<![.\w$])(?:env|strenv|envsubst)\b(?!\s*:)/u.test(plain))
    yield { type: "prints", flows: ["secret"] };
  if (/@base(?:64|32)d|@uri|implode|decode/u.test(plain)) yield { type: "prints", flows: ["decoded"] };
}

/** `yq -i '.a = 1' file`, with or without a verb first. A single word may be the document. */
function* queryDocuments(use: Use): Iterable<Effect> {
  const operands = /^(?:e|ea|eval|eval-all|r|w|read|write)$/u.test(use.operands[0]?.text ?? "")
    ? use.operands.slice(1)
    : use.operands;
  const isAlone = operands.length === 1 && !/^[.$({[|'"]|\w+\(/u.test(operands[0]?.text ?? "");
  const hasCode = use.has("expression", "from-file") || isAlone;
  const [filter, ...rest] = operands;
  const files = hasCode ? operands : rest;
  yield* readsFiles(use.values("from-file", "split-exp-file"));
  yield* use.has("i", "inplace", "in-place") ? edits(files) : readsFiles(files);
  for (const code of hasCode ? use.values("expression") : filter ? [filter] : []) yield* documentFlows(code);
}

function* documentFlows(code: Word): Iterable<Effect> {
  yield* filterFlows(code);
  for (const [, name = ""] of code.text.matchAll(/\bload(?:_str|_xml|_props|_base64)?\("([^"]*)"\)/gu))
    yield* readsFiles([withText(code, name)]);
  if (/\bload\w*\((?!")/u.test(code.text)) yield* readsFiles([withText(code, unknown)]);
}

/** Its row language has `system`, `exec`, and output to files and commands. */
function* reshape({ words, values }: Use): Iterable<Effect> {
  yield* readsFiles(values("from", "load", "mload"));
  for (const { text } of words) {
    const prints = /\b(?:tee|emit\w*|print\w*|dump|split)\b/u.test(text);
    if (/\b(?:system|exec)\s*\(/u.test(text) || (prints && /\|\s*"/u.test(text)))
      yield danger("high", "its expression runs a command");
    else if (prints && text.includes(">")) yield danger("high", "its expression writes files");
  }
  const [files, inPlace] = [
    words.filter(({ text }) => /^[^-'"$=(]*\.\w{2,5}$/u.test(text)),
    words.some(({ text }) => text === "-I"),
  ];
  yield* inPlace ? edits(files) : readsFiles(files);
}

/** In dc `!` passes the rest of the line to the shell, unless it is a comparison. */
function* calculate({ values, operands, input }: Use): Iterable<Effect> {
  yield* readsFiles([...values("f", "file"), ...operands]);
  for (const code of [...values("e", "expression"), ...(input.text ? [input.text] : [])]) {
    const [, command] = /!(?![<>=])(.*)/u.exec(code.text) ?? [];
    if (command !== undefined) yield* runsByOption("-e", withText(code, command));
  }
}

/** m4 runs commands with `syscmd` and `esyscmd`. */
function* macros(text: Word | undefined): Iterable<Effect> {
  if (!text) {
    yield { type: "interprets-input", language: "other" };
    return;
  }
  if (/syscmd|include|\0/u.test(text.text)) yield danger("high", "its macros run commands or read files");
  for (const [, command = ""] of text.text.matchAll(/syscmd\(`?([^)']{0,2000})/gu))
    yield interprets("shell", withText(text, command));
}
