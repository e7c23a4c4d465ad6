/** Functions of the data: what a client of the web requests, sends along, and keeps. */

import { isUnknown, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched, filesNamed } from "../elsewhere/carried.ts";
import { inDirectory, isEngineSocket, nameIn, wordsIn } from "../parts.ts";
import type { Use } from "../program.ts";
import { commandsEngine } from "./talking.ts";

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

function sendsFiles(named: readonly Word[], { operands, input }: Use): Effect[] {
  const files = named.filter((word) => !isStream(word) && word.text !== ".");
  const isInput = files.length < named.length && input.isGiven;
  return [...reads(files), { type: "sends", to: operands[0], files, input: isInput }];
}

/** Words that may refer to files; others are sent as they are, or asked for with `-G`, or say nothing (`headers`). */
const referring =
  (reference: RegExp, headers = false): WordsDo =>
  (words, use) => {
    const files = words.flatMap((word) => {
      const path = reference.exec(word.text)?.[1];
      return path === undefined ? [] : [withText(word, path.replaceAll('"', ""))];
    });
    if (files.length > 0) return sendsFiles(files, use);
    return headers || use.has("G", "get") ? [] : [{ type: "sends", to: use.operands[0], words }];
  };

function keepsFiles(names: readonly Word[], use: Use): Effect[] {
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
    : keepsFiles(
        use.operands.map((url) => nameIn(url, "index.html")),
        use,
      );

/** `http POST :3000/x name=value file@path query==value`. */
function* items([first, ...others]: readonly Word[], use: Use): Iterable<Effect> {
  const isMethod = /^[A-Z]{2,}$/u.test(first?.text ?? "");
  const [target, ...rest] = isMethod || !first ? others : [first, ...others];
  if (!target) return;
  const to = withText(target, target.text.replace(/^:(?=\d|\/|$)/u, "localhost:"));
  const words = rest.filter(({ text }) => /^[^=@:]*:?[=@](?!=)/u.test(text));
  const isReading = !isMethod || /^(?:GET|HEAD|OPTIONS)$/u.test(first?.text ?? "");
  yield { type: "fetches", from: to };
  if (words.length > 0 || use.input.isGiven || !isReading)
    yield { type: "sends", to, words, files: filesNamed(words), input: use.input.isGiven };
  if (use.has("d", "download")) yield* keepsFiles([nameIn(to, "download")], use);
}

export const requests: Readonly<Record<string, WordsDo>> = {
  web,
  "request items": items,
  "sends body": referring(/^(?:[^=@]*=)?[@<]([^;]+)/u),
  "sends encoded": referring(/^[^=@]*@(.+)/su),
  "sends headers": referring(/^@(.+)/su, true),
  "sends cookies": referring(/^([^=]+)$/u, true),
  "sends files": sendsFiles,
  "sends method": ([method], { operands }) =>
    method && !/^(?:get|head|options|trace|propfind|report|search)$/iu.test(method.text)
      ? [{ type: "sends", to: operands[0] }]
      : [],
  /** Each line of the input is an option: `data = "@file"`. */
  "options of curl": (paths, use) => {
    const said = paths[0]?.text === "-" ? use.input.text : undefined;
    return said ? sendsFiles(filesNamed(wordsIn(said)), use) : reads(paths);
  },
  "writes fetched": keepsFiles,
  downloads,
  socket: (paths) => paths.map((path) => (isEngineSocket(path) ? commandsEngine : { type: "reads", path })),
};
