/** Programs that read text and print it, in whole, in part, or converted. */

import { isSecretVariable } from "../../secret-variables.ts";
import { interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  edits,
  nothing,
  printsDecoded,
  readsFiles,
  readsOperands,
  runsByOptions,
  writes,
} from "../file-effect-makers.ts";
import { scripted } from "../languages/scripted.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { pagers } from "./pagers.ts";

const readers = (names: string, options: OptionForm = {}): Program =>
  program(names, readsOperands, { options });

/** The output differs from the input, whatever its source. */
const converters = (names: string, options: OptionForm = {}): Program =>
  program(names, (use) => [...readsFiles(use.operands), ...outputsOf(use), printsDecoded], { options });

/** The output files given by any of these options, such as `-o file`. */
const outputsOf = (use: Use): Effect[] =>
  writes(use.values("o", "output", "output-file", "outfile"), "replaces");

const writesOutput: Program["does"] = (use) => [...readsFiles(use.operands), ...outputsOf(use)];

export const text: readonly Program[] = [
  ...scripted,
  ...pagers,

  program("cat gcat", concatenates, {
    options: { known: ["show-all", "number", "squeeze-blank", "show-ends"] },
  }),
  readers("tac gtac", { short: "s", long: ["separator"] }),
  readers("head ghead", { short: "nc", long: ["lines", "bytes"], known: ["quiet", "silent", "verbose"] }),
  readers("tail gtail", {
    short: "ncs",
    long: ["lines", "bytes", "pid", "sleep-interval", "max-unchanged-stats"],
    known: ["follow", "retry", "quiet", "silent", "verbose", "zero-terminated"],
  }),
  program("wc gwc", ({ operands, values }) => readsFiles([...operands, ...values("files0-from")]), {
    options: {
      long: ["files0-from", "total"],
      known: ["bytes", "chars", "lines", "words", "max-line-length"],
    },
  }),
  readers("nl gnl", {
    short: "bdfhilnsvw",
    long: ["body-numbering", "number-format", "number-width", "starting-line-number"],
  }),
  readers("cut gcut", {
    short: "bcdf",
    long: ["bytes", "characters", "delimiter", "fields", "output-delimiter"],
  }),
  readers("paste gpaste", { short: "d", long: ["delimiters"] }),
  readers("fold gfold", { short: "w", long: ["width"] }),
  readers("fmt gfmt", { short: "gptw", long: ["width", "goal", "prefix"] }),
  readers("pr", { short: "DhlNoSsWwein" }),
  readers("column", {
    short: "coslCdEHNORrTtWpni",
    long: ["output-width", "output-separator", "separator", "table-columns", "table-right", "table-name"],
  }),
  readers("expand unexpand", { short: "t", long: ["tabs"] }),
  readers("join", { short: "aeijotv12", long: ["check-order", "header"] }),
  readers("comm gcomm", { long: ["output-delimiter"] }),
  readers("tsort ptx col colrm colcrt ul look"),
  readers("od god", {
    short: "AjNStw",
    long: ["address-radix", "skip-bytes", "read-bytes", "format", "width", "strings", "endian"],
  }),
  readers("hexdump hd hexyl", {
    short: "efnsxlv",
    long: ["length", "skip", "format", "format-file", "border", "color"],
  }),
  readers("strings gstrings", {
    short: "neTts",
    long: ["bytes", "radix", "target", "encoding", "output-separator"],
  }),
  readers(
    "md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum gmd5sum gsha256sum cksum sum xxhsum xxh64sum " +
      "xxh128sum crc32 md5 sha1 sha256 sha512 rhash hashdeep md5deep",
    { short: "al", long: ["length", "algorithm"] },
  ),
  readers("shasum", { short: "a", long: ["algorithm"] }),
  readers("csvcut csvgrep csvstat csvlook csvjson csvsort csvjoin csvstack csvformat in2csv csvclean", {
    short: "cdqmrfgnte",
    long: ["columns", "delimiter", "regex", "match", "file", "format", "sheet"],
  }),
  readers("gron fx jless jid jtbl jo jc jp htmlq pup dyff"),
  readers("cloc tokei scc sloccount wdiff dwdiff", {
    long: ["exclude-dir", "include-lang", "exclude", "match-f"],
  }),
  readers("combine isutf8 hck choose grex tarcat"),
  readers("pv", { short: "LBDNFsiwHRd" }),
  readers("nroff troff groff mandoc antiword catdoc docx2txt odt2txt html2text"),
  readers("ts mispipe zrun vis unvis rs lam units"),

  program("sort gsort", sorts, {
    options: {
      short: "kotSTZ",
      long: [
        "key",
        "output",
        "field-separator",
        "buffer-size",
        "temporary-directory",
        "compress-program",
        "files0-from",
        "random-source",
        "parallel",
        "batch-size",
        "sort",
      ],
      known: [
        "reverse",
        "unique",
        "numeric-sort",
        "check",
        "merge",
        "stable",
        "version-sort",
        "debug",
        "random-sort",
        "human-numeric-sort",
        "general-numeric-sort",
        "month-sort",
        "ignore-case",
        "ignore-leading-blanks",
        "dictionary-order",
        "zero-terminated",
      ],
    },
  }),
  program(
    "uniq guniq",
    ({ operands }) => [...readsFiles(operands.slice(0, 1)), ...writes(operands.slice(1, 2), "replaces")],
    {
      options: {
        short: "fsw",
        long: ["skip-fields", "skip-chars", "check-chars"],
        known: ["count", "repeated", "unique"],
      },
    },
  ),
  program(
    "shuf gshuf",
    ({ operands, values, has }) => [
      ...(has("e", "echo", "i", "input-range") ? [] : readsFiles(operands)),
      ...readsFiles(values("random-source")),
      ...writes(values("o", "output"), "replaces"),
    ],
    {
      options: {
        short: "ino",
        long: ["input-range", "head-count", "output", "random-source"],
        known: ["echo", "repeat"],
      },
    },
  ),

  program("tr gtr", translates, {
    options: { known: ["complement", "delete", "squeeze-repeats", "truncate-set1"] },
  }),
  converters("rev"),
  converters("iconv uconv recode piconv enca", { short: "ftoxsL", long: ["from-code", "to-code", "output"] }),
  converters("uudecode", { short: "o", long: ["output-file"] }),
  converters("rot13 caesar qprint quoted-printable"),
  program("base64 base32 basenc base58 gbase64 base16 base85 z85 b64decode ascii85", decodes, {
    options: {
      short: "wbo",
      long: ["wrap", "output"],
      known: ["decode", "ignore-garbage", "base64url", "base16", "base32"],
    },
  }),
  program("uuencode", ({ operands }) => readsFiles(operands.slice(0, -1))),
  program("xxd", dumps, {
    options: {
      oneDash: true,
      long: ["s", "seek", "l", "len", "c", "cols", "g", "groupsize", "o", "offset", "n", "name", "R"],
    },
  }),

  program("dos2unix unix2dos mac2unix unix2mac fromdos todos", endsLines, {
    options: { short: "Dciq", long: ["info", "display-enc"] },
  }),
  program("envsubst", ({ input: { text } }) =>
    (text?.text.match(/[A-Za-z_]\w*/gu) ?? []).some(isSecretVariable)
      ? [{ type: "prints", flows: ["secret"] }]
      : [],
  ),
  program("seq gseq", ({ operands }) =>
    operands.some(({ text }) => /^inf(?:inity)?$/iu.test(text))
      ? [{ type: "prints", flows: ["endless"] }]
      : [],
  ),
  program("factor numfmt gfactor gnumfmt jot primes", nothing),
  program("pbcopy clip clip.exe", nothing),
  program("pbpaste wl-paste", () => [{ type: "prints", flows: ["private"] }]),
  program(
    "xclip xsel wl-copy",
    ({ operands, has }) => [
      ...readsFiles(operands),
      ...(has("o", "out", "output") ? [{ type: "prints", flows: ["private"] } as const] : []),
    ],
    { options: { oneDash: true, long: ["selection", "sel", "target", "t", "display", "d", "l", "loops"] } },
  ),

  program("diff gdiff", compares, {
    options: {
      short: "UCIxXSWLFDs",
      long: [
        "unified-context",
        "exclude",
        "exclude-from",
        "label",
        "starting-file",
        "ignore-matching-lines",
        "width",
        "from-file",
        "to-file",
        "ifdef",
        "palette",
        "tabsize",
        "line-format",
        "horizon-lines",
        "show-function-line",
      ],
      known: [
        "brief",
        "recursive",
        "unified",
        "context",
        "side-by-side",
        "color",
        "report-identical-files",
        "ignore-all-space",
      ],
    },
  }),
  program(
    "sdiff diff3",
    (use) => [
      ...readsFiles(use.operands),
      ...writes(use.values("o", "output"), "replaces"),
      ...runsByOptions(use, ["diff-program"]),
    ],
    {
      options: { short: "owIL", long: ["output", "width", "diff-program", "label", "ignore-matching-lines"] },
    },
  ),
  readers("cmp gcmp", { short: "in", long: ["bytes", "ignore-initial"] }),
  readers("colordiff icdiff difft difftastic diffstat interdiff filterdiff lsdiff combinediff", {
    short: "UCxpw",
  }),
  program("json json_pp json_reformat prettyjson", readsOperands),
  program("xmllint", writesOutput, {
    options: { long: ["output", "schema", "xpath", "encode", "dtdvalid", "relaxng", "pretty"] },
  }),
  program("xsltproc", writesOutput, {
    options: { short: "o", long: ["output", "param", "stringparam", "path"] },
  }),
  program(
    "xmlstarlet xml",
    ({ operands, has }) => (has("L", "inplace") ? edits(operands.slice(-1)) : readsFiles(operands.slice(-1))),
    {
      options: { short: "tmvosdurNicx" },
    },
  ),
  program("tidy", (use) => (use.has("m", "modify") ? edits(use.operands) : writesOutput(use)), {
    options: { oneDash: true, long: ["o", "output", "f", "file", "config", "w", "indent", "wrap"] },
  }),
  program("pee", ({ operands }) => operands.map((code) => interprets("shell", code)), { kind: "wrapper" }),
  program("figlet toilet cowsay cowthink lolcat banner fortune boxes cmatrix", nothing),
];

