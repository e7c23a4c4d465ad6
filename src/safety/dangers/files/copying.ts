/** Functions of `files.yaml`: what copies, moves, links and installs files. All choose their target in the same way. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
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
import type { Use } from "../program.ts";

export const copying: Readonly<Record<string, WordsDo>> = {
  copies(_, use) {
    const { sources, places } = placesOf(use);
    return [...readsFiles(sources), ...writes(places, "replaces")];
  },
  "moves there"(_, use) {
    const { sources, places } = placesOf(use);
    const moved = filesIn(sources).map((path): Effect => ({
      type: "deletes",
      path,
      deep: true,
      moved: true,
      to: places[0],
    }));
    return [...moved, ...writes(places, "replaces")];
  },
  links: (_, use) => linksTo(use),
  "installs files"(_, use) {
    const isDirectories = use.has("d", "directory");
    const { sources, places } = isDirectories ? { sources: [], places: use.operands } : placesOf(use);
    const mode = use.value("m", "mode");
    const permitted = mode
      ? filesIn(places).map((path): Effect => ({ type: "permits", path, mode, deep: false }))
      : [];
    return [...readsFiles(sources), ...writes(places, isDirectories ? "creates" : "replaces"), ...permitted];
  },
};

/**
 * A link exposes its target under another name, so linking counts as reading. A relative target is resolved from the
 * link's directory.
 */
function* linksTo(use: Use): Iterable<Effect> {
  const [only] = use.operands;
  const isAlone = use.operands.length === 1 && only !== undefined && !use.has("t", "target-directory");
  const { sources, places } = isAlone ? { sources: [only], places: [nameOf(only)] } : placesOf(use);
  const directory = places[0] && directoryOf(places[0]);
  const isSymbolic = use.has("s", "symbolic");
  const isFromLink = isSymbolic && !use.has("r", "relative");
  yield* readsFiles(
    sources.map((path) => (isFromLink && directory && isRelative(path) ? below(directory, path) : path)),
  );
  const how = use.has("f", "force") ? "replaces" : "creates";
  const target = isSymbolic && sources.length === 1 ? sources[0] : undefined;
  for (const path of filesIn(places))
    yield { type: "writes", path, how, ...(target ? { linksTo: target } : {}) };
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
  const within = inside(target, { ...use, operands: sources });
  const isDirectory = sources.length > 1 || /(?:^|\/)\.{0,2}$|^~$/u.test(target.text);
  return { sources, places: isDirectory ? within : [target, ...(hasEnding(target) ? [] : within)] };
}

/** A name known only at run time still stays inside the directory. */
const inside = (directory: Word, { operands, has }: Use): Word[] =>
  operands.map((source) => {
    const name = has("parents") ? source : nameOf(source);
    return isUnknown(name) ? directory : below(directory, name);
  });

/** Whether a path has a file extension: `notes.txt` is hardly a directory; `docs` and `.config` may be. */
const hasEnding = (path: Word): boolean => /[^./]\.\w{1,5}$/u.test(path.text);
