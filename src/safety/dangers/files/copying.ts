/**
 * Programs that give a file a second or a new name: cp, mv, ln, install. All of them choose their target in the same
 * way.
 */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  directoryOf,
  filesIn,
  isRelative,
  nameOf,
  readsFiles,
  writes,
} from "../file-effect-makers.ts";
import { wordsIn } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

const placing: OptionForm = {
  short: "tS",
  long: ["target-directory", "suffix"],
  known: ["force", "no-clobber", "update", "verbose", "no-target-directory", "backup", "interactive"],
};

const copies: OptionForm = {
  ...placing,
  long: ["target-directory", "suffix", "sparse", "no-preserve"],
  known: [
    ...(placing.known ?? []),
    "archive",
    "recursive",
    "dereference",
    "no-dereference",
    "link",
    "symbolic-link",
    "preserve",
    "parents",
    "reflink",
    "remove-destination",
    "strip-trailing-slashes",
    "attributes-only",
    "one-file-system",
    "copy-contents",
    "context",
  ],
};

const installs: OptionForm = {
  short: "mogtS",
  long: ["mode", "owner", "group", "target-directory", "suffix", "strip-program"],
  known: ["compare", "directory", "preserve-timestamps", "strip", "no-target-directory", "verbose", "backup"],
};

export const copying: readonly Program[] = [
  program("cp gcp", copiesTo, { options: copies }),
  program("mv gmv", movesTo, { options: placing }),
  program("ln gln", linksTo, {
    options: {
      ...placing,
      known: [...(placing.known ?? []), "symbolic", "relative", "logical", "physical", "no-dereference"],
    },
  }),
  program("link", linksTo),
  program("install ginstall", installsTo, { options: installs }),
  program("cpx cpy", ({ operands }) => [
    ...readsFiles(operands.slice(0, -1)),
    ...writes(operands.slice(-1), "replaces"),
  ]),
  program("ditto", copiesTo),
];

function* copiesTo(use: Use): Iterable<Effect> {
  const { sources, places } = placesOf(use);
  yield* readsFiles(sources);
  yield* writes(places, "replaces");
}

function* movesTo(use: Use): Iterable<Effect> {
  const { sources, places } = placesOf(use);
  for (const path of filesIn(sources))
    yield { type: "deletes", path, deep: true, moved: true, to: places[0] };
  yield* writes(places, "replaces");
}

/**
 * A link exposes its target under another name, so linking counts as reading. A relative target is resolved from the
 * link's directory.
 */
function* linksTo(use: Use): Iterable<Effect> {
  const [only] = use.operands;
  const isAlone = use.operands.length === 1 && only !== undefined && !use.has("t", "target-directory");
  const { sources, places } = isAlone ? { sources: [only], places: [nameOf(only)] } : placesOf(use);
  const directory = places[0] && directoryOf(places[0]);
  const isSymbolic = use.has("s", "symbolic") && !use.has("r", "relative");
  yield* readsFiles(
    sources.map((path) => (isSymbolic && directory && isRelative(path) ? below(directory, path) : path)),
  );
  const how = use.has("f", "force") ? "replaces" : "creates";
  const linksTo = use.has("s", "symbolic") && sources.length === 1 ? sources[0] : undefined;
  for (const path of filesIn(places)) yield { type: "writes", path, how, ...(linksTo ? { linksTo } : {}) };
}

function* installsTo(use: Use): Iterable<Effect> {
  const isDirectories = use.has("d", "directory");
  const { sources, places } = isDirectories ? { sources: [], places: use.operands } : placesOf(use);
  yield* readsFiles(sources);
  yield* writes(places, isDirectories ? "creates" : "replaces");
  const mode = use.value("m", "mode");
  for (const path of filesIn(places)) {
    if (mode) yield { type: "permits", path, mode, deep: false };
    if (use.has("o", "owner", "g", "group")) yield { type: "permits", path, mode: undefined, deep: false };
  }
  for (const stripper of use.values("strip-program")) {
    yield danger("high", "its option --strip-program runs a command");
    yield runs([...wordsIn(stripper), ...places]);
  }
}

/** The sources, and every path at which they may be found afterwards. */
function placesOf(use: Use): { sources: readonly Word[]; places: readonly Word[] } {
  const directory = use.value("t", "target-directory");
  if (directory) return { sources: use.operands, places: inside(directory, use) };
  const sources = use.operands.slice(0, -1);
  const target = use.operands.at(-1);
  if (!target) return { sources: [], places: [] };
  if (use.has("T", "no-target-directory") || (use.name.endsWith("ln") && use.has("n", "no-dereference")))
    return { sources, places: [target] };
  const isDirectory = sources.length > 1 || /(?:^|\/)\.{0,2}$|^~$/u.test(target.text);
  if (isDirectory) return { sources, places: inside(target, { ...use, operands: sources }) };
  const mayBe = !hasEnding(target);
  return { sources, places: [target, ...(mayBe ? inside(target, { ...use, operands: sources }) : [])] };
}

/** A name known only at run time still stays inside the directory. */
const inside = (directory: Word, { operands, has }: Use): Word[] =>
  operands.map((source) => {
    const name = has("parents") ? source : nameOf(source);
    return isUnknown(name) ? directory : below(directory, name);
  });

/** Whether a path has a file extension: `notes.txt` is hardly a directory; `docs` and `.config` may be. */
const hasEnding = (path: Word): boolean => /[^./]\.\w{1,5}$/u.test(path.text);
