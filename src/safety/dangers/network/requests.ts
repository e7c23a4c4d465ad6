/** Functions of the data: what a client of the web requests, sends along, and keeps. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { filesNamed } from "../elsewhere/sent.ts";
import { inDirectory, isEngineSocket, nameIn, wordsIn } from "../parts.ts";
import type { Use } from "../program.ts";

const isStream = ({ text }: Word): boolean =>
  /^(?:-|\/dev\/(?:std(?:in|out|err)|null|fd\/[12]))$/u.test(text);

/** Words that come from another host or from decoded text, and so could become any option. */
const isOpen = (word: Word): boolean =>
  isUnknown(word) && word.mayBeSeveral && (word.carries.has("network") || word.carries.has("decoded"));

function* web(urls: readonly Word[], { input }: Use): Iterable<Effect> {
  if (urls.some(isOpen)) yield danger("high", "its options are only known when it runs");
  for (const url of urls) {
    const path = /^file:(?:\/\/(?:localhost)?(?=\/))?(.*)$/isu.exec(url.text)?.[1];
    yield path === undefined ? { type: "fetches", from: url } : { type: "reads", path: withText(url, path) };
    if (/^(?:telnet|gopher|dict|smtps?|mqtt|ldaps?):/iu.test(url.text))
      yield { type: "sends", to: url, words: [url], input: input.isGiven };
  }
}

/** `@file`, `name=@file;type=x`, `name=<file`; anything else is sent as it is, or asked for with `-G`. */
function body(words: readonly Word[], use: Use, reference = /^(?:[^=@]*=)?[@<]([^;]+)/u): Effect[] {
  const files = words.flatMap((word) => {
    const path = reference.exec(word.text)?.[1];
    return path === undefined ? [] : [withText(word, path.replaceAll('"', ""))];
  });
  if (files.length > 0) return sent(files, use);
  return use.has("G", "get") ? [] : [{ type: "sends", to: use.operands[0], words }];
}

function sent(named: readonly Word[], { operands, input }: Use): Effect[] {
  const files = named.filter((word) => !isStream(word) && word.text !== ".");
  const isInput = files.length < named.length && input.isGiven;
  return [...reads(files), { type: "sends", to: operands[0], files, input: isInput }];
}

/** Headers and cookies may stand in a file: `-H @file`, `-b jar`. */
function headers(words: readonly Word[], use: Use): Effect[] {
  const named = words.filter(({ text }) => text !== "" && (text.startsWith("@") || !/[=:]/u.test(text)));
  const files = named.map((word) => withText(word, word.text.replace(/^@/u, "")));
  return files.length > 0 ? sent(files, use) : [];
}

function kept(names: readonly Word[], use: Use): Effect[] {
  const directory = use.value("output-dir", "P", "directory-prefix", "d", "dir");
  return names
    .filter((name) => !isStream(name))
    .map((name) => ({
      type: "writes",
      path: /^[/~]/u.test(name.text) ? name : inDirectory(directory, name),
      how: "replaces",
      content: fetched,
    }));
}

/** Under the names that the addresses have, unless a name is given. */
const downloads = (_: unknown, use: Use): Effect[] =>
  use.has("spider") || use.value("O", "output-document", "o", "out", "output") !== undefined
    ? []
    : kept(
        use.operands.map((url) => nameIn(url, "index.html")),
        use,
      );

/** `http POST host name=value file@path query==value`. */
function* items(operands: readonly Word[], use: Use): Iterable<Effect> {
  const method = /^[A-Z]{2,}$/u.test(operands[0]?.text ?? "") ? operands[0]?.text : undefined;
  const [target, ...rest] = method ? operands.slice(1) : operands;
  if (!target) return;
  const to = /^:(?:\d|\/|$)/u.test(target.text) ? withText(target, `localhost${target.text}`) : target;
  yield { type: "fetches", from: to };
  const files = rest.flatMap((item) => {
    const path = /^(?:[^=@:]+)?(?::?=)?:?@(.+)$/su.exec(item.text)?.[1];
    return path === undefined ? [] : [withText(item, path)];
  });
  const words = [...rest.filter(({ text }) => /^[^=@:]+:?=(?!=|@)/u.test(text)), ...use.values("raw")];
  const input = use.input.isGiven && !use.has("ignore-stdin", "I");
  const isChange = method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/u.test(method);
  yield* reads(files);
  if (words.length + files.length > 0 || input || isChange) yield { type: "sends", to, words, files, input };
  if (use.has("d", "download")) yield* kept([nameIn(to, "download")], use);
}

export const requests: Readonly<Record<string, WordsDo>> = {
  web,
  "request items": items,
  "sends body": body,
  "sends encoded": (words, use) => body(words, use, /^[^=@]*@(.+)/su),
  "sends files": sent,
  "sends headers": headers,
  "sends method": ([method], { operands }) =>
    method && !/^(?:get|head|options|trace|propfind|report|search)$/iu.test(method.text)
      ? [{ type: "sends", to: operands[0] }]
      : [],
  /** Each line of the input is an option: `data = "@file"`. */
  "options of curl": (paths, use) => {
    const [file] = paths;
    const said = file?.text === "-" ? use.input.text : undefined;
    return said ? sent(filesNamed(wordsIn(said)), use) : reads(paths);
  },
  "writes fetched": kept,
  downloads,
  socket: (paths) =>
    paths.map((path) =>
      isEngineSocket(path)
        ? danger("critical", "it commands the container engine, which is root on this machine")
        : { type: "reads", path },
    ),
};
