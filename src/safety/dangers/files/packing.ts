/** Functions of `files.yaml`: archives and compressed files. */

import { isUnknown, literal, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  edits,
  filesIn,
  movesAway,
  nameOf,
  printsDecoded,
  readsFiles,
  runsByOption,
  writes,
} from "../file-effect-makers.ts";
import type { Use } from "../program.ts";

const here = literal(".");
const anywhere = danger("high", "it lets the archive write wherever its names point");

const unpacks = (directory: Word | undefined, members: readonly Word[]): Effect[] =>
  writes(
    members.length > 0
      ? members.map((name) => (directory ? below(directory, name) : name))
      : [directory ?? here],
    "creates",
  );

const endings: readonly (readonly [RegExp, string])[] = [
  [/gz|pig|zopfli/u, ".gz"],
  [/bz/u, ".bz2"],
  [/zst/u, ".zst"],
  [/lz4/u, ".lz4"],
  [/brotli/u, ".br"],
  [/lzma/u, ".lzma"],
  [/lzip|clzip/u, ".lz"],
  [/lzop/u, ".lzo"],
  [/compress/u, ".Z"],
  [/xz/u, ".xz"],
];

function* compressed(operands: readonly Word[], use: Use): Iterable<Effect> {
  const isUndone = use.has("d", "decompress", "uncompress") || /^(?:un|gun|bun|pbun|lun)/u.test(use.name);
  const paths = filesIn(operands);
  const output = use.values("o", "output");
  const isFilter = paths.length === 0 || use.has("c", "stdout", "to-stdout", "t", "test", "l", "list");
  yield* [...readsFiles(paths), ...writes(output, "replaces")];
  if (isUndone && isFilter && output.length === 0) yield printsDecoded;
  if (isFilter || output.length > 0) return;
  if (use.has("r", "recursive")) {
    yield* edits(paths);
    return;
  }
  const ending = endings.find(([names]) => names.test(use.name))?.[1] ?? "";
  const directory = use.value("output-dir-flat");
  const named = paths.map((path) =>
    withText(
      path,
      isUndone ? path.text.replace(/\.t?(?:gz|bz2?|xz|zst|lz4|lzma|lzo?|br|Z)$/u, "") : path.text + ending,
    ),
  );
  yield* writes(
    named.map((path) => (directory ? below(directory, nameOf(path)) : path)),
    "replaces",
  );
  const keeps = use.has("k", "keep") || (/zst|lz4|brotli|lzop/u.test(use.name) && !use.has("rm", "j"));
  if (!keeps) yield* movesAway(paths);
}

function* zipped(operands: readonly Word[], { words, has }: Use): Iterable<Effect> {
  const listed = new Set<Word>();
  let isList = false;
  for (const [at, word] of words.entries()) {
    if (word.text.startsWith("-") && word.text !== "-")
      isList = /^-(?:[^-]*[xi]|-(?:exc|inc)\w*)$/u.test(word.text);
    else if (word.text === "@") isList = false;
    else if (isList) listed.add(word);
    const [, tester] = /^-[^-]*TT(.*)$/su.exec(word.text) ?? [];
    if (tester !== undefined)
      yield* runsByOption("-TT", tester === "" ? (words[at + 1] ?? here) : withText(word, tester));
  }
  const [archive, ...members] = operands.filter((word) => !listed.has(word));
  if (!archive || (has("T", "test") && members.length === 0)) return;
  yield* writes([archive], "replaces");
  if (has("d", "delete")) return;
  yield* readsFiles(members);
  if (has("m", "move")) yield* deletes(members, true);
}

