/** Programs that create, move and remove files. */

import { isUnknown, joined, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  edits,
  filesIn,
  movesAway,
  nothing,
  readsFiles,
  readsOperands,
  runsByOptions,
  writes,
} from "../file-effect-makers.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";
import { mayBeOption } from "../use.ts";
import { copying } from "./copying.ts";
import { bytesIn, bytesOfBlocks, takesDisk } from "./sizes.ts";

const removing = {
  known: namesIn(`recursive force interactive verbose dir no-preserve-root preserve-root one-file-system`),
};

export const files: readonly Program[] = [
  ...copying,

  program(
    "rm grm srm wipe",
    ({ operands, words, has }) => deletes(operands, has("r", "R", "recursive") || words.some(mayBeOption)),
    { options: removing },
  ),
  program("rmdir unlink", ({ operands }) => deletes(operands, false)),
  program("rimraf del del-cli", ({ operands }) => deletes(operands, true), {
    options: { long: ["impl", "tmp", "max-retries", "retry-delay", "backoff"] },
  }),
  program("trash trash-put rmtrash", ({ operands }) =>
    operands.map((path): Effect => ({ type: "deletes", path, deep: true, moved: true })),
  ),
  program("trash-empty trash-rm", () => [danger("high", "it removes for good what is in the wastebasket")]),
  program("trash-list", nothing),
  program("trash-restore", ({ operands }) => writes(operands, "creates")),

  program(
    "mkdir gmkdir mkfifo",
    ({ operands, value }) => [...writes(operands, "creates"), ...permitted(operands, value("m", "mode"))],
    { options: { short: "m", long: ["mode"], known: ["parents", "verbose", "context"] } },
  ),
  program("mkdirp make-dir", ({ operands }) => writes(operands, "creates")),
  program(
    "touch gtouch",
    ({ operands, values }) => [...readsFiles(values("r", "reference")), ...writes(operands, "creates")],
    {
      options: { short: "drt", long: ["date", "reference", "time"], known: ["no-create", "no-dereference"] },
    },
  ),
  program("mktemp gmktemp tempfile", makesTemporary, {
    options: { short: "p", long: ["suffix"], known: ["directory", "dry-run", "quiet", "tmpdir"] },
  }),
  program("mknod", makesNode, { options: { short: "m", long: ["mode"] } }),

  program(
    "truncate",
    ({ operands, values }) => [
      ...readsFiles(values("r", "reference")),
      ...writes(operands, "replaces"),
      ...takesDisk(...values("s", "size").map(({ text }) => bytesIn(text))),
      ...(/^0+$/u.test(values("s", "size")[0]?.text ?? "")
        ? deletes(
            operands.filter(({ isPattern }) => isPattern),
            false,
          )
        : []),
    ],
    { options: { short: "sr", long: ["size", "reference"], known: ["no-create", "io-blocks"] } },
  ),
  program(
    "shred gshred scrub",
    ({ operands }) => [...writes(operands, "replaces"), ...deletes(operands, false)],
    {
      options: {
        short: "nsp",
        long: ["iterations", "size", "random-source", "pattern"],
        known: ["remove", "force", "verbose", "exact", "zero"],
      },
    },
  ),
  program(
    "fallocate",
    ({ operands, values }) => [
      ...edits(operands),
      ...takesDisk(...values("l", "length", "o", "offset").map(({ text }) => bytesIn(text))),
    ],
    {
      options: { short: "lo", long: ["length", "offset"], known: ["dig-holes", "punch-hole", "keep-size"] },
    },
  ),
  program("sync fsync fdatasync", nothing),

  program("tee gtee sponge", takesInput, {
    options: { known: ["append", "ignore-interrupts", "output-error"] },
  }),
  program("split gsplit", splits, {
    options: {
      short: "abClnt",
      long: namesIn("suffix-length additional-suffix bytes line-bytes lines number separator filter"),
      known: ["numeric-suffixes", "hex-suffixes", "elide-empty-files", "unbuffered", "verbose"],
    },
  }),
  program(
    "csplit gcsplit",
    ({ operands, value }) => [
      ...readsFiles(operands.slice(0, 1)),
      ...writes([endingIn(value("f", "prefix") ?? literal("xx"), "00")], "creates"),
    ],
    {
      options: { short: "bfn", long: ["suffix-format", "prefix", "digits"], known: ["keep-files", "silent"] },
    },
  ),
  program("dd gdd dcfldd dc3dd", copiesBlocks),

  program("rename prename file-rename perl-rename", renamesByCode, {
    options: { short: "eE", long: ["expr"] },
  }),
  program("rename.ul", ({ operands }) => edits(operands.slice(2))),
  program("detox convmv", ({ operands }) => edits(operands), { options: { short: "fst" } }),

  program("gio", desktopFiles),
  program("hardlink", ({ operands }) => edits(operands), { options: { short: "ixbr" } }),

  program("namei filefrag", readsOperands),
];

