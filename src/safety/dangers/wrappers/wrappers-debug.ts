/** Programs that run another one to debug or measure it, and those that run one whenever a file changes. */

import { joined, literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, reads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { wordsIn } from "../parts.ts";
import { type Program, program, type Use } from "../program.ts";
import { filledIn } from "../text/splitting.ts";
import { tellByVerb, verbTable } from "../verbs.ts";
import { variableOf } from "./wrappers-environment.ts";
import { command, readAgain, wrapper } from "./wrapping.ts";

const stop = { stopAtOperand: true } as const;

const traceForm = {
  ...stop,
  short: "aAbeEIlnoOpPsSuUX",
  long: namesIn("output trace attach user env library expr string-limit summary-sort-by columns"),
} as const;

const debuggerForm = {
  oneDash: true,
  long: namesIn(`ex eval-command iex init-eval-command x command ix init-command p pid d directory cd c
    core s symbols e exec se tty b l data-directory D i o one-line O one-line-before-file k K S source n
    a f interpreter`),
} as const;

const perfForm = {
  ...stop,
  short: "eoFcptCGrxIDmsuwPj",
  long: namesIn("event output pid tid cpu repeat field-separator call-graph freq delay input"),
} as const;

const perfRuns = ({ operands, values }: Use): Iterable<Effect> => [
  ...replaces(values("o", "output")),
  ...command(operands),
];

const perf = verbTable(
  [
    [
      "stat, record, trace, mem record, sched record, lock record, kmem record, c2c record, timechart record",
      perfRuns,
    ],
    ["script", ({ values }) => values("s", "script").map((file) => loads(file)), { short: "siF" }],
  ],
  { otherwise: [], form: perfForm },
);

export const debugWrappers: readonly Program[] = [
  program("strace", traced, { kind: "wrapper", options: traceForm }),
  program("ltrace", traced, { kind: "wrapper", options: { ...traceForm, short: "aADeFlnopsuxw" } }),
  program("gdb lldb", debugged, { kind: "wrapper", options: debuggerForm }),
  program("perf", (use) => tellByVerb(use, perf), { kind: "wrapper", verbs: 2, options: stop }),
  wrapper(
    "valgrind",
    {},
    {
      beside: ({ values }) => [
        ...replaces(values("log-file", "xml-file", "massif-out-file")),
        ...values("tool").flatMap(loadsByPath),
      ],
    },
  ),
  wrapper("rr uftrace", { short: "Fdo" }, { skip: 1 }),
  program("bpftrace stap", probes, { kind: "wrapper", options: { short: "ecop" } }),
  program("hyperfine", measured, {
    kind: "wrapper",
    options: {
      short: "wmMrspcCSnPLDu",
      long: namesIn(`warmup min-runs max-runs runs setup prepare cleanup conclude shell style
        command-name parameter-scan parameter-list export-json export-csv export-markdown sort
        export-asciidoc export-orgmode time-unit output input reference`),
    },
  }),
  program("entr", onChange, { kind: "wrapper", options: stop }),
  program("watchexec", watching, {
    kind: "wrapper",
    options: {
      ...stop,
      short: "wefisdWEo",
      long: namesIn("watch exts filter ignore signal debounce shell workdir env"),
    },
  }),
  program("chokidar reflex fswatch-run", chokidar, {
    kind: "wrapper",
    options: {
      ...stop,
      short: "cdtirgRGs",
      long: ["command", "debounce", "throttle", "ignore", "regex", "glob"],
    },
  }),
];

/** What goes by a name is installed; what goes by a path is a program of anybody's. */
const loadsByPath = (tool: Word): Effect[] =>
  /[/\0]/u.test(tool.text)
    ? [danger("high", "its option --tool loads a program by its path"), loads(tool)]
    : [];

function* traced(use: Use): Iterable<Effect> {
  for (const file of use.values("o", "output")) {
    if (/^[|!]/u.test(file.text)) {
      yield danger("high", "its option -o runs a command");
      yield interprets("shell", withText(file, file.text.slice(1)));
    } else yield* replaces([file]);
  }
  if (use.has("p", "attach")) yield danger("medium", "it looks into another process");
  yield* command(use.operands, { variables: use.values("E", "env").flatMap(variableOf) });
}

/** `gdb -ex 'shell id' --args program words`. */
function* debugged(use: Use): Iterable<Effect> {
  const start = use.words.findIndex(({ text }) => /^--?(?:args|)$/u.test(text));
  for (const file of use.values("x", "command", "ix", "init-command", "s", "source")) yield loads(file);
  for (const line of use.values("ex", "eval-command", "iex", "init-eval-command", "o", "one-line", "O"))
    yield* debuggerLine(line);
  if (use.has("p", "pid", "attach")) yield danger("medium", "it looks into another process");
  const own = start < 0 ? use.operands.slice(0, 1) : use.words.slice(start + 1);
  const [program] = own;
  if (program) yield runs(own);
  else if (!use.has("batch", "help", "version", "h", "v"))
    yield { type: "interprets-input", language: "other" };
}

const debuggerCommands =
  /^\s*(shell|make|pipe|platform shell|python|py|pi|script|source|command source)(?![\w-])\s*([^]*)$|^\s*([!|])\s*([^]*)$/u;
const calls = /\b(?:system|popen|exec[lv]p?e?)\s*\(\s*(?:"((?:[^"\\]|\\[^])*)")?/u;

