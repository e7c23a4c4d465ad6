/** Programs other than curl that fetch files from the network. */

import { type Flow, isUnknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { cutAt, inDirectory, nameIn, without } from "../parts.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";

/** Content from another host, which is unknown in advance. */
export const fetched: Word = { ...unknownWord(new Set<Flow>(["network"])), mayBeSeveral: false };

/** Words that send some of the user's data out. */
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

const wgetOptions: OptionForm = {
  short: "eoaiBtOTwQPUlARDIX",
  long: namesIn(`execute output-file append-output report-speed input-file base config rejected-log
    tries retry-on-http-error output-document start-pos progress timeout dns-timeout connect-timeout
    read-timeout wait waitretry quota bind-address limit-rate restrict-file-names prefer-family user
    password use-askpass local-encoding remote-encoding directory-prefix cut-dirs http-user
    http-password default-page header compression max-redirect proxy-user proxy-password referer
    user-agent load-cookies save-cookies post-data post-file method body-data body-file secure-protocol
    certificate certificate-type private-key private-key-type ca-certificate ca-directory crl-file
    pinnedpubkey ciphers hsts-file ftp-user ftp-password warc-file warc-header warc-max-size warc-dedup
    warc-tempdir level accept reject accept-regex reject-regex regex-type domains exclude-domains
    follow-tags ignore-tags include-directories exclude-directories`),
  known: namesIn(`version help background debug quiet verbose no-verbose force-html no-config no-clobber
    no-netrc continue show-progress timestamping spider no-proxy inet4-only inet6-only no-directories
    force-directories recursive mirror page-requisites convert-links delete-after no-parent span-hosts
    no-check-certificate content-disposition trust-server-names save-headers no-cookies
    keep-session-cookies adjust-extension backup-converted relative`),
};

export const downloads: readonly Program[] = [
  program("wget wget2", wget, { options: wgetOptions }),
  program("http https xh xhs httpie", httpie, {
    options: {
      short: "oasApPS",
      long: namesIn(`output auth auth-type session session-read-only style print proxy verify cert
        cert-key raw timeout max-redirects history-print boundary format-options response-charset
        response-mime default-scheme ssl ciphers`),
    },
  }),
  program("aria2c", aria, {
    options: {
      short: "dilosxjkmTVSuPtZ",
      long: namesIn(`dir input-file log out split max-connection-per-server min-split-size max-tries
        torrent-file conf-path save-session load-cookies save-cookies header user-agent referer
        on-download-complete on-download-start on-download-stop on-download-error on-download-pause
        on-bt-download-complete max-concurrent-downloads`),
    },
  }),
  program("axel", axel, {
    options: { short: "soUHnNTS", long: ["output", "max-speed", "num-connections", "header", "user-agent"] },
  }),
  program("yt-dlp youtube-dl", videos, {
    options: {
      short: "ofPaIupSrRNr",
      long: namesIn(`output format paths batch-file exec exec-before-download config-location
        config-locations cookies cookies-from-browser downloader external-downloader downloader-args
        netrc-cmd netrc-location plugin-dirs ffmpeg-location username password proxy sub-langs
        audio-format audio-quality recode-video remux-video merge-output-format playlist-items
        match-filter download-archive cache-dir load-info-json print print-to-file`),
    },
  }),
];

function* wget(use: Use): Iterable<Effect> {
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
function* httpie(use: Use): Iterable<Effect> {
  const [first] = use.operands;
  const method = first && /^[A-Z]{2,}$/u.test(first.text) ? first.text : undefined;
  const [target, ...items] = method ? use.operands.slice(1) : use.operands;
  if (!target || use.has("offline", "version", "help")) return;
  const to = /^:(?:\d|\/|$)/u.test(target.text) ? withText(target, `localhost${target.text}`) : target;
  const files = items.flatMap(
    (item) => /^(?:[^=@:]+)?(?::?=)?:?@(?<file>.+)$/su.exec(item.text)?.groups?.["file"] ?? [],
  );
  const words = items.filter(({ text }) => /^[^=@:]+:?=(?!=|@)/u.test(text));
  const data = [...words, ...use.values("raw"), ...flowsOut([target, ...items, ...use.values("a", "auth")])];
  yield { type: "fetches", from: to };
  const named = files.map((file) => withText(target, file));
  yield* reads(named);
  const input = use.input.isGiven && !use.has("ignore-stdin", "I");
  const changes = method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/u.test(method);
  if (data.length > 0 || files.length > 0 || input || changes)
    yield { type: "sends", to, words: data, files: named, input };
  const output = use.value("o", "output");
  if (output) yield { type: "writes", path: output, how: "replaces", content: fetched };
  else if (use.has("d", "download"))
    yield { type: "writes", path: nameIn(to, "download"), how: "creates", content: fetched };
  else yield { type: "prints", flows: ["network"] };
}

function* aria(use: Use): Iterable<Effect> {
  for (const from of use.operands) yield { type: "fetches", from };
  yield* reads(use.values("i", "input-file", "load-cookies", "T", "torrent-file", "conf-path"));
  yield* replaces(use.values("l", "log", "save-session", "save-cookies").filter(({ text }) => text !== "-"));
  for (const { name, value } of use.options)
    if (name.startsWith("on-") && value) {
      yield danger("high", `its option --${name} runs a command`);
      yield { type: "runs", words: [value] };
    }
  if (use.has("conf-path"))
    yield danger("high", "it takes its settings from a file, which can run a command");
  if (use.has("enable-rpc")) yield danger("high", "it lets others tell it what to download");
  const out = use.value("o", "out");
  const names = out ? [out] : use.operands.map((url) => nameIn(url, "download"));
  for (const name of names)
    yield {
      type: "writes",
      path: inDirectory(use.value("d", "dir"), name),
      how: "creates",
      content: fetched,
    };
}

function* axel(use: Use): Iterable<Effect> {
  const [from] = use.operands;
  if (!from) return;
  yield { type: "fetches", from };
  const path = use.value("o", "output") ?? nameIn(from, "download");
  yield { type: "writes", path, how: "creates", content: fetched };
}

function* videos(use: Use): Iterable<Effect> {
  for (const from of use.operands) yield { type: "fetches", from };
  for (const code of use.values("exec", "exec-before-download", "netrc-cmd")) {
    yield danger("high", "its option --exec runs a command");
    yield { type: "interprets", language: "shell", code: withoutStage(code) };
  }
  if (use.has("downloader", "external-downloader", "plugin-dirs", "ffmpeg-location"))
    yield danger("high", "its options choose programs that it runs");
  if (use.has("config-location", "config-locations"))
    yield danger("high", "it takes its options from a file, which can run a command");
  if (use.has("cookies-from-browser")) yield danger("high", "it reads the browser's cookies");
  yield* reads(use.values("a", "batch-file", "cookies", "load-info-json"));
  if (
    use.has(
      "F",
      "list-formats",
      "j",
      "dump-json",
      "J",
      "s",
      "simulate",
      "print",
      "g",
      "get-url",
      "e",
      "version",
    )
  )
    return;
  const directory = use.value("P", "paths");
  const template = use.value("o", "output");
  const plain = template && withText(template, template.text.replace(/[^/]*%\(.*$/su, ""));
  const place = plain && plain.text !== "" ? plain : { ...fetched, text: "." };
  yield {
    type: "writes",
    path: directory ? inDirectory(directory, place) : place,
    how: "creates",
    content: fetched,
  };
}

/** Removes the prefix that says when a hook runs: `after_move:echo x`. */
const withoutStage = (code: Word): Word => {
  const stage = cutAt(code, ":");
  return stage &&
    /^(?:pre_process|after_filter|video|before_dl|post_process|after_move|after_video|playlist)$/u.test(
      stage.before.text,
    )
    ? without(stage.after, " ")
    : code;
};
