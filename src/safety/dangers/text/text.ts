/** Programs that read text and print it, in whole, in part, or converted. */

import type { Effect } from "../effect.ts";
import { printsDecoded, readsFiles, runsByOptions, writes } from "../file-effect-makers.ts";
import { scripted } from "../languages/scripted.ts";
import { namesIn } from "../listed.ts";
import { program, type Program, type Use } from "../program.ts";

const outputsOf = (use: Use): Effect[] =>
  writes(use.values("o", "output", "output-file", "outfile"), "replaces");

export const text: readonly Program[] = [
  ...scripted,

  program("cat gcat", concatenates, {
    options: { known: ["show-all", "number", "squeeze-blank", "show-ends"] },
  }),
  program("sort gsort", sorts, {
    options: {
      short: "kotSTZ",
      long: namesIn(`key output field-separator buffer-size temporary-directory compress-program files0-from random-
        source parallel batch-size sort`),
      known:
        namesIn(`reverse unique numeric-sort check merge stable version-sort debug random-sort human-numeric-sort
        general-numeric-sort month-sort ignore-case ignore-leading-blanks dictionary-order zero-
        terminated`),
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
  program("base64 base32 basenc base58 gbase64 base16 base85 z85 b64decode ascii85", decodes, {
    options: {
      short: "wbo",
      long: ["wrap", "output"],
      known: ["decode", "ignore-garbage", "base64url", "base16", "base32"],
    },
  }),
  program("xxd", dumps, {
    options: {
      oneDash: true,
      long: ["s", "seek", "l", "len", "c", "cols", "g", "groupsize", "o", "offset", "n", "name", "R"],
    },
  }),
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
