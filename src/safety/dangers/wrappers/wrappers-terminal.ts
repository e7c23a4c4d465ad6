/** Programs that run a command in its own terminal. */

import { joined, type Word, withText } from "../../command-line/word.ts";
import { danger, interprets, loads, replaces } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { namesIn } from "../listed.ts";
import { type OptionForm, type Program, program, type Use } from "../program.ts";
import { command, readAgain, wrapper } from "./wrapping.ts";

const scriptForm = {
  short: "cEIOBTomt",
  long: ["command", "echo", "log-in", "log-out", "log-io", "log-timing", "output-limit", "logging-format"],
} as const;

const screenForm = { stopAtOperand: true, short: "cehpstSTX", long: ["Logfile"] } as const;

export const terminalWrappers: readonly Program[] = [
  program("script", recorded, { kind: "wrapper", options: scriptForm }),
  program("asciinema ttyrec termtosvg", filmed, {
    kind: "wrapper",
    options: { short: "ceitg", long: ["command"] },
  }),
  program("screen", screen, { kind: "wrapper", options: screenForm }),
  program("tmux", multiplexer, {
    kind: "wrapper",
    options: { stopAtOperand: true, short: "LSfcT" },
    verbs: 2,
  }),
  program("dtach abduco", attached, { kind: "wrapper", options: { stopAtOperand: true, short: "erz" } }),
  program("expect", spoken, { kind: "interpreter", options: { stopAtOperand: true, short: "cfb" } }),
  program("xterm uxterm urxvt rxvt st konsole alacritty xfce4-terminal lxterminal terminator", inWindow, {
    kind: "wrapper",
    options: {
      oneDash: true,
      stopAtOperand: true,
      long: ["T", "title", "geometry", "fn", "fa", "fs", "bg", "fg"],
    },
  }),
  wrapper("gnome-terminal kitty foot ptyxis kgx", {
    short: "tT",
    long: ["title", "working-directory", "directory"],
  }),
  wrapper("xinit startx", { oneDash: true }),
];

/** `script [options] [file]`, `script file command …`, `script -c 'shell code'`. Without a command it runs a shell. */
function* recorded(use: Use): Iterable<Effect> {
  if (use.has("help", "version", "V")) return;
  const [file] = use.operands;
  const logs = use.values("I", "O", "B", "T", "log-in", "log-out", "log-io", "log-timing");
  yield* replaces(file ? [file, ...logs] : logs);
  const codes = use.values("c", "command");
  for (const code of codes) yield interprets("shell", code);
  const behind = file ? use.words.slice(use.words.indexOf(file) + 1) : [];
  if (behind[0] && (behind[0].text === "--" || !behind[0].text.startsWith("-"))) yield* command(behind);
  else if (codes.length === 0) yield { type: "interprets-input", language: "shell" };
}

function* filmed({ name, operands, values, has }: Use): Iterable<Effect> {
  const verb = name === "asciinema" ? operands[0] : undefined;
  const others = verb ? operands.slice(1) : operands;
  if (verb?.text === "upload") yield { type: "sends", to: undefined, files: others };
  if (verb !== undefined && verb.text !== "rec") return;
  yield* replaces(others);
  const codes = values("c", "e", "command");
  for (const code of codes) yield interprets("shell", code);
  if (codes.length === 0 && !has("help")) yield { type: "interprets-input", language: "shell" };
}

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

function* screen(use: Use): Iterable<Effect> {
  if (use.words.some(({ text }) => /^-(?:ls|list|wipe|v|-version|-help)$/u.test(text))) return;
  for (const file of use.values("c")) yield loads(file, "other");
  yield* replaces(use.values("Logfile"));
  const sent = use.value("X");
  if (sent) yield* sentTo(sent, use.operands);
  else if (!use.has("r", "x", "R")) {
    if (use.operands.length > 0) yield* command(use.operands);
    else yield shellOfInput;
  }
}

/** `screen -X stuff 'typed text'`, `-X exec command`, `-X quit`. */
function* sentTo(verb: Word, words: readonly Word[]): Iterable<Effect> {
  if (verb.text === "stuff") yield* typed(words);
  else if (verb.text === "exec" || verb.text === "screen") yield* command(words);
  else if (verb.text === "source") for (const file of words) yield loads(file, "other");
  else if (verb.text === "quit" || verb.text === "kill") yield stops;
}

const stops = danger("medium", "it stops what runs in its sessions");

/** Text sent to a shell as if a user had typed it. */
function* typed(words: readonly Word[]): Iterable<Effect> {
  const text = joined(words, " ");
  const line = text.text.replaceAll(/\\[nr015]+|\^M|[\r\n]+/gu, "\n").trim();
  if (line.length > 1) yield interprets("shell", withText(text, line));
}

type Verb = { form: OptionForm; does: (use: Use) => Iterable<Effect> };

const verb = (names: string, short: string, does: Verb["does"]): [string, Verb][] =>
  namesIn(names).map((name) => [name, { form: { short, stopAtOperand: true }, does }]);

