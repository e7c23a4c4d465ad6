/** Programs that pack files into archives and unpack them. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  edits,
  filesIn,
  printsDecoded,
  readsFiles,
  readsOperands,
  runsByOption,
  runsByOptions,
  writes,
} from "../file-effect-makers.ts";
import { program, type Program, type Use } from "../program.ts";
import { readOptions } from "../use.ts";
import { compressing } from "./compressing.ts";
import { tar } from "./tar.ts";

const here = literal(".");
const anywhere = "it lets the archive write wherever its names point";

export const archives: readonly Program[] = [
  tar,
  ...compressing,
  program("zip zipcloak", zips, {
    options: {
      short: "bnPtOZs",
      long: [
        "temp-path",
        "password",
        "out",
        "output-file",
        "split-size",
        "compression-method",
        "unzip-command",
      ],
      known: [
        "recurse-paths",
        "move",
        "delete",
        "test",
        "update",
        "freshen",
        "junk-paths",
        "quiet",
        "exclude",
      ],
    },
  }),
  program("unzip", unzips, { options: { short: "dPOIx" } }),
  program("funzip", ({ operands }) => [...readsFiles(operands), printsDecoded]),
  program("zipinfo zipnote lsar", readsOperands, { options: { short: "xP" } }),
  program("zipgrep", ({ operands }) => readsFiles(operands.slice(1, 2))),
  program("zipsplit", ({ operands, value }) => [
    ...readsFiles(operands),
    ...writes([value("b") ?? here], "creates"),
  ]),
  program("7z 7za 7zr 7zz 7zzs p7zip", sevenZips, { options: { attached: "otmpwxiaurvbslyh" } }),
  program("rar unrar", rars, { options: { attached: "opxnactvw" } }),
  program(
    "unar",
    ({ operands, value }) => [
      ...readsFiles(operands.slice(0, 1)),
      ...writes([value("o", "output-directory") ?? here], "creates"),
    ],
    { options: { short: "opeEk", long: ["output-directory", "password", "encoding"] } },
  ),
  program("cpio gcpio", copiesInOut, {
    options: {
      short: "FOIEDHRCM",
      long: [
        "file",
        "pattern-file",
        "directory",
        "format",
        "owner",
        "io-size",
        "message",
        "rsh-command",
        "block-size",
      ],
      known: ["extract", "create", "pass-through", "list", "make-directories", "to-stdout", "unconditional"],
    },
  }),
  program("pax", paxes, { options: { short: "bfosxBEGTU" } }),
  program("ar gar llvm-ar gcc-ar", archivesObjects, { options: { long: ["plugin", "target", "output"] } }),
  program("lrzip zpaq zforce znew gzexe bzexe", ({ operands }) => [
    ...readsFiles(operands),
    ...edits(operands),
  ]),
  program("par2", ({ operands }) => edits(operands.slice(1))),
  program("zipmerge", ({ operands }) => [...readsFiles(operands.slice(1)), ...edits(operands.slice(0, 1))]),
  program("ranlib", ({ operands }) => edits(operands)),
  program("jar", jars),
  program("shar", readsOperands),
  program("unshar", ({ operands }) => operands.map((path) => loads(path, "shell"))),
  program("rpm2cpio rpm2archive", ({ operands }) => [...readsFiles(operands), printsDecoded]),
  program(
    "cabextract arj unace lha unlzx",
    ({ operands, value }) => [
      ...readsFiles(operands),
      ...writes([value("d", "directory") ?? here], "creates"),
    ],
    { options: { short: "dFp", long: ["directory", "filter"] } },
  ),
  program(
    "mksquashfs",
    ({ operands }) => [...readsFiles(operands.slice(0, -1)), ...writes(operands.slice(1, 2), "replaces")],
    { options: { oneDash: true, long: ["comp", "b", "e", "ef", "p", "pf", "processors", "mem", "sort"] } },
  ),
  program(
    "unsquashfs",
    ({ operands, value }) => [
      ...readsFiles(operands.slice(0, 1)),
      ...writes([value("d", "dest") ?? literal("squashfs-root")], "creates"),
    ],
    { options: { oneDash: true, long: ["d", "dest", "p", "processors", "e", "ef"] } },
  ),
  program(
    "genisoimage mkisofs",
    ({ operands, value }) => [
      ...readsFiles(operands),
      ...writes([value("o", "output") ?? literal("-")], "replaces"),
    ],
    { options: { oneDash: true, long: ["o", "output", "V", "A", "b", "c", "m", "x", "p", "publisher"] } },
  ),
  program("asar", ({ operands: [, from, to] }) => [
    ...readsFiles(from ? [from] : []),
    ...writes(to ? [to] : [], "creates"),
  ]),
];

/** `zip -r out.zip src -x '*.log'`: the words after `-x` or `-i` are patterns, up to the next option. */
function* zips(use: Use): Iterable<Effect> {
  const operands = withoutLists(use);
  const [archive, members] = [operands[0], operands.slice(1)];
  yield* testers(use);
  if (!archive) return;
  const onlyTests = use.has("T", "test") && members.length === 0;
  yield* writes(onlyTests ? [] : [use.value("O", "out", "output-file") ?? archive], "replaces");
  if (use.has("d", "delete")) return;
  yield* readsFiles(members);
  if (use.has("m", "move")) yield* deletes(members, true);
}

