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
    const [to] = places;
    const moved = filesIn(sources).map((path): Effect => ({
      type: "deletes",
      path,
      deep: true,
      moved: true,
      to,
    }));
    return [...moved, ...writes(places, "replaces")];
  },
  links: (_, use) => linksTo(use),
  *"installs files"(paths, use) {
    const { sources, places } = use.has("d", "directory") ? { sources: [], places: paths } : placesOf(use);
    const mode = use.value("m", "mode");
    yield* readsFiles(sources);
    yield* writes(places, sources.length > 0 ? "replaces" : "creates");
    if (mode) for (const path of places) yield { type: "permits", path, mode, deep: false };
  },
};

/**
 * A link exposes its target under another name, so linking counts as reading. A relative target is resolved from the
 * link's directory.
 */
function* linksTo(use: Use): Iterable<Effect> {
  const { sources, places } = placesOf(use);
  const directory = places[0] && directoryOf(places[0]);
  const isSymbolic = use.has("s", "symbolic");
  const isFromLink = isSymbolic && !use.has("r", "relative");
  yield* readsFiles(
    sources.map((path) => (isFromLink && directory && isRelative(path) ? below(directory, path) : path)),
  );
  const how = use.has("f", "force") ? "replaces" : "creates";
  const [target, another] = isSymbolic ? sources : [];
  for (const path of filesIn(places))
    yield { type: "writes", path, how, ...(target && !another ? { linksTo: target } : {}) };
}

/** The sources, and every path at which they may be found afterwards: a single operand is linked here. */
function placesOf(use: Use): { sources: readonly Word[]; places: readonly Word[] } {
  const { operands } = use;
  const directory = use.value("t", "target-directory");
  if (directory) return { sources: operands, places: inside(directory, operands, use) };
  const [target] = operands.slice(-1);
  if (!target) return { sources: [], places: [] };
  if (operands.length === 1) return { sources: operands, places: [nameOf(target)] };
  const sources = operands.slice(0, -1);
  const within = inside(target, sources, use);
  const isDirectory = sources.length > 1 || /(?:^|\/)\.{0,2}$|^~$/u.test(target.text);
  // What has an ending is hardly a directory: `notes.txt`, but not `docs` and `.config`.
  const isFile = /[^./]\.\w{1,5}$/u.test(target.text) || (use.name.endsWith("ln") && use.has("n"));
  return { sources, places: isDirectory ? within : [target, ...(isFile ? [] : within)] };
}

/** A name known only at run time still stays inside the directory. */
const inside = (directory: Word, sources: readonly Word[], { has }: Use): Word[] =>
  sources.map((source) => {
    const name = has("parents") ? source : nameOf(source);
    return isUnknown(name) ? directory : below(directory, name);
  });
