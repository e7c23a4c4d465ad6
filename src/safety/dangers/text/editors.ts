/** Text editors. They may change any file they open; several of their options run code. */

import { type Word, withText } from "../../command-line/word.ts";
import { danger, loads } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import {
  edits,
  filesIn,
  filters,
  nothing,
  readsFiles,
  runsByOptions,
  writes,
} from "../file-effect-makers.ts";
import { interpretsAll } from "../interpreting.ts";
import { namesIn } from "../listed.ts";
import { installsExtension } from "../packages/installing.ts";
import { type OptionForm, program, type Program, type Use } from "../program.ts";
import { useOf } from "../use.ts";
import { editorCommands } from "./editor-commands.ts";

const vimForm: OptionForm = {
  short: "cSuUiTtqwWl",
  attached: "oOpV",
  long: namesIn(`cmd startuptime listen server remote-expr remote-send servername display socketid log`),
};

const emacsForm: OptionForm = {
  oneDash: true,
  long: namesIn(`eval execute e f funcall l load script x u user L directory chdir insert i t d fn font geometry
        g T title s socket-name a alternate-editor init-directory dump-file F frame-parameters`),
};

export const editors: readonly Program[] = [
  program(
    "vim vi nvim gvim view rvim rview vimdiff gvimdiff ex evim vim.basic vim.tiny neovim nvi elvis vile",
    opensVim,
    { kind: "interpreter" },
  ),
  program(
    "ed",
    ({ operands, input }) => [...filters(operands, input.text?.text ?? "", false), ...commandsFrom(input)],
    {
      kind: "interpreter",
      options: { short: "p", long: ["prompt"] },
    },
  ),
  program(
    "nano pico rnano",
    (use) => [
      ...edits(positionless(use.operands)),
      ...runsByOptions(use, ["s", "speller"]),
      ...use.values("f", "rcfile").map((path) => loads(path)),
    ],
    {
      options: {
        short: "sCoQrTYfJX",
        long: namesIn(
          `speller backupdir operatingdir quotestr fill tabsize syntax rcfile guidestripe wordchars`,
        ),
      },
    },
  ),
  program("emacs emacs-nox emacsclient xemacs zile jove mg", opensEmacs, {
    kind: "interpreter",
    options: emacsForm,
  }),
  program(
    "kak",
    (use) => [...edits(positionless(use.operands)), ...editorOptions(use, ["e", "E", "f", "p"])],
    {
      options: { short: "eEfcpsnui" },
    },
  ),
  program(
    "micro",
    ({ operands, has }) => [
      ...edits(positionless(operands)),
      ...(has("startcommand", "plugin", "config-dir")
        ? [danger("high", "its own command line runs code")]
        : []),
    ],
    { options: { oneDash: true, long: ["startcommand", "plugin", "config-dir", "filetype"] } },
  ),
  program(
    "hx helix joe jmacs jstar jed ne mcedit tilde dte amp o",
    ({ operands }) => edits(positionless(operands)),
    {
      options: { short: "cl", long: ["config", "log", "config-dir"] },
    },
  ),
  program(
    `gedit kate kwrite mousepad xed pluma leafpad geany notepadqq featherpad gnome-text-editor bbedit
      mate zed lapce notepad notepad.exe`,
    ({ operands }) => edits(operands),
  ),
  program(
    "idea webstorm pycharm goland clion rubymine phpstorm rider fleet studio",
    ({ operands, values }) =>
      operands[0]?.text === "installPlugins"
        ? operands.slice(1).map(installsExtension)
        : edits([...operands, ...values("line")].filter(({ text }) => text !== "diff")),
    {
      options: { long: ["column"] },
    },
  ),
  program("code code-insiders code-oss codium vscodium cursor windsurf positron", opensCode, {
    options: {
      short: "gdamr",
      long: namesIn(`install-extension uninstall-extension user-data-dir extensions-dir profile locale log category
        sync add-mcp folder-uri file-uri remote`),
      known: namesIn("goto diff add merge wait new-window reuse-window list-extensions version status"),
    },
  }),
  program("subl sublime_text", (use) => [...edits(use.operands), ...editorOptions(use, ["command"])], {
    options: { long: ["command", "project"] },
  }),
  program("vidir vipe", ({ operands }) => edits(operands)),
  program("editor sensible-editor", ({ operands }) => edits(positionless(operands))),
  program("select-editor", nothing),
];