const multiplexerVerbs: ReadonlyMap<string, Verb> = new Map([
  ...verb("new-session new", "cefFnstxy", ({ operands }) => inShell(operands)),
  ...verb(
    "new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw",
    "ceFlnpt",
    ({ operands }) => inShell(operands),
  ),
  ...verb("display-popup popup", "bcdehsStTwxy", ({ operands }) => inShell(operands)),
  ...verb("run-shell run", "dtc", ({ operands }) => inShell(operands)),
  ...verb("if-shell if", "t", condition),
  ...verb("pipe-pane pipep", "t", ({ operands }) => inShell(operands)),
  ...verb("send-keys send", "Nt", keys),
  ...verb("bind-key bind set-hook", "NTt", kept),
  ...verb("source-file source", "t", ({ operands }) => operands.map((file) => loads(file))),
  ...verb("kill-server kill-session kill-window killw kill-pane killp", "t", () => [stops]),
  ...verb("set-option set set-window-option setw set-environment setenv", "t", optionSet),
  ...verb("save-buffer saveb", "b", ({ operands }) => replaces(operands)),
  ...verb("load-buffer loadb", "bt", ({ operands }) =>
    operands.map((path): Effect => ({ type: "reads", path })),
  ),
  ...verb("display-message display", "cdtF", ({ operands }) => operands.flatMap(formatted)),
]);

function* multiplexer(use: Use): Iterable<Effect> {
  for (const file of use.values("f")) yield loads(file);
  for (const code of use.values("c")) yield interprets("shell", code);
  for (const [first, ...others] of commandsIn(use.operands)) {
    const row = first && multiplexerVerbs.get(first.text);
    if (row) yield* row.does(readAgain(use, others, row.form));
  }
}

/** Splits a line into the commands separated by `;`. */
function commandsIn(words: readonly Word[]): Word[][] {
  const commands: Word[][] = [[]];
  for (const word of words) {
    const ends = word.text.endsWith(";") && !word.text.endsWith("\\;");
    const text = ends ? word.text.slice(0, -1) : word.text;
    if (text !== "" || !ends) commands.at(-1)?.push(withText(word, text));
    if (ends) commands.push([]);
  }
  return commands;
}

/** A single word is a shell command line, several are a command. */
function* inShell(words: readonly Word[]): Iterable<Effect> {
  const [only] = words;
  if (only === undefined) return;
  if (words.length === 1) yield interprets("shell", only);
  else yield* command(words);
}

/** `if-shell condition then else`: tmux commands, which may run a shell. */
function* condition({ operands, has }: Use): Iterable<Effect> {
  const [test, ...commands] = operands;
  if (test && !has("F")) yield interprets("shell", test);
  for (const each of commands) yield* hidden([each]);
}

/** Binds a tmux command to a key or an event. */
function kept({ operands }: Use): Iterable<Effect> {
  return hidden(operands.slice(1));
}

const runsShell =
  /(?:^|[\s;{])(?:run-shell|run|if-shell|if|new-window|neww|split-window|splitw|pipe-pane|popup)\s/u;

function* hidden(words: readonly Word[]): Iterable<Effect> {
  const text = joined(words, " ");
  if (runsShell.test(text.text)) yield danger("high", "it keeps a command that runs later");
}

function* keys({ operands, has }: Use): Iterable<Effect> {
  if (has("X")) return;
  yield* typed(
    operands.filter(
      ({ text }) => !/^(?:Enter|KPEnter|Space|Escape|Tab|BSpace|Up|Down|[CMS]-.+)$/u.test(text),
    ),
  );
}

/** Options that run something: the shell of new windows, commands in the status line. */
function* optionSet({ operands }: Use): Iterable<Effect> {
  const [name, value] = operands;
  if (name === undefined || value === undefined) return;
  if (/^(?:default-shell|default-command|lock-command|copy-command|editor)$/u.test(name.text))
    yield interprets("shell", value);
  yield* formatted(value);
}

/** `#(…)` in a format runs a shell. */
function formatted(format: Word): Effect[] {
  const closed = format.text.slice(0, format.text.lastIndexOf(")") + 1);
  return [...closed.matchAll(/#\(([^)]*)\)/gu)].map(([, code = ""]) =>
    interprets("shell", withText(format, code)),
  );
}

/** `dtach -n socket command`, `abduco -c name command`. */
function attached(use: Use): Iterable<Effect> {
  return command(use.operands.slice(1));
}

/** An expect script starts programs and interacts with them. */
function* spoken(use: Use): Iterable<Effect> {
  for (const code of use.values("c")) yield interprets("other", code);
  const [file] = [...use.values("f"), ...use.operands];
  if (file && file.text !== "-") yield loads(file);
  else if (!use.has("c", "v", "version")) yield { type: "interprets-input", language: "other" };
}

/** `xterm -e command …`: the words after `-e` are run. */
function* inWindow({ words }: Use): Iterable<Effect> {
  const start = words.findIndex(({ text }) => /^(?:-e|-x|--command|--execute)$/u.test(text));
  if (start >= 0) yield* inShell(words.slice(start + 1));
  const inOne = words.find(({ text }) => /^--(?:command|execute)=/u.test(text));
  if (inOne) yield interprets("shell", withText(inOne, inOne.text.replace(/^[^=]*=/u, "")));
}
