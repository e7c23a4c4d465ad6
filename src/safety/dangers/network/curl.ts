/** curl: what it requests, what it sends along, and where it stores the response. */

import { literal, type Word, withText } from "../../command-line/word.ts";
import { danger, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { cutAt, inDirectory, isEngineSocket, nameIn, without } from "../parts.ts";
import type { Use } from "../program.ts";
import { flowsOut, hiddenOptions } from "./downloads.ts";

export function* curl(use: Use): Iterable<Effect> {
  const urls = [...use.operands, ...use.values("url", "expand-url")];
  yield* hiddenOptions(urls);
  yield* setUp(use);
  yield* kept(use, urls);
  yield* sent(use, urls);
  if (use.has("version", "V", "help", "h", "manual", "M")) return;
  for (const url of urls) yield* asked(url);
}

function* asked(url: Word): Iterable<Effect> {
  if (/^file:/iu.test(url.text)) {
    yield {
      type: "reads",
      path: withText(url, url.text.replace(/^file:(?:\/\/(?:localhost)?(?=\/))?/iu, "")),
    };
    return;
  }
  yield { type: "fetches", from: url };
  if (/^(?:telnet|gopher|dict|smtps?|mqtt|ldaps?):/iu.test(url.text))
    yield { type: "sends", to: url, words: [url], input: true };
}

/** Options from a file, code in a library, passwords, sockets. */
function* setUp(use: Use): Iterable<Effect> {
  for (const path of use.values("K", "config")) {
    if (path.text !== "-") yield { type: "reads", path };
    else if (use.input.text) yield runs([literal("curl"), ...optionsIn(use.input.text), ...use.operands]);
    yield danger("high", "it takes its options from a file, which can send and overwrite files");
  }
  for (const path of use.values("engine")) {
    yield danger("high", "its option --engine loads code");
    yield { type: "loads", path, language: "other" };
  }
  for (const path of use.values("netrc-file")) yield { type: "reads", path };
  if (use.has("n", "netrc", "netrc-optional")) yield { type: "reads", path: homeFile(use, ".netrc") };
  for (const socket of use.values("unix-socket", "abstract-unix-socket"))
    if (isEngineSocket(socket))
      yield danger("critical", "it commands the container engine, which is root on this machine");
    else yield { type: "reads", path: socket };
  for (const proxy of use.values("x", "proxy", "preproxy", "socks5", "socks5-hostname", "socks4", "socks4a"))
    yield { type: "fetches", from: proxy };
}

/** The lines of a curl configuration file: `data = "@file"`, `-o file`, or a bare URL. */
const optionsIn = (settings: Word): Word[] =>
  settings.text.split("\n").flatMap((line) => {
    const [, name = "", value] = /^\s*-{0,2}([\w-]+)(?:\s*[=:]\s*|\s+|$)"?(.*?)"?\s*$/su.exec(line) ?? [];
    if (name === "") return [];
    const dashes = name.length === 1 ? "-" : "--";
    return [literal(dashes + name), ...(value ? [withText(settings, value)] : [])];
  });

const homeFile = (use: Use, name: string): Word => literal(`${use.around.home}/${name}`);

/** Every option that names an output file. */
function* kept(use: Use, urls: readonly Word[]): Iterable<Effect> {
  const directory = use.value("output-dir");
  const files = use.values("o", "output", "expand-output");
  const named = use.has("O", "remote-name", "remote-name-all", "J", "remote-header-name");
  const outputs = named ? [...files, ...urls.map((url) => nameIn(url, "download"))] : files;
  for (const file of outputs)
    if (!isStream(file))
      yield { type: "writes", path: inDirectory(directory, file), how: "replaces", content: fetched };
  yield* replaces(
    use
      .values(
        "D",
        "dump-header",
        "c",
        "cookie-jar",
        "trace",
        "trace-ascii",
        "stderr",
        "etag-save",
        "hsts",
        "alt-svc",
        "libcurl",
      )
      .filter((path) => !isStream(path) && path.text !== "%"),
  );
  const printed = outputs.length < Math.max(1, urls.length) || outputs.some(isStream);
  yield { type: "prints", flows: printed ? ["network"] : [] };
}

const isStream = ({ text }: Word): boolean => /^(?:-|\/dev\/(?:stdout|stderr|null|fd\/[12]))$/u.test(text);

function* sent(use: Use, urls: readonly Word[]): Iterable<Effect> {
  const { words, files, input } = body(use);
  const telling = flowsOut([
    ...urls,
    ...use.values(
      "H",
      "header",
      "expand-header",
      "proxy-header",
      "u",
      "user",
      "b",
      "cookie",
      "A",
      "user-agent",
    ),
    ...use.values("e", "referer", "oauth2-bearer", "url-query", "U", "proxy-user"),
  ]);
  const method = use.value("X", "request")?.text ?? "GET";
  const reading = /^(?:get|head|options|trace|propfind|report|search)$/iu.test(method);
  const data = use.has("G", "get") ? flowsOut(words) : words;
  const isSent =
    data.length > 0 || telling.length > 0 || files.length > 0 || input || !reading || use.has("Q", "quote");
  if (!isSent) return;
  yield* reads(files);
  yield { type: "sends", to: urls[0], words: [...data, ...telling], files, input };
}

type Body = { words: Word[]; files: Word[]; input: boolean };

/** The request body, in each option's syntax: `@file`, `<file`, `-` for standard input. */
function body(use: Use): Body {
  const found: Body = { words: [], files: [], input: false };
  const take = (file: Word): void => {
    if (file.text === "-" || file.text === "." || file.text === "/dev/stdin") found.input = true;
    else found.files.push(file);
  };
  const takeData = (data: Word): void => {
    if (data.text.startsWith("@")) take(without(data, "@"));
    else found.words.push(data);
  };
  use.values("T", "upload-file").forEach(take);
  use.values("d", "data", "data-ascii", "data-binary", "json", "expand-data").forEach(takeData);
  found.words.push(...use.values("data-raw", "form-string"));
  for (const data of use.values("data-urlencode")) {
    const named = /^[^=@]*@(?<file>.+)$/su.exec(data.text)?.groups?.["file"];
    if (named === undefined) found.words.push(data);
    else take(withText(data, named));
  }
  for (const part of use.values("F", "form")) {
    const value = cutAt(part, "=")?.after ?? part;
    if (!/^[@<]/u.test(value.text)) found.words.push(part);
    else
      value.text
        .slice(1)
        .replace(/;.*$/su, "")
        .split(",")
        .forEach((name) => take(withText(value, name.replaceAll('"', ""))));
  }
  takeFiles(use, take, found);
  return found;
}

/** Headers, cookies and variables read from files or the environment. */
function takeFiles(use: Use, take: (file: Word) => void, found: Body): void {
  for (const header of use.values("H", "header")) if (header.text.startsWith("@")) take(without(header, "@"));
  for (const cookie of use.values("b", "cookie"))
    if (!cookie.text.includes("=") && cookie.text !== "") take(cookie);
  for (const variable of use.values("variable")) {
    const file = cutAt(variable, "@")?.after;
    if (file) take(file);
    else if (variable.text.startsWith("%")) found.words.push({ ...variable, carries: new Set(["secret"]) });
  }
}
