/** Functions of the data: what a client of the web, or a copier of files, requests, sends along, and keeps. */

import { type Word, withText } from "../../command-line/word.ts";
import { reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  below,
  deletes,
  fetched,
  filesIn,
  filesNamed,
  nameOf,
  readsFiles,
  writes,
} from "../file-effect-makers.ts";
import { isEngineSocket, nameIn, wordsIn } from "../parts.ts";
import type { Use, WordsDo } from "../program.ts";
import { commandsEngine } from "./talking.ts";

const isStream = ({ text }: Word): boolean =>
  /^(?:-|\/dev\/(?:std(?:in|out|err)|null|fd\/[12]))$/u.test(text);

const web: WordsDo = (urls) =>
  urls.map((url) => {
    const path = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/isu.exec(url.text)?.[1];
    return path === undefined ? { type: "fetches", from: url } : { type: "reads", path: withText(url, path) };
  });

function sendsFiles(named: readonly Word[], { operands, input }: Use): Effect[] {
  const files = named.filter((word) => !isStream(word) && word.text !== ".");
  const isInput = files.length < named.length && input.isGiven;
  return [...reads(files), { type: "sends", to: operands[0], files, input: isInput }];
}

/** `@file`, `name=@file;type=x`, `name@file`, `<file`, `~/file`: what the words refer to; others are sent as they are. */
function sendsWords(words: readonly Word[], use: Use): Effect[] {
  const files = words.flatMap((word) => {
    const path = /^(?:[^@<:/]*[@<]"?|(?=[.~/]))([^";]+)/u.exec(word.text)?.[1];
    return path === undefined ? [] : [withText(word, path)];
  });
  return files.length > 0 ? sendsFiles(files, use) : [{ type: "sends", to: use.operands[0], words }];
}

function keepsFiles(names: readonly Word[], use: Use): Effect[] {
  const directory = use.value("output-dir", "P", "directory-prefix", "d", "dir");
  return names
    .filter((name) => !isStream(name))
    .map((name) => ({
      type: "writes",
      path: directory && !/^[/~]/u.test(name.text) ? below(directory, name) : name,
      how: "replaces",
      content: fetched,
    }));
}

/** Under the names that the addresses have, unless a name is given. */
const downloads = (urls: readonly Word[], use: Use): Effect[] =>
  use.has("spider") || use.value("O", "output-document", "o", "out", "output") !== undefined
    ? []
    : keepsFiles(
        (urls.length > 0 ? urls : use.operands).map((url) => nameIn(url, "index.html")),
        use,
      );

/** `http POST :3000/x name=value file@path query==value`. */
function* items(operands: readonly Word[], { input }: Use): Iterable<Effect> {
  const [target, ...rest] = /^[A-Z]{2,}$/u.test(operands[0]?.text ?? "") ? operands.slice(1) : operands;
  if (!target) return;
  const to = withText(target, target.text.replace(/^:(?=\d|\/|$)/u, "localhost:"));
  yield { type: "fetches", from: to };
  if (rest.length > 0 || input.isGiven)
    yield { type: "sends", to, words: rest, files: filesNamed(rest), input: input.isGiven };
}

export const requests: Readonly<Record<string, WordsDo>> = {
  web,
  "request items": items,
  "sends words": sendsWords,
  "sends headers": (words, use) =>
    words.filter(({ text }) => text.startsWith("@")).flatMap((word) => sendsWords([word], use)),
  "sends method": ([method], { operands }) =>
    /^(?:get|head|options|trace|propfind|report|search)$/iu.test(method?.text ?? "get")
      ? []
      : [{ type: "sends", to: operands[0] }],
  "sends files": sendsFiles,
  /** Each line of the input is an option: `data = "@file"`. */
  "options of curl": (paths, use) => {
    const said = paths[0]?.text === "-" ? use.input.text : undefined;
    return said ? sendsFiles(filesNamed(wordsIn(said)), use) : reads(paths);
  },
  "writes fetched": keepsFiles,
  /** `%output{file}` turns what it prints into that file; `@file` is a format. */
  "told by a format": (formats) =>
    formats.flatMap((format) => [
      ...reads(/^@[^-]/u.test(format.text) ? [withText(format, format.text.slice(1))] : []),
      ...writes(
        [...format.text.matchAll(/%output\{(?:>>)?([^}]*)\}/gu)].map(([, path = ""]) =>
          withText(format, path),
        ),
        "appends",
      ),
    ]),
  downloads,
  socket: (paths) => paths.map((path) => (isEngineSocket(path) ? commandsEngine : { type: "reads", path })),
};

export function* copiesTrees(operands: readonly Word[], use: Use): Iterable<Effect> {
  const [target, sources] = [operands.at(-1), operands.slice(0, -1)];
  if (!target || sources.length === 0) return;
  const near = sources.filter((source) => !isFar(source));
  yield* readsFiles(near);
  for (const from of sources.filter(isFar)) yield { type: "fetches", from: hostOf(from) };
  if (isFar(target)) yield { type: "sends", to: hostOf(target), files: filesIn(near) };
  if (use.has("n", "dry-run", "list-only")) return;
  if (use.options.some(({ name }) => name.startsWith("remove-s"))) yield* deletes(near, true);
  yield* changes(use, target, sources);
}

/** `src/` means its contents, `src` the directory itself. */
const isWhole = ({ text }: Word): boolean => text.endsWith("/") || text.endsWith("/.");

function* changes(use: Use, target: Word, sources: readonly Word[]): Iterable<Effect> {
  const removes = use.options.some(({ name }) => name.startsWith("del"));
  if (isFar(target)) return;
  const places = sources.map((source) => (isWhole(source) ? target : below(target, nameOf(pathOf(source)))));
  const isFile = sources.length === 1 && places[0] !== target && !target.text.endsWith("/");
  if (removes) yield* deletes(places, true);
  yield* writes(isFile ? [...places, target] : places, "replaces");
  for (const mode of use.values("chmod"))
    for (const path of places)
      yield { type: "permits", path, mode: withText(mode, mode.text.replace(/^[DF]/u, "")), deep: true };
}

/** `host:path`, `host::module`, `s3://bucket`; a colon behind a slash is part of a file name. */
const isFar = ({ text }: Word): boolean => /^(?:rsync:\/\/|[^/:]+:)/u.test(text);

/** The path on the other machine. */
const pathOf = (place: Word): Word => withText(place, place.text.replace(/^(?:rsync:\/\/|[^/:]+::?)/u, ""));

const hostOf = (place: Word): Word =>
  withText(place, place.text.replace(/^rsync:\/\//u, "").replace(/[:/].*$/su, ""));