function withoutLists({ operands, words }: Use): readonly Word[] {
  const listed = new Set<Word>();
  let isList = false;
  for (const word of words) {
    if (word.text.startsWith("-") && word.text !== "-")
      isList = /^-(?:[^-]*[xi]|-(?:exc|inc)\w*)$/u.test(word.text);
    else if (word.text === "@") isList = false;
    else if (isList) listed.add(word);
  }
  return operands.filter((word) => !listed.has(word));
}

/** `zip -T -TT 'command'` tests the archive by running a command. */
function* testers(use: Use): Iterable<Effect> {
  yield* runsByOptions(use, ["unzip-command"]);
  for (const [at, word] of use.words.entries()) {
    const attached = /^-[^-]*TT(.*)$/su.exec(word.text)?.[1];
    if (attached === undefined) continue;
    yield* runsByOption(
      "-TT",
      attached === "" ? (use.words[at + 1] ?? literal("")) : withText(word, attached),
    );
  }
}

function* unzips(use: Use): Iterable<Effect> {
  const [archive, members] = [use.operands[0], use.operands.slice(1)];
  if (!archive) return;
  yield* readsFiles([archive]);
  if (use.has("p", "c")) yield printsDecoded;
  if (use.has("l", "t", "v", "z", "Z", "p", "c")) return;
  yield* unpacks(use.value("d"), use.has("x") ? [] : members);
  if (use.has(":")) yield danger("high", anywhere);
}

/** Writes the named members or, without names, any file in the directory. */
const unpacks = (directory: Word | undefined, members: readonly Word[]): Effect[] =>
  writes(
    members.length > 0
      ? members.map((name) => (directory ? below(directory, name) : name))
      : [directory ?? here],
    "creates",
  );

/**
 * Option values are attached: `-o` and a directory in one word. The first operand is a letter that selects the action.
 */
function* sevenZips(use: Use): Iterable<Effect> {
  const [verb, archive, ...members] = use.operands;
  if (!verb || !archive) return;
  const does = verb.text.toLowerCase();
  const has = (option: string): boolean => use.words.some(({ text }) => text.toLowerCase() === option);
  if ("xe".includes(does)) {
    yield* readsFiles([archive]);
    if (has("-so")) {
      yield printsDecoded;
      return;
    }
    yield* unpacks(use.value("o"), members);
    if (has("-spf")) yield danger("high", anywhere);
  } else if (["l", "t", "h", "b", "i"].includes(does)) yield* readsFiles([archive, ...members]);
  else {
    yield* writes([archive], "replaces");
    if (does === "a" || does === "u") yield* readsFiles(members);
    if (has("-sdel")) yield* deletes(members, true);
  }
}

function* rars(use: Use): Iterable<Effect> {
  const [verb, archive, ...members] = use.operands;
  if (!verb || !archive) return;
  if (/^[aufm]/u.test(verb.text)) {
    yield* readsFiles(members);
    yield* writes([archive], "replaces");
    if (verb.text.startsWith("m")) yield* deletes(members, true);
    return;
  }
  yield* readsFiles([archive]);
  if (verb.text === "p") {
    yield printsDecoded;
    return;
  }
  const directory = members.findLast(({ text }) => text.endsWith("/"));
  const named = members.filter((word) => word !== directory);
  if (/^[xe]/u.test(verb.text)) yield* unpacks(directory, named);
  if (/^[dkrs]/u.test(verb.text)) yield* edits([archive]);
}