/** `-m` at creation: the permissions of the new path. */
const permitted = (paths: readonly Word[], mode: Word | undefined): Effect[] =>
  mode ? filesIn(paths).map((path) => ({ type: "permits", path, mode, deep: false })) : [];

/** The random letters that replace the X's are unpredictable: the pattern itself represents the name. */
function* makesTemporary({ operands, options, has }: Use): Iterable<Effect> {
  const template = operands[0] ?? literal("tmp.XXXXXXXXXX");
  const told = options.find(({ name }) => name === "p" || name === "tmpdir");
  const isTemporary = operands.length === 0 || has("t") || told !== undefined;
  const path = isTemporary ? below(told?.value ?? literal("/tmp"), template) : template;
  if (!has("u", "dry-run")) yield* writes([path], "creates");
  yield { type: "prints", text: path };
}

function* makesNode({ operands, value }: Use): Iterable<Effect> {
  const [path, type] = operands;
  if (!path) return;
  yield* writes([path], "creates");
  yield* permitted([path], value("m", "mode"));
  if (type?.text !== "p") yield danger("high", "it makes a device file, through which hardware is reached");
}

function* takesInput({ name, operands, has, input }: Use): Iterable<Effect> {
  const how = has("a", "append") ? "appends" : "replaces";
  for (const path of filesIn(operands))
    yield { type: "writes", path, how, ...(input.text ? { content: input.text } : {}) };
  if (input.text && (name !== "sponge" || operands.length === 0)) yield { type: "prints", text: input.text };
}

function* splits(use: Use): Iterable<Effect> {
  const [file, prefix = literal("x")] = use.operands;
  if (file) yield* readsFiles([file]);
  yield* runsByOptions(use, ["filter"]);
  if (!use.has("filter")) yield* writes([endingIn(prefix, "aa")], "creates");
}

const endingIn = (word: Word, end: string): Word => withText(word, word.text + end);

/** `dd if=… of=…`. A word known only at run time may be either. */
function* copiesBlocks({ operands }: Use): Iterable<Effect> {
  if (operands.some(({ text }) => /^of=(?!\/dev\/)/u.test(text))) yield* takesDisk(bytesOfBlocks(operands));
  const how = operands.some(({ text }) => /^oflag=.*append/u.test(text)) ? "appends" : "replaces";
  for (const word of operands) {
    const value = withText(word, word.text.slice(word.text.indexOf("=") + 1));
    if (word.text.startsWith("if=")) yield* readsFiles([value]);
    else if (/^(?:of|hof|hashlog|errlog|log|hlog)=/u.test(word.text)) yield* writes([value], how);
    else if (isUnknown(word) && !/^\w+=/u.test(word.text)) yield* writes([unknownWord(word.carries)], how);
  }
}

/** Perl's `rename 's/a/b/' files`; util-linux's rename takes two plain words instead, which are harmless as code. */
function* renamesByCode({ operands, values }: Use): Iterable<Effect> {
  const given = values("e", "E", "expr");
  const code = given.length > 0 ? given : operands.slice(0, 1);
  if (code.length > 0) yield { type: "interprets", language: "perl", code: joined(code, "\n") };
  const files = given.length > 0 ? operands : operands.slice(1);
  const [, name] = /^s([/|,#!])\^?\.[*+]\$?\1(?<name>[^$\\&]*?)\1/u.exec(code[0]?.text ?? "")?.slice(1) ?? [];
  if (name === undefined) yield* edits(files);
  else yield* [...movesAway(files), ...writes([literal(name)], "replaces")];
}

/** GNOME's `gio copy a b`: the first word names the action. */
function* desktopFiles({ operands: [verb, ...paths] }: Use): Iterable<Effect> {
  switch (verb?.text) {
    case "cat":
      yield* readsFiles(paths);
      return;
    case "copy":
      yield* readsFiles(paths.slice(0, -1));
      yield* writes(paths.slice(-1), "replaces");
      return;
    case "move":
    case "rename":
      yield* movesAway(paths.slice(0, -1));
      yield* writes(paths.slice(-1), "replaces");
      return;
    case "remove":
      yield* deletes(paths, true);
      return;
    case "trash":
      yield* movesAway(paths);
      return;
    case "save":
    case "mkdir":
    case "set":
      yield* edits(paths.slice(0, 1));
      return;
    default:
  }
}
