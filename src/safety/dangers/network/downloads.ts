/** Programs other than curl that fetch files from the network. */

import { isUnknown, type Word } from "../../command-line/word.ts";
import { danger, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { inDirectory, nameIn } from "../parts.ts";
import type { Use } from "../program.ts";

/** Content from another host, which is unknown in advance. */
export const flowsOut = (words: readonly Word[]): Word[] =>
  words.filter(({ carries }) => carries.has("secret") || carries.has("private"));

/** Words that come from another host or from decoded text, and so could become any option. */
export function hiddenOptions(words: readonly Word[]): Effect[] {
  const hidden = words.some(
    (word) =>
      isUnknown(word) && word.mayBeSeveral && (word.carries.has("network") || word.carries.has("decoded")),
  );
  return hidden ? [danger("high", "its options are only known when it runs")] : [];
}

export function* wget(use: Use): Iterable<Effect> {
  const urls = use.operands;
  if (use.has("V", "version", "h", "help")) return;
  yield* hiddenOptions(urls);
  yield* wgetSettings(use);
  yield* reads([...use.values("i", "input-file", "load-cookies")].filter(({ text }) => text !== "-"));
  yield* replaces(
    use.values(
      "o",
      "output-file",
      "a",
      "append-output",
      "rejected-log",
      "save-cookies",
      "hsts-file",
      "warc-file",
    ),
  );
  for (const from of urls) yield { type: "fetches", from };
  if (use.has("i", "input-file")) yield { type: "fetches", from: undefined };
  yield* wgetSends(use);
  yield* wgetKeeps(use);
}

function* wgetSettings(use: Use): Iterable<Effect> {
  if (use.has("e", "execute"))
    yield danger("high", "its option -e gives it settings, which can send and overwrite files");
  for (const code of use.values("use-askpass")) {
    yield danger("high", "its option --use-askpass runs a command");
    yield { type: "interprets", language: "shell", code };
  }
  for (const path of use.values("config")) {
    yield { type: "reads", path };
    yield danger("high", "it takes its settings from a file, which can send and overwrite files");
  }
}

function* wgetSends(use: Use): Iterable<Effect> {
  const files = use.values("post-file", "body-file");
  const words = [
    ...use.values("post-data", "body-data"),
    ...flowsOut([
      ...use.operands,
      ...use.values("header", "user", "password", "http-user", "http-password", "referer", "U", "user-agent"),
    ]),
  ];
  const method = use.value("method")?.text ?? "GET";
  if (files.length + words.length === 0 && /^(?:get|head|options)$/iu.test(method)) return;
  yield* reads(files);
  yield { type: "sends", to: use.operands[0], words, files };
}

function* wgetKeeps(use: Use): Iterable<Effect> {
  const directory = use.value("P", "directory-prefix");
  const file = use.value("O", "output-document");
  const prints = file !== undefined && /^(?:-|\/dev\/stdout)$/u.test(file.text);
  yield { type: "prints", flows: prints ? ["network"] : [] };
  if (prints || use.has("spider")) return;
  const many = use.has("r", "recursive", "m", "mirror", "p", "page-requisites");
  const names = file ? [file] : use.operands.map((url) => inDirectory(directory, nameIn(url, "index.html")));
  const paths = many && !file && directory ? [directory] : names;
  for (const path of paths) yield { type: "writes", path, how: "replaces", content: fetched };
}

/** `http POST host name=value file@path Header:value query==value`. */