function* copiesInOut(use: Use): Iterable<Effect> {
  for (const shell of use.values("rsh-command")) yield* runsByOption("--rsh-command", shell);
  const directory = use.value("D", "directory");
  const archive = use.values("F", "file", "O", "I");
  yield* readsFiles(use.values("E", "pattern-file"));
  if (use.has("o", "create")) {
    yield* writes(archive, "replaces");
    return;
  }
  if (use.has("p", "pass-through")) {
    yield* writes(use.operands.slice(0, 1), "creates");
    return;
  }
  yield* readsFiles(archive);
  if (use.has("to-stdout")) yield printsDecoded;
  else if (use.has("i", "extract") && !use.has("t", "list")) yield* writes([directory ?? here], "creates");
}

function* paxes(use: Use): Iterable<Effect> {
  const archive = use.values("f");
  if (use.has("r") && use.has("w")) {
    yield* readsFiles(use.operands.slice(0, -1));
    yield* writes(use.operands.slice(-1), "creates");
  } else if (use.has("w")) {
    yield* readsFiles(use.operands);
    yield* writes(archive, "replaces");
  } else {
    yield* readsFiles(archive);
    if (use.has("r")) yield* unpacks(undefined, use.operands);
    if (use.has("r") && use.has("s"))
      yield danger("high", "its option -s decides where the files of the archive go");
  }
}

/** `ar rcs lib.a a.o b.o`: the first word selects the action, with or without a dash. */
function* archivesObjects(use: Use): Iterable<Effect> {
  for (const path of use.values("plugin")) yield loads(path);
  const words = readOptions(use.words.map(dashless), { long: ["plugin", "target", "output"] }).operands;
  const [key, ...rest] = words;
  const verb = /[dmpqrtxs]/u.exec(key?.text ?? "")?.[0] ?? "t";
  const paths = /[abi]/u.test(key?.text ?? "") && "mr".includes(verb) ? rest.slice(1) : rest;
  const [archive, ...members] = paths;
  if (!archive) return;
  if ("tpx".includes(verb)) yield* readsFiles([archive]);
  else yield* writes([archive], "edits");
  if (verb === "x") yield* unpacks(use.value("output"), members);
  if ("qr".includes(verb)) yield* readsFiles(members);
  if (verb === "p") yield printsDecoded;
}

const dashless = (word: Word, at: number): Word =>
  at === 0 && /^-[a-zA-Z]+$/u.test(word.text) ? withText(word, word.text.slice(1)) : word;

/** `jar cfm out.jar manifest -C dir .`: the values follow in the order of the letters. */
function* jars(use: Use): Iterable<Effect> {
  const form = { short: "fme", long: ["file", "manifest", "main-class", "release", "module-version", "dir"] };
  const [bundle, ...rest] = use.words;
  const isOld = bundle !== undefined && /^[a-zA-Z0]+$/u.test(bundle.text);
  const letters = isOld ? bundle.text.split("") : [];
  const valued = letters.filter((letter) => form.short.includes(letter));
  const read = readOptions(isOld ? rest.slice(valued.length) : use.words, form);
  const value = (letter: string, name: string): Word | undefined =>
    isOld
      ? rest[valued.indexOf(letter)]
      : read.options.findLast((option) => option.name === letter || option.name === name)?.value;
  const has = (letter: string, name: string): boolean =>
    letters.includes(letter) || read.options.some((option) => option.name === letter || option.name === name);
  const archive = letters.length > 0 && !letters.includes("f") ? undefined : value("f", "file");
  if (archive && has("c", "create")) yield* writes([archive], "replaces");
  else if (archive && has("u", "update")) yield* edits([archive]);
  else if (archive) yield* readsFiles([archive]);
  if (has("x", "extract")) {
    yield* unpacks(value("", "dir"), read.operands);
    return;
  }
  if (has("c", "create") || has("u", "update")) yield* readsFiles(filesIn(read.operands));
}
