/** Functions of `network.yaml`: what is sent to whom, and what a client is told to do there. */

import { isUnknown, literal, unknown, type Word, withText } from "../../command-line/word.ts";
import type { WordsDo } from "../data/does.ts";
import { sqlEffects } from "../databases/sql-effects.ts";
import { danger, interprets, loads, reads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { fetched } from "../elsewhere/fetched.ts";
import { inDirectory, isThisMachine, nameIn, wordsIn } from "../parts.ts";
import type { Use } from "../program.ts";
import { flowsOut } from "./downloads.ts";
import { sshOption } from "./remote.ts";
import { transferCommands } from "./transfer-commands.ts";

const carriesData = (word: Word): boolean =>
  word.carries.size > 0 || (isUnknown(word) && !word.text.endsWith(unknown));
const prints: Effect = { type: "prints", flows: ["network"] };
const medium = danger("medium", "it changes data in a database");

const asked = (words: readonly Word[]): Effect[] => {
  const names = words.filter(({ text }) => !/^[@+]/u.test(text));
  const telling = names.filter(carriesData);
  return [
    ...names.slice(0, 1).map((from): Effect => ({ type: "fetches", from })),
    ...(telling.length > 0 ? [{ type: "sends", to: telling[0], words: telling, files: [] } as const] : []),
    prints,
  ];
};

function* http(operands: readonly Word[], use: Use): Iterable<Effect> {
  const method = /^[A-Z]{2,}$/u.test(operands[0]?.text ?? "") ? operands[0]?.text : undefined;
  const [target, ...items] = method ? operands.slice(1) : operands;
  if (!target || use.has("offline")) return;
  const to = /^:(?:\d|\/|$)/u.test(target.text) ? withText(target, `localhost${target.text}`) : target;
  const files = items.flatMap((item) => {
    const [, path] = /^(?:[^=@:]+)?(?::?=)?:?@(.+)$/su.exec(item.text) ?? [];
    return path === undefined ? [] : [withText(item, path)];
  });
  const words = [
    ...items.filter(({ text }) => /^[^=@:]+:?=(?!=|@)/u.test(text)),
    ...use.values("raw"),
    ...flowsOut([target, ...items, ...use.values("a", "auth")]),
  ];
  const input = use.input.isGiven && !use.has("ignore-stdin", "I");
  yield* [{ type: "fetches", from: to } as const, ...reads(files)];
  if (
    words.length + files.length > 0 ||
    input ||
    (method !== undefined && !/^(?:GET|HEAD|OPTIONS)$/u.test(method))
  )
    yield { type: "sends", to, words, files, input };
  if (use.has("d", "download") && !use.has("o", "output"))
    yield { type: "writes", path: nameIn(to, "download"), how: "creates", content: fetched };
  yield prints;
}

function* sshKeys(_: readonly Word[], { value, has, around }: Use): Iterable<Effect> {
  const home = (name: string): Word => literal(`${around.home}/.ssh/${name}`);
  const file = value("f");
  if (has("D")) return;
  if (has("R")) yield { type: "writes", path: file ?? home("known_hosts"), how: "edits" };
  else if (has("l", "F", "B", "L", "y", "Q", "e", "i", "H", "Y", "r")) {
    if (has("y")) yield danger("high", "it opens a private key");
    yield* reads(file ? [file] : []);
  } else {
    const path = file ?? home("id_ed25519");
    yield* replaces([path, withText(path, `${path.text}.pub`)]);
  }
}

function* keyRing(operands: readonly Word[], { has, value, values, options }: Use): Iterable<Effect> {
  const output = value("o", "output");
  if (output) yield* replaces([output]);
  if (has("send-keys")) yield { type: "sends", to: value("keyserver"), words: operands };
  else if (
    has(
      "import",
      "edit-key",
      "gen-key",
      "generate-key",
      "full-generate-key",
      "quick-generate-key",
      "quick-gen-key",
      "full-gen-key",
      "sign-key",
      "lsign-key",
      "import-ownertrust",
      "quick-add-key",
    )
  )
    yield* [
      ...reads(has("import", "import-ownertrust") ? operands : []),
      danger("medium", "it changes which keys there are and which are trusted"),
    ];
  else if (
    has("e", "encrypt", "c", "symmetric", "s", "sign", "b", "detach-sign", "clear-sign", "clearsign", "store")
  ) {
    yield* reads(operands);
    if (!output)
      yield* replaces(
        operands.map((path) =>
          withText(
            path,
            `${path.text}.${has("a", "armor") ? "asc" : has("b", "detach-sign") ? "sig" : "gpg"}`,
          ),
        ),
      );
  } else if (
    has("d", "decrypt", "verify", "dearmor", "show-keys", "list-packets") ||
    options.every(({ name }) => /^(?:q|batch|yes|quiet|v|o|output|passphrase.*|pinentry-mode)$/u.test(name))
  ) {
    yield* reads(operands);
    if (!output && !has("verify") && operands.length + values("d").length > 0)
      yield { type: "prints", flows: ["decoded"] };
  }
}

const redisDrastic =
  /^(?:flushall|flushdb|shutdown|config|debug|eval\w*|fcall|function|script|module|replicaof|slaveof|migrate|restore|acl|cluster|client|failover|swapdb|bgrewriteaof|sync|psync)$/u;
const redisGentle =
  /^(?:config (?:get|help)|client (?:list|info|id)|acl (?:list|whoami|users)|cluster (?:info|nodes|slots)|debug object|script exists|module list)$/u;
const redisAsks =
  /^(?:m?get|getrange|strlen|exists|type|p?ttl|keys|scan|randomkey|dbsize|info|ping|echo|time|h(?:get|mget|getall|keys|vals|len|exists|scan)|l(?:len|range|index)|s(?:members|card|ismember|scan)|z(?:range\w*|card|score|rank|count|scan)|x(?:len|range|info|read)|memory|object|slowlog|lastsave|role|command|monitor|subscribe|pubsub|help|quit|exit|select|auth|hello)$/u;

function redis(words: readonly Word[]): Effect[] {
  const [first, second] = words;
  if (!first || isUnknown(first)) return [danger("high", "what it does is only known when it runs")];
  const verb = first.text.toLowerCase();
  if (redisAsks.test(verb) || redisGentle.test(`${verb} ${second?.text.toLowerCase() ?? ""}`)) return [];
  return [
    redisDrastic.test(verb)
      ? danger("high", "it empties the database, stops it, or changes how it works")
      : medium,
  ];
}

function* mongoCode(code: Word): Iterable<Effect> {
  if (isUnknown(code)) yield danger("high", "a part of its commands is only known when it runs");
  if (
    /\.(?:drop\w*|remove|delete\w*|findOneAndDelete|renameCollection|shutdownServer|killOp|createUser|grantRolesToUser|updateUser)\s*\(/u.test(
      code.text,
    )
  )
    yield danger("high", "it deletes data in a database");
  else if (
    /\.(?:insert\w*|update\w*|replaceOne|save|bulkWrite|findOneAnd\w+|createIndex\w*|createCollection|initiate|reconfig)|\$(?:out|merge)/u.test(
      code.text,
    )
  )
    yield medium;
  if (
    /\b(?:load|run|runProgram|require|process|eval|Function|child_process|cat|removeFile|writeFile)\b|\$where|\.(?:adminCommand|runCommand|mapReduce)\s*\(/u.test(
      code.text,
    )
  )
    yield* [danger("high", "it runs code in a database's client"), interprets("javascript", code)];
}

export const talking: Readonly<Record<string, WordsDo>> = {
  "looked up": asked,
  pinged: (words, { values }) =>
    asked([...words, ...values("p").filter(({ carries }) => carries.size > 0)]).slice(0, -1),
  message: (words, { value }) => [{ type: "sends", to: value("h", "host"), words, files: [] }],
  "many requests": (words) =>
    words.flatMap((to) =>
      isThisMachine(to) ? [] : [danger("medium", "it loads another machine with many requests")],
    ),
  scanned: (words, { has }) =>
    has("iL", "iR") || words.some((host) => !isThisMachine(host))
      ? [danger("medium", "it scans ports of other machines")]
      : [],
  traffic: (_, { values, has }) => [
    ...reads(values("r")),
    ...(has("r", "D", "h", "L") ? [] : [danger("high", "it listens to all traffic of this machine")]),
  ],
  "load tests": (words) => [
    ...words
      .filter(({ text }) => /\.\w+$/u.test(text) && !/^https?:/u.test(text))
      .map((path) => loads(path, "javascript")),
    { type: "fetches", from: undefined },
  ],
  "http request": http,
  "writes fetched": (words) =>
    words.map((path) => ({ type: "writes", path, how: "replaces", content: fetched })),
  "downloads by name": (words, { value }) => {
    const out = value("o", "out", "output");
    const names = out ? [out] : words.map((word) => nameIn(word, "download"));
    const directory = value("d", "dir");
    return names.map((name) => ({
      type: "writes",
      path: inDirectory(directory, name),
      how: "creates",
      content: fetched,
    }));
  },
  "runs after a stage": (words) =>
    words.flatMap((code) => [
      danger("high", "its option --exec runs a command"),
      interprets(
        "shell",
        withText(
          code,
          code.text.replace(
            /^(?:pre_process|after_filter|video|before_dl|post_process|after_move|after_video|playlist): ?/u,
            "",
          ),
        ),
      ),
    ]),
  "downloads here": (_, { has, value }) =>
    has("F", "list-formats", "j", "dump-json", "J", "s", "simulate", "print", "g", "get-url", "e")
      ? []
      : [{ type: "writes", path: value("P", "paths") ?? literal("."), how: "creates", content: fetched }],
  "talks to": ([to, ...rest], { input, has, values }) => {
    if (!to) return [];
    const put = rest.findIndex(({ text }) => text === "put");
    const files = put < 0 ? [] : rest.slice(put + 1, put + 2);
    const words = [...values("d", "x", "m"), ...rest];
    const isSent = input.isGiven || files.length > 0 || has("d", "x", "m");
    return [
      { type: "fetches", from: to },
      ...reads(files),
      ...(isSent
        ? [
            {
              type: "sends",
              to,
              ...(words.length > 0 ? { words } : {}),
              ...(files.length > 0 ? { files } : {}),
              input: input.isGiven,
            } as const,
          ]
        : []),
      prints,
    ];
  },
  "transfer commands": (words, { operands: [to] }) => words.flatMap((word) => transferCommands(word, to)),
  "transfers of the input": ([to], { input }) =>
    !input.isGiven
      ? []
      : input.text
        ? transferCommands(input.text, to)
        : [danger("high", "its commands are only known when it runs")],
  mailed: (words, { name, values, input, words: all }) => {
    const to = words[0] ?? values("t", "to")[0];
    if (!to && !input.isGiven) return [];
    return [
      {
        type: "sends",
        to,
        words: /^s(?:waks|endemail)/u.test(name) ? all : values("s"),
        files: [],
        input: input.isGiven,
      },
    ];
  },
  browsed: (words) => [
    ...words.map((word): Effect =>
      /^(?:https?|ftp|gopher):|^[\w-]+(?:\.[\w-]+)*\.(?!html?$|txt$|md$)[\w-]+(?:\/|$)/u.test(word.text)
        ? { type: "fetches", from: word }
        : { type: "reads", path: word },
    ),
    prints,
  ],
  "ssh keys": sshKeys,
  "ssh options": (words) => words.flatMap((word) => [...sshOption(word)]),
  "key ring": keyRing,
  opened: (words) =>
    words.flatMap((word): Effect[] =>
      /^[a-z]+:/iu.test(word.text)
        ? [{ type: "fetches", from: word }, danger("medium", "it opens an address in another program")]
        : [
            { type: "reads", path: word },
            ...(/\.(?:desktop|app|command|sh|exe|jar|workflow)$/u.test(word.text)
              ? [loads(word)]
              : [danger("medium", "it opens a file in another program")]),
          ],
    ),
  sql: (words) => words.flatMap((code) => sqlEffects(code, "other")),
  statements: (words, { input, has, value }) => {
    const host = value("h", "host", "S", "u");
    return [
      ...(host && !isThisMachine(host) ? [{ type: "fetches", from: host } as const] : []),
      ...words.filter(({ text }) => /\s/u.test(text)).flatMap((code) => sqlEffects(code, "other")),
      ...(input.isGiven && !has("q", "query", "e", "execute", "Q", "f", "file", "i", "c")
        ? input.text
          ? sqlEffects(input.text, "other")
          : [danger("medium", "it runs the statements of its input")]
        : []),
    ];
  },
  dumped: (_, { name, has }) =>
    name === "mongodump" && !has("o", "out", "archive") ? replaces([literal("dump")]) : [],
  redis: (words, { input }) => {
    if (words.length > 0) return redis(words);
    if (!input.isGiven) return [];
    return input.text
      ? input.text.text
          .split("\n")
          .flatMap((line) =>
            line.trim() === "" || !input.text ? [] : redis(wordsIn(withText(input.text, line))),
          )
      : [medium];
  },
  "mongo code": (words) => words.flatMap((code) => [...mongoCode(code)]),
  mongo: (words, { input, has }) => [
    ...words.filter(({ text }) => text.includes("://")).map((from): Effect => ({ type: "fetches", from })),
    ...words
      .filter(({ text }) => /\.m?js$/u.test(text))
      .flatMap((path) => [
        loads(path, "javascript"),
        danger("medium", "it runs a script in a database's client"),
      ]),
    ...(input.isGiven && !has("eval")
      ? input.text
        ? mongoCode(input.text)
        : [danger("medium", "it runs the commands of its input")]
      : []),
  ],
  queued: ([verb, ...rest], { name, input }) => {
    const text = verb?.text ?? "";
    if (
      /^(?:del|delete|rm|purge|stop|reset|deleteall|stop_app|force_reset|delete_\w+|purge_queue|member|auth|role|user)$/u.test(
        rest[0]?.text === "delete" ? "delete" : text,
      ) &&
      rest[0]?.text !== "list" &&
      rest[0]?.text !== "get"
    )
      return [danger("high", "it removes or changes what servers agree on or what waits there")];
    if (
      /^(?:put|txn|pub|publish|set|create|add_\w+|set_\w+|declare|compaction|defrag)$/u.test(text) ||
      name.includes("producer")
    )
      return [
        { type: "sends", to: undefined, words: rest, input: input.isGiven },
        danger("medium", "it changes what servers agree on or what waits there"),
      ];
    return [{ type: "fetches", from: undefined }];
  },
};