function* byVerb(operands: readonly Word[], { words, name }: Use): Iterable<Effect> {
  const [verb, archive, ...members] = operands;
  if (!verb || !archive) return;
  const option = (form: RegExp): string | undefined =>
    words.flatMap(({ text }) => form.exec(text)?.[1] ?? []).at(-1);
  const directory =
    option(/^-o(.+)$/u) ?? members.findLast(({ text }) => name.endsWith("rar") && text.endsWith("/"))?.text;
  if (/^[xe]/iu.test(verb.text)) {
    yield* readsFiles([archive]);
    if (words.some(({ text }) => text === "-so")) yield printsDecoded;
    else
      yield* unpacks(
        directory === undefined ? undefined : literal(directory),
        members.filter(({ text }) => text !== directory),
      );
    if (words.some(({ text }) => text === "-spf")) yield anywhere;
  } else if (/^[lthbiv]$|^l/iu.test(verb.text)) yield* readsFiles([archive, ...members]);
  else if (verb.text === "p") yield* [...readsFiles([archive]), printsDecoded];
  else {
    yield* [...writes([archive], "replaces"), ...(/^[aufm]/u.test(verb.text) ? readsFiles(members) : [])];
    if (verb.text.startsWith("m") || words.some(({ text }) => text === "-sdel"))
      yield* deletes(members, true);
  }
}

function* javaArchive(_: readonly Word[], { words }: Use): Iterable<Effect> {
  const [first, ...rest] = words;
  const letters = (first?.text ?? "").replace(/^--?/u, "");
  const does = /^--(?:create|update|extract|list)/u.exec(first?.text ?? "")?.[0].slice(2, 3) ?? letters;
  const isFile = does.includes("f") || rest.some(({ text }) => /^(?:-f|--file(?:=.*)?)$/u.test(text));
  const names = rest.filter(({ text }) => !text.startsWith("-"));
  const given = rest.find(({ text }) => text.startsWith("--file="));
  const archive = given ? withText(given, given.text.slice(7)) : isFile ? names[0] : undefined;
  const members = given ? names : names.slice(isFile ? 1 : 0);
  if (does.startsWith("c")) yield* [...writes(archive ? [archive] : [], "replaces"), ...readsFiles(members)];
  else if (does.startsWith("u")) yield* [...edits(archive ? [archive] : []), ...readsFiles(members)];
  else yield* readsFiles(archive ? [archive] : []);
  if (/^x|^e/u.test(does)) yield* unpacks(undefined, members);
}

export const packing: Readonly<Record<string, WordsDo>> = {
  compressed,
  zipped,
  "packed by verb": byVerb,
  "java archive": javaArchive,
  unzipped: ([archive, ...members], { has, value }) => {
    if (!archive) return [];
    const only = has("l", "t", "v", "z", "Z", "p", "c");
    return [
      ...readsFiles([archive]),
      ...(has("p", "c") ? [printsDecoded] : []),
      ...(only ? [] : unpacks(value("d", "o", "output-directory"), has("x") ? [] : members)),
    ];
  },
  "archive of copies": (words, { has }) =>
    has("o", "create", "w") ? writes(words, "replaces") : readsFiles(words),
  "copied in or out": (words, { has, value, name }) => {
    if (name === "pax" ? has("r") && has("w") : has("p", "pass-through"))
      return [...readsFiles(words.slice(0, -1)), ...writes(words.slice(-1), "creates")];
    if (has("o", "create", "w")) return readsFiles(words);
    if (has("to-stdout")) return [printsDecoded];
    const isOut = has("i", "extract", "r") && !has("t", "list");
    return isOut
      ? [
          ...unpacks(value("D", "directory"), name === "pax" ? words : []),
          ...(has("s") ? [danger("high", "its option -s decides where the files of the archive go")] : []),
        ]
      : [];
  },
  "objects in an archive": ([key, ...rest], { name }) => {
    if (name === "ranlib") return edits(key ? [key, ...rest] : []);
    const verb = /[dmpqrtxs]/u.exec(key?.text ?? "")?.[0] ?? "t";
    const [archive, ...members] = rest;
    if (!archive) return [];
    return [
      ...("tpx".includes(verb) ? readsFiles([archive]) : writes([archive], "edits")),
      ...("qr".includes(verb) ? readsFiles(members) : []),
      ...(verb === "x" ? unpacks(undefined, members) : []),
    ];
  },
  "deletes there": (words) =>
    words.flatMap((path): Effect[] =>
      /^(?:[\w.+ -]+:|:\w)/u.test(path.text) || isUnknown(path)
        ? [danger("high", "it removes what is stored elsewhere")]
        : [{ type: "deletes", path, deep: true }],
    ),
};
