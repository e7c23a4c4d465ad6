/** Programs that page through text; most of them can run commands while doing so. */

import { type Word, withText } from "../../command-line/word.ts";
import { loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { readsFiles, readsOperands, runsByOption, runsByOptions, writes } from "../file-effect-makers.ts";
import { program, type Program, type Use } from "../program.ts";

export const pagers: readonly Program[] = [
  program("less more most pg zmost", pages, {
    options: {
      short: "bhjkoOpPtTxyzD#",
      long: [
        "buffers",
        "log-file",
        "LOG-FILE",
        "lesskey-file",
        "lesskey-src",
        "lesskey-context",
        "lesskey-content",
        "pattern",
        "prompt",
        "tag",
        "tag-file",
        "jump-target",
        "max-forw-scroll",
        "window",
        "shift",
        "tabs",
        "cmd",
      ],
    },
  }),
  program("bat batcat delta ccat pygmentize highlight glow mdcat", shows, {
    options: {
      short: "lrHmPfOSo",
      long: [
        "language",
        "line-range",
        "highlight-line",
        "map-syntax",
        "file-name",
        "pager",
        "paging",
        "theme",
        "style",
        "tabs",
        "wrap",
        "terminal-width",
        "color",
        "decorations",
        "italic-text",
        "diff-context",
        "config-file",
        "width",
      ],
    },
  }),
  program("man gman", manuals, {
    options: {
      short: "PCMRSsermpKLEHTXZ",
      long: [
        "pager",
        "config-file",
        "manpath",
        "sections",
        "systems",
        "extension",
        "prompt",
        "preprocessor",
        "recode",
        "locale",
        "encoding",
        "html",
        "gxditview",
        "troff-device",
      ],
      known: ["local-file", "whatis", "apropos", "where", "path", "all", "update"],
    },
  }),
  program(
    "info pinfo",
    (use) => [
      ...readsFiles(use.values("f", "file", "restore")),
      ...writes(use.values("o", "output", "dribble"), "replaces"),
    ],
    {
      options: {
        short: "fnokd",
        long: ["file", "node", "output", "index-search", "directory", "restore", "dribble", "apropos"],
      },
    },
  ),
  program("tldr cheat tealdeer navi", () => [{ type: "fetches", from: undefined }]),
];

const isCommand = ({ text }: Word): boolean => text.startsWith("+");

/** `+!id` and `+|…` are less's own commands, which run a shell. */
function* pages(use: Use): Iterable<Effect> {
  for (const command of [...use.operands.filter(isCommand), ...use.values("cmd")])
    yield* pageCommand(command);
  yield* readsFiles(use.operands.filter((word) => !isCommand(word)));
  yield* writes(use.values("o", "O", "log-file", "LOG-FILE"), "creates");
  for (const keys of use.values("k", "lesskey-file", "lesskey-src")) yield loads(keys);
  for (const keys of use.values("lesskey-content"))
    if (/shell|pipe|!/u.test(keys.text)) yield* runsByOption("--lesskey-content", keys);
  yield* readsFiles(use.values("T", "tag-file"));
}

function* pageCommand(command: Word): Iterable<Effect> {
  const [, sign, code] = /^\+*(?:[^/?!|]*?)([!|#])(.*)$/su.exec(command.text) ?? [];
  if (sign !== undefined && code !== undefined) yield* runsByOption("+", withText(command, code));
}

function* shows(use: Use): Iterable<Effect> {
  yield* runsByOptions(
    use,
    ["pager"].filter(() => !/^(?:less|more|cat|never)?(?: -\w+)*$/u.test(use.value("pager")?.text ?? "")),
  );
  const verb = use.name.startsWith("bat") && use.operands[0]?.text === "cache";
  yield* verb ? [] : readsOperands(use);
  if (use.name === "pygmentize") yield* writes(use.values("o"), "replaces");
}

function* manuals(use: Use): Iterable<Effect> {
  for (const pager of use.values("P", "pager"))
    if (!/^(?:less|more|cat|most|col -b|\/usr\/bin\/less)?(?: -\w+)*$/u.test(pager.text))
      yield* runsByOption("--pager", pager);
  for (const browser of use.values("H", "html")) yield* runsByOption("--html", browser);
  for (const configuration of use.values("C", "config-file")) yield loads(configuration);
  if (use.has("l", "local-file")) yield* readsOperands(use);
}
