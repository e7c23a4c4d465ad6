/** Programs that compress or decompress a single file: gzip, xz, zstd and similar. */

import { type Word, withText } from "../../command-line/word.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  edits,
  filesIn,
  movesAway,
  nameOf,
  printsDecoded,
  readsFiles,
  readsOperands,
  writes,
} from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

type Kind = {
  /** The extension of the compressed file. */
  ending: string;
  /** The names under which the program decompresses. */
  undoes: string;
  /** Whether the original file remains. */
  keeps?: boolean;
  options?: OptionForm;
};

const ordinary: OptionForm = {
  short: "S",
  long: ["suffix"],
  known: [
    "stdout",
    "to-stdout",
    "decompress",
    "uncompress",
    "keep",
    "force",
    "list",
    "test",
    "recursive",
    "quiet",
  ],
};

const xzForm: OptionForm = {
  short: "SFCTM",
  long: [
    "suffix",
    "format",
    "check",
    "threads",
    "memlimit",
    "memlimit-compress",
    "memlimit-decompress",
    "block-size",
    "block-list",
    "flush-timeout",
    "filters",
  ],
  known: [
    "stdout",
    "to-stdout",
    "decompress",
    "uncompress",
    "keep",
    "force",
    "list",
    "test",
    "files",
    "files0",
  ],
};

const zstdForm: OptionForm = {
  short: "oD",
  attached: "TMBbeiAS",
  long: ["output-dir-flat", "output-dir-mirror", "trace", "filelist", "dictID", "memlimit"],
  known: ["stdout", "decompress", "uncompress", "rm", "keep", "force", "list", "test", "train", "threads"],
};

export const compressing: readonly Program[] = [
  compressor("gzip pigz zopfli gunzip unpigz", {
    ending: ".gz",
    undoes: "gunzip unpigz",
    options: { ...ordinary, short: "Sbp" },
  }),
  compressor("bzip2 pbzip2 lbzip2 bunzip2 pbunzip2 lbunzip2", {
    ending: ".bz2",
    undoes: "bunzip2 pbunzip2 lbunzip2",
    options: ordinary,
  }),
  compressor("xz pxz pixz unxz", { ending: ".xz", undoes: "unxz", options: xzForm }),
  compressor("lzma unlzma", { ending: ".lzma", undoes: "unlzma", options: xzForm }),
  compressor("zstd pzstd zstdmt unzstd", {
    ending: ".zst",
    undoes: "unzstd",
    keeps: true,
    options: zstdForm,
  }),
  compressor("lz4 unlz4", { ending: ".lz4", undoes: "unlz4", keeps: true, options: { attached: "BTDb" } }),
  compressor("brotli unbrotli", {
    ending: ".br",
    undoes: "unbrotli",
    keeps: true,
    options: { short: "oSwqD", long: ["output", "suffix", "lgwin", "quality", "dictionary"] },
  }),
  compressor("lzip plzip clzip", {
    ending: ".lz",
    undoes: "lunzip",
    options: { ...ordinary, short: "oSbBmsn" },
  }),
  compressor("lzop", { ending: ".lzo", undoes: "", keeps: true, options: { ...ordinary, short: "opS" } }),
  compressor("compress uncompress", { ending: ".Z", undoes: "uncompress", options: { short: "b" } }),

  program("zcat gzcat bzcat xzcat lzcat lzmacat zstdcat lz4cat brcat", ({ operands }) => [
    ...readsFiles(operands),
    printsDecoded,
  ]),
  program(
    "zgrep bzgrep xzgrep zstdgrep zegrep zfgrep bzegrep xzegrep xzfgrep bzfgrep lzgrep lzegrep lzfgrep",
    ({ operands, values, has }) => [
      ...readsFiles(values("f", "file")),
      ...readsFiles(has("e", "f", "regexp", "file") ? operands : operands.slice(1)),
    ],
    { options: { short: "ABCefm", long: ["regexp", "file", "max-count", "context"] } },
  ),
  program("zless zmore bzless bzmore xzless xzmore zstdless zdiff zcmp bzdiff xzdiff xzcmp", readsOperands),
];

function compressor(names: string, kind: Kind): Program {
  return program(names, (use) => compresses(use, kind), { options: kind.options ?? ordinary });
}

function* compresses(use: Use, kind: Kind): Iterable<Effect> {
  const isUndone = use.has("d", "decompress", "uncompress") || namesIn(kind.undoes).includes(use.name);
  const paths = filesIn(use.operands);
  yield* readsFiles([...paths, ...use.values("D", "filelist", "files", "files0", "dictionary")]);
  const output = use.values("o", "output");
  const isFilter = paths.length === 0 || use.has("c", "stdout", "to-stdout", "t", "test", "l", "list");
  yield* writes(output, "replaces");
  if (isUndone && isFilter && output.length === 0) yield printsDecoded;
  if (isFilter || output.length > 0) return;
  if (use.has("r", "recursive")) {
    yield* edits(paths);
    return;
  }
  const named = (path: Word): Word =>
    placed(use, isUndone ? withoutEnding(path) : withText(path, path.text + kind.ending));
  yield* writes(paths.map(named), "replaces");
  const keeps = use.has("k", "keep") || (kind.keeps === true && !use.has("rm", "j"));
  if (!keeps) yield* movesAway(paths);
}

function placed(use: Use, path: Word): Word {
  const directory = use.value("output-dir-flat", "output-dir-mirror");
  return directory ? below(directory, nameOf(path)) : path;
}

const withoutEnding = (path: Word): Word =>
  withText(path, path.text.replace(/\.t?(?:gz|bz2?|xz|zst|lz4|lzma|lzo?|br|Z)$/u, ""));