/** Without files it passes its input through. */
function concatenates({ operands, options, input }: Use): Effect[] {
  const isPassedOn = operands.every(({ text }) => text === "-") && options.length === 0;
  return [
    ...readsFiles(operands),
    ...(isPassedOn && input.text ? [{ type: "prints", text: input.text } as const] : []),
  ];
}

function* sorts(use: Use): Iterable<Effect> {
  yield* readsFiles([...use.operands, ...use.values("files0-from", "random-source")]);
  yield* runsByOptions(use, ["compress-program"]);
  yield* writes(use.values("o", "output"), "replaces");
  yield* writes(use.values("T", "temporary-directory"), "creates");
}

/** Deleting blanks or line ends, or inserting them, hides nothing. */
const blanks = /^(?:\s|\\[nrtfv0]|\\\\n|\[:(?:space|blank|cntrl):\])*$/u;

function* translates({ operands }: Use): Iterable<Effect> {
  const [from, to] = operands;
  const isPlain =
    from !== undefined &&
    blanks.test(from.text) &&
    (to === undefined || /^(?:\s|\\n|[,;:|])*$/u.test(to.text));
  if (!isPlain) yield printsDecoded;
}

function* decodes(use: Use): Iterable<Effect> {
  yield* readsFiles(use.operands);
  yield* outputsOf(use);
  if (use.has("d", "D", "decode") || use.name === "b64decode") yield printsDecoded;
}

/** `xxd in out`; `-r` converts a dump back to bytes. */
function* dumps({ operands, words }: Use): Iterable<Effect> {
  yield* readsFiles(operands.slice(0, 1));
  yield* writes(operands.slice(1, 2), "replaces");
  if (words.some(({ text }) => /^-(?:r|rev\w*|[a-z]*r)$/u.test(text))) yield printsDecoded;
}

/** `-n in out` and `-O` leave the original file unchanged. */
function* endsLines({ operands, has }: Use): Iterable<Effect> {
  if (has("n", "newfile")) {
    yield* readsFiles(operands.filter((_, at) => at % 2 === 0));
    yield* writes(
      operands.filter((_, at) => at % 2 === 1),
      "replaces",
    );
  } else if (has("O", "to-stdout", "i", "info")) yield* readsFiles(operands);
  else yield* edits(operands);
}

function compares({ operands, values }: Use): Effect[] {
  return readsFiles([...operands, ...values("X", "exclude-from", "from-file", "to-file")]);
}