/** `+12` is a line number, not a file. */
const positionless = (words: readonly Word[]): Word[] =>
  words.filter(({ text }) => !/^\+\d*(?:[:,]\d*)?$/u.test(text));

const editorOptions = (use: Use, names: readonly string[]): Effect[] =>
  use.options.some(({ name }) => names.includes(name))
    ? [danger("high", "its options run commands of the editor")]
    : [];

const isPlus = ({ text }: Word): boolean => text.startsWith("+");

/** In ex mode `-s` means silent, and commands come from standard input; otherwise it names a script of keystrokes. */
function* opensVim(given: Use): Iterable<Effect> {
  const isEx =
    given.name.startsWith("ex") ||
    given.words.some(({ text }) => /^-[a-zA-Z]*[eE][a-zA-Z]*$/u.test(text) && !text.startsWith("-c"));
  const options = isEx ? vimForm : { ...vimForm, short: `${vimForm.short ?? ""}s` };
  const use = useOf({ names: [], does: nothing, options }, given);
  for (const { name, value } of use.options) if (value) yield* vimOption(name, value);
  for (const word of use.operands.filter(isPlus)) yield* plusCommand(word);
  const files = use.operands.filter((word) => !isPlus(word));
  const codes = [
    ...use.values("c"),
    ...use.operands.filter(isPlus),
    ...(use.input.text ? [use.input.text] : []),
  ];
  const [first] = codes.map(({ text }) => text.replace(/^\+/u, ""));
  yield* use.has("R", "M", "Z") || use.name.endsWith("view")
    ? readsFiles(files)
    : filters(files, first ?? "", false);
  if (isEx) yield* commandsFrom(use.input);
}

function* vimOption(name: string, value: Word): Iterable<Effect> {
  if (name === "c" || name === "cmd")
    yield* editorCommands({ code: value, option: name === "c" ? "-c" : "--cmd" });
  else if ("SuUl".includes(name) && !/^(?:NONE|NORC|DEFAULTS)$/u.test(value.text)) yield loads(value);
  else if (name === "s") yield danger("high", "it types the keys of a file into the editor");
  else if (name === "w" || name === "W" || name === "startuptime" || name === "log")
    yield* writes([value], "creates");
  else if (name === "i" || name === "q") yield* readsFiles([value]);
  else if (name === "remote-expr" || name === "remote-send")
    yield danger("high", "it runs code in another editor");
}

function plusCommand(word: Word): Effect[] {
  const code = withText(word, word.text.slice(1));
  return /^(?:\d*|[/?].*)$/su.test(code.text) ? [] : editorCommands({ code, option: "+" });
}

function* commandsFrom({ text, isGiven }: Use["input"]): Iterable<Effect> {
  if (text) yield* editorCommands({ code: text, option: "-s", isLines: true });
  else if (isGiven) yield { type: "interprets-input", language: "other" };
}

function* opensEmacs(use: Use): Iterable<Effect> {
  yield* interpretsAll("other", use.values("eval", "execute", "e", "x"));
  if (
    use.has("eval", "execute", "e", "x") ||
    (use.name === "emacs" &&
      use.values("f", "funcall").some(({ text }) => !/^(?:ert-run-tests-)?batch-/u.test(text)))
  )
    yield danger("high", "its option --eval runs code");
  for (const path of use.values("l", "load", "script")) yield loads(path);
  yield* readsFiles(use.values("insert", "i"));
  yield* edits(positionless(use.operands));
}

function* opensCode(use: Use): Iterable<Effect> {
  const [verb] = use.operands;
  for (const extension of use.values("install-extension")) yield installsExtension(extension);
  if (use.has("uninstall-extension")) yield danger("medium", "it removes extensions of the editor");
  if (use.has("add-mcp")) yield danger("critical", "it adds a server that the editor runs");
  if (verb?.text === "tunnel" || verb?.text === "serve-web") {
    yield danger("high", "it opens this machine to others");
    return;
  }
  if (use.has("list-extensions", "version", "status", "help")) return;
  const opened = [...use.operands, ...use.values("g", "d", "a", "m", "goto")].map((path) =>
    withText(path, path.text.replace(/:\d+(?::\d+)?$/u, "")),
  );
  yield* readsFiles(filesIn(opened));
}
