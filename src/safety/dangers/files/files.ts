/** Functions of `files.yaml`: what copies, moves, links, installs, packs, fills and removes files. */

import { isUnknown, literal, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  directoryOf,
  filesIn,
  isRelative,
  nameOf,
  printsDecoded,
  readsFiles,
  runsByOption,
  writes,
} from "../file-effect-makers.ts";
import { cutAt } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";
import { mayBeOption } from "../use.ts";

const compressor =
  /^(?:\/usr\/bin\/)?[\w-]*(?:zip2?|z|z[i4o]p?|zstd\w*|pigz|lzma|brotli|compress)(?: -\S+)*$/u;
const plainAction = /^(?:dot|\.|bell|echo|ttyout|sleep|totals|wait)/u;

export const fileFunctions: Readonly<Record<string, WordsDo>> = {
  removes: (paths, { words, has }) => deletes(paths, has("r", "R", "recursive") || words.some(mayBeOption)),
  /** Many files that become empty are as good as deleted. */
  truncates(paths, { value }) {
    const empties = /^0+$/u.test(value("s", "size")?.text ?? "");
    const many = empties ? paths.filter(({ isPattern }) => isPattern) : [];
    return [...writes(paths, "replaces"), ...deletes(many, false)];
  },
  "makes temporary": (_, use) => makesTemporary(use),
  "takes input": (paths, use) => takesInput(paths, use),
  "copies blocks": copiesBlocks,
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
  packs: (_, use) => archiveOf(use),
  compressors: (programs) =>
    programs.filter(({ text }) => !compressor.test(text)).flatMap((program) => runsByOption("-I", program)),
  /** An action is a command behind `exec=`. */
  checkpoints: (actions) =>
    actions
      .filter(({ text }) => !plainAction.test(text))
      .flatMap((action) => runsByOption("--checkpoint-action", cutAt(action, "exec=")?.after ?? action)),
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
  const isFile =
    /[^./]\.\w{1,5}$/u.test(target.text) ||
    use.has("T", "no-target-directory") ||
    (use.name.endsWith("ln") && use.has("n"));
  return { sources, places: isDirectory ? within : [target, ...(isFile ? [] : within)] };
}

/** A name known only at run time still stays inside the directory. */
const inside = (directory: Word, sources: readonly Word[], { has }: Use): Word[] =>
  sources.map((source) => {
    const name = has("parents") ? source : nameOf(source);
    return isUnknown(name) ? directory : below(directory, name);
  });

function* archiveOf({ has, value, values, options, operands }: Use): Iterable<Effect> {
  const archive = values("f", "file");
  const far = has("force-local") ? undefined : archive.find(({ text }) => /^[^/:]+:/u.test(text));
  const directory = value("C", "directory");
  const members = operands.map((path) => (directory && isRelative(path) ? below(directory, path) : path));
  const makes = has("c", "create");
  const changes = has("r", "append", "u", "update", "A", "catenate", "concatenate", "delete");
  if (makes || changes) yield* readsFiles(members);
  if (!far) yield* makes || changes ? writes(archive, makes ? "replaces" : "edits") : readsFiles(archive);
  else if (makes) yield { type: "sends", to: cutAt(far, ":")?.before, files: members };
  else yield { type: "fetches", from: far };
  if (has("remove-files")) yield* deletes(members, true);
  if (!has("x", "extract", "get")) return;
  const top = options.find(({ name }) => name === "one-top-level")?.value ?? directory ?? literal(".");
  const named = operands.filter(({ isPattern }) => !isPattern).map((name) => below(top, name));
  if (has("O", "to-stdout", "to-command")) yield printsDecoded;
  else yield* writes(named.length > 0 ? named : [top], "creates");
  if (has("P", "absolute-names")) yield danger("high", "it lets the archive write wherever its names point");
}

/** The random letters that replace the X's are unpredictable: the pattern itself represents the name. */
function* makesTemporary({ operands, options, has }: Use): Iterable<Effect> {
  const template = operands[0] ?? literal("tmp.XXXXXXXXXX");
  const told = options.find(({ name }) => name === "p" || name === "tmpdir");
  const isTemporary = operands.length === 0 || has("t") || told !== undefined;
  const path = isTemporary ? below(told?.value ?? literal("/tmp"), template) : template;
  if (!has("u", "dry-run")) yield* writes([path], "creates");
  yield { type: "prints", text: path };
}

function* takesInput(paths: readonly Word[], { name, has, input: { text } }: Use): Iterable<Effect> {
  const how = has("a", "append") ? "appends" : "replaces";
  for (const path of filesIn(paths)) yield { type: "writes", path, how, ...(text ? { content: text } : {}) };
  if (text && (name !== "sponge" || paths.length === 0)) yield { type: "prints", text };
}

/** `dd if=… of=…`. A word known only at run time may be either. */
function* copiesBlocks(operands: readonly Word[]): Iterable<Effect> {
  const how = operands.some(({ text }) => /^oflag=.*append/u.test(text)) ? "appends" : "replaces";
  for (const word of operands) {
    const value = withText(word, word.text.slice(word.text.indexOf("=") + 1));
    if (word.text.startsWith("if=")) yield* readsFiles([value]);
    else if (/^(?:of|hof|hashlog|errlog|log|hlog)=/u.test(word.text)) yield* writes([value], how);
    else if (isUnknown(word) && !/^\w+=/u.test(word.text)) yield* writes([unknownWord(word.carries)], how);
  }
}