function* debuggerLine(line: Word): Iterable<Effect> {
  const [, word, behind, sign, behindSign] = debuggerCommands.exec(line.text) ?? [];
  const name = word ?? sign;
  const rest = behind ?? behindSign ?? "";
  const code = withText(line, rest.replace(/^\|/u, ""));
  if (name !== undefined) yield danger("high", "its own command line runs code");
  if (name === "python" || name === "py" || name === "pi" || name === "script")
    yield interprets("python", code);
  else if (name?.endsWith("source")) yield loads(code);
  else if (name !== undefined) yield interprets("shell", code);
  const called = calls.exec(line.text);
  if (!called) return;
  yield danger("high", "it has the process run a command");
  if (called[1] !== undefined) yield interprets("shell", withText(line, called[1]));
}

function* probes(use: Use): Iterable<Effect> {
  yield danger("high", "it puts code into the kernel");
  for (const code of use.values("c")) yield interprets("shell", code);
  yield* replaces(use.values("o"));
}

/** Each operand is a shell command line. */
function* measured(use: Use): Iterable<Effect> {
  const parameters = parametersOf(use.words);
  const values = new Set(parameters.flatMap((parameter) => parameter.words));
  const lines = [
    ...use.operands.filter((word) => !values.has(word)),
    ...use.values("s", "setup", "p", "prepare", "c", "cleanup", "C", "conclude"),
  ];
  for (const line of lines) {
    for (const code of parametrized(line, parameters)) yield interprets("shell", code);
  }
  const shell = use.value("S", "shell");
  if (shell && shell.text !== "none") yield* command(wordsIn(shell));
  const written = ["export-json", "export-csv", "export-markdown", "export-asciidoc", "export-orgmode"];
  yield* replaces(use.values(...written));
  yield* reads(use.values("input"));
}

/** `-L name one,two` and `-P name first last`: `{name}` in a line stands for each value. */
type Parameter = { name: string; values: readonly string[]; words: readonly Word[] };

function parametersOf(words: readonly Word[]): Parameter[] {
  return words.flatMap(({ text }, at) => {
    const [name, first, last] = words.slice(at + 1, at + 4);
    const isList = /^(?:-L|--parameter-list)$/u.test(text);
    if (name === undefined || first === undefined) return [];
    if (isList)
      return [{ name: name.text, values: first.text.split(",").slice(0, mostValues), words: [first] }];
    if (!/^(?:-P|--parameter-scan)$/u.test(text)) return [];
    return [{ name: name.text, values: ["1"], words: last ? [first, last] : [first] }];
  });
}

const mostValues = 16;

function parametrized(line: Word, parameters: readonly Parameter[]): Word[] {
  const used = parameters.filter(({ name }) => line.text.includes(`{${name}}`));
  const [only] = used;
  if (only === undefined) return [line];
  const values = used.length === 1 ? only.values : [unknown];
  return values.map((value) => {
    let { text } = line;
    for (const { name } of used) text = filledIn(text, `{${name}}`, value);
    return withText(line, text);
  });
}

/** `entr command /_`: `/_` stands for the changed file. */
function* onChange(use: Use): Iterable<Effect> {
  const words = use.operands.map((word) =>
    word.text === "/_" ? { ...unknownWord(), mayBeSeveral: false } : word,
  );
  const [first, ...others] = words;
  if (first === undefined) return;
  if (use.has("s")) yield interprets("shell", first, [literal("sh"), ...others]);
  else yield* command(words);
}

function* watching(use: Use): Iterable<Effect> {
  if (use.operands.length === 0) return;
  if (use.has("n") || use.value("shell")?.text === "none") yield* command(use.operands);
  else yield interprets("shell", joined(use.operands, " "));
}

/** `chokidar 'src/**' -c 'shell code'`, `reflex -r pattern -- command`. */
function* chokidar(use: Use): Iterable<Effect> {
  const again =
    use.name === "chokidar" ? readAgain(use, use.words, { short: "cdti", long: ["command"] }) : use;
  for (const code of again.values("c", "command")) yield interprets("shell", code);
  if (use.name !== "chokidar") yield* command(use.operands);
}
