/** Programs that send mail. */

import type { Word } from "../../command-line/word.ts";
import { danger, interprets, loads, reads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { without } from "../parts.ts";
import { program, type Program, type Use } from "../program.ts";

export const mail: readonly Program[] = [
  program("mail mailx s-nail Mail nail mutt neomutt", letters, { options: { short: "aAbceFfHiIpqrsSTuX" } }),
  program("sendmail msmtp ssmtp nullmailer-inject exim exim4", sendmail, {
    options: { short: "aBCFfhLNORrVXoS", long: ["file", "host", "from", "account", "passwordeval", "port"] },
  }),
  program("swaks sendemail sendEmail smtp-cli", delivers, {
    options: {
      short: "tfsubaoh",
      long: [
        "to",
        "from",
        "server",
        "attach",
        "body",
        "data",
        "header",
        "h-Subject",
        "config",
        "auth-user",
        "auth-password",
        "auth",
      ],
    },
  }),
  program("mailq mailstat biff", () => []),
];

function* letters(use: Use): Iterable<Effect> {
  const files = use.values("a", "A", "i").filter(isFile);
  for (const path of use.values("F")) if (use.name.endsWith("mutt")) yield loads(path);
  for (const code of use.values("e")) {
    yield danger("high", "its option -e runs a command of its own");
    yield interprets("other", code);
  }
  if (use.operands.length === 0) return;
  yield* reads(files);
  yield { type: "sends", to: use.operands[0], words: use.values("s"), files, input: use.input.isGiven };
}

/** `-a` is also a header: `-a "From: me"`. */
const isFile = ({ text }: Word): boolean => !/^[\w-]+:/u.test(text) && text !== "-" && text !== "";

function* sendmail(use: Use): Iterable<Effect> {
  for (const code of use.values("passwordeval"))
    yield* [danger("high", "its option runs a command"), interprets("shell", code)];
  for (const path of use.values("C", "file")) yield loads(path);
  if (use.has("version", "help", "bp", "pretend", "serverinfo", "P")) return;
  if (use.operands.length === 0 && !use.has("t") && !use.input.isGiven) return;
  yield { type: "sends", to: use.operands[0] ?? use.value("host"), input: true };
}

function* delivers(use: Use): Iterable<Effect> {
  const to = use.value("t", "to", "server", "s");
  if (!to) return;
  const named = [...use.values("attach", "a", "body", "data")];
  const files = named
    .filter(({ text }) => text.startsWith("@") || text.includes("/"))
    .map((word) => without(word, "@"));
  yield* reads(files);
  yield {
    type: "sends",
    to,
    words: use.words.filter((word) => !files.includes(word)),
    files,
    input: use.input.isGiven,
  };
}
