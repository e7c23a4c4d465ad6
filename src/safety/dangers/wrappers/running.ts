/** Functions of `wrappers.yaml`: where the command stands, if that is not simply behind the options. */

import { joined, literal, unknown, unknownWord, type Word, withText } from "../../command-line/word.ts";
import { given } from "../containers/mounts.ts";
import type { WordsDo } from "../data/does.ts";
import { danger, interprets, loads, replaces, runs } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";
import { runsByOption } from "../file-effect-makers.ts";
import { filledIn } from "../text/splitting.ts";
import { after } from "../verbs.ts";
import { command } from "./wrapping.ts";

const shellOfInput: Effect = { type: "interprets-input", language: "shell" };

/** One word is a line of the shell, several are a command. */
const inShell = (words: readonly Word[]): Iterable<Effect> => {
  const [only] = words;
  if (!only) return [];
  return words.length === 1 ? [interprets("shell", only)] : command(words);
};

const orShell = (words: readonly Word[]): Iterable<Effect> =>
  words.length > 0 ? command(words) : [shellOfInput];

function* typed(words: readonly Word[]): Iterable<Effect> {
  const text = joined(
    words.filter(
      (word) => !/^(?:Enter|KPEnter|Space|Escape|Tab|BSpace|Up|Down|C-m|[CMS]-.+)$/u.test(word.text),
    ),
    " ",
  );
  const line = text.text.replaceAll(/\\[nr015]+|\^M|[\r\n]+/gu, "\n").trim();
  if (line.length > 1) yield interprets("shell", withText(text, line));
}

const debuggerCommands =
  /^\s*(shell|make|pipe|platform shell|python|py|pi|script|source|command source)(?![\w-])\s*([^]*)$|^\s*([!|])\s*([^]*)$/u;
const calls = /\b(?:system|popen|exec[lv]p?e?)\s*\(\s*(?:"((?:[^"\\]|\\[^])*)")?/u;

function* debuggerLine(line: Word): Iterable<Effect> {
  const [, word, behind, sign, behindSign] = debuggerCommands.exec(line.text) ?? [];
  const name = word ?? sign;
  const code = withText(line, (behind ?? behindSign ?? "").replace(/^\|/u, ""));
  if (name !== undefined) yield danger("high", "its own command line runs code");
  if (/^(?:python|py|pi|script)$/u.test(name ?? "")) yield interprets("python", code);
  else if (name?.endsWith("source")) yield loads(code);
  else if (name !== undefined) yield interprets("shell", code);
  const called = calls.exec(line.text);
  if (called)
    yield* [
      danger("high", "it has the process run a command"),
      interprets("shell", withText(line, called[1] ?? "")),
    ];
}

const panes =
  /^(?:new(?:-session)?|new-window|neww|split-window|splitw|respawn-\w+|display-popup|popup|run(?:-shell)?|if(?:-shell)?|pipe-pane|pipep)$/u;
const paneValues = /^-[cefFnstxylLpbdhSTwyN]$/u;

/** The words of a command of a terminal multiplexer that are neither its options nor their values. */
const behindOptions = (words: readonly Word[], name: string): Word[] => {
  const flags = /^(?:run|if|pipe|send)/u.test(name) ? /^-[tNcB]$|^--\w+$/u : paneValues;
  const rest = [...words];
  while (rest[0]?.text.startsWith("-"))
    rest.splice(0, flags.test(rest[0].text) && !/^-d$/u.test(rest[0].text) ? 2 : 1);
  return rest;
};

function* inPanes(words: readonly Word[]): Iterable<Effect> {
  const end = words.findIndex((word) => word.text.endsWith(";") && !word.text.endsWith("\\;"));
  const own = end < 0 ? words : words.slice(0, end + (words[end]?.text === ";" ? 0 : 1));
  const [verb, ...rest] = own.map((word) => withText(word, word.text.replace(/(?<!\\);$/u, "")));
  const inner = behindOptions(rest, verb?.text ?? "");
  const name = verb?.text ?? "";
  if (name.startsWith("if")) yield* inner.map((code) => interprets("shell", code));
  else if (panes.test(name)) yield* inShell(inner);
  else if (/^send(?:-keys)?$/u.test(name)) yield* typed(inner);
  else if (/^source(?:-file)?$/u.test(name)) yield* inner.map((file) => loads(file));
  else if (
    /^(?:bind|bind-key|set-hook)$/u.test(name) &&
    /\b(?:run|if|new|split|pipe|popup)/u.test(joined(inner, " ").text)
  )
    yield danger("high", "it keeps a command that runs later");
  else if (name.startsWith("set") && /command|shell|editor/u.test(inner[0]?.text ?? ""))
    yield* inner.slice(1).map((code) => interprets("shell", code));
  if (name.startsWith("kill")) yield danger("medium", "it stops what runs in its sessions");
  for (const word of rest) {
    const [, code] = /#\(([^)]*)\)/u.exec(word.text) ?? [];
    if (code !== undefined) yield interprets("shell", withText(word, code));
  }
  if (end >= 0) yield* inPanes(words.slice(end + 1));
}

type Parameter = { name: string; values: readonly string[]; words: readonly Word[] };

/** `-L name values`, `-P name from to` of a program that measures. */
const parametersOf = (words: readonly Word[]): Parameter[] =>
  words.flatMap(({ text }, at) => {
    const [name, first, last] = words.slice(at + 1, at + 4);
    if (!name || !first || !/^(?:-[LP]|--parameter-(?:list|scan))$/u.test(text)) return [];
    const isList = /L|list/u.test(text);
    return [
      {
        name: name.text,
        values: isList ? first.text.split(",").slice(0, 16) : ["1"],
        words: isList || !last ? [first] : [first, last],
      },
    ];
  });

function* measured(operands: readonly Word[], { words }: Parameters<WordsDo>[1]): Iterable<Effect> {
  const parameters = parametersOf(words);
  const taken = new Set(parameters.flatMap((parameter) => parameter.words));
  for (const line of operands.filter((word) => !taken.has(word))) {
    const used = parameters.filter(({ name }) => line.text.includes(`{${name}}`));
    for (const value of used.length === 1 ? (used[0]?.values ?? []) : [unknown]) {
      const text = used.reduce((filled, { name }) => filledIn(filled, `{${name}}`, value), line.text);
      yield interprets("shell", withText(line, text));
    }
  }
}

export const running: Readonly<Record<string, WordsDo>> = {
  measured,
  "in panes": inPanes,
  "runs or shell": orShell,
  "debugger lines": (lines) => lines.flatMap((line) => [...debuggerLine(line)]),
  "runs after dashes": (words, use) => {
    const end = use.words.findIndex(({ text }) => /^(?:--|==|-\+|=\+)$/u.test(text));
    return end >= 0 && use.name === "capsh"
      ? [runs([literal("bash"), ...use.words.slice(end + 1)])]
      : command(words);
  },
  "runs with operands": ([first], { operands, has }) =>
    first && has("S", "start") ? [runs([first, ...operands])] : [],
  scheduled: (words) => command(words.slice(/^\d+$/u.test(words[0]?.text ?? "") ? 1 : 0)),
  *architecture(words, { name, options }) {
    const isNamed = name === "setarch" && options.length === 0;
    const rest = isNamed ? words.slice(1) : words;
    const start = rest.findIndex(({ text }) => !text.startsWith("-"));
    yield* orShell(start < 0 ? [] : rest.slice(start));
    if (name === "setarch" && !isNamed) yield* command(words.slice(1));
  },
  "code or command": ([flag, ...rest]) => {
    if (!flag) return [];
    if (/^(?:-c|--command)$/u.test(flag.text)) return rest.map((code) => interprets("shell", code));
    return flag.text.startsWith("--command=")
      ? [interprets("shell", withText(flag, flag.text.slice(10)))]
      : command([flag, ...rest]);
  },
  watched: (words, { has }) =>
    words.length === 0 ? [] : has("x", "exec") ? command(words) : [interprets("shell", joined(words, " "))],
  "on change": (words, { has }) => {
    const given = words.map((word) =>
      word.text === "/_" ? { ...unknownWord(), mayBeSeveral: false } : word,
    );
    const [first, ...others] = given;
    return first && has("s") ? [interprets("shell", first, [literal("sh"), ...others])] : command(given);
  },
  entered: ([target]) =>
    target?.text === "1"
      ? [danger("critical", "it enters the whole system as its first process sees it")]
      : [],
  "traced to": (files) =>
    files.flatMap((file) =>
      /^[|!]/u.test(file.text) ? runsByOption("-o", withText(file, file.text.slice(1))) : replaces([file]),
    ),
  "tool by path": (tools) =>
    tools.flatMap((tool) =>
      /[/\0]/u.test(tool.text)
        ? [danger("high", "its option --tool loads a program by its path"), loads(tool)]
        : [],
    ),
  *debugged(operands, { words, has }) {
    const start = words.findIndex(({ text }) => /^--?(?:args|)$/u.test(text));
    const own = start < 0 ? operands.slice(0, 1) : words.slice(start + 1);
    if (own.length > 0) yield runs(own);
    else if (!has("batch", "h", "v")) yield { type: "interprets-input", language: "other" };
  },
  *recorded([file], { words, has }) {
    yield* replaces(file ? [file] : []);
    const behind = file ? words.slice(words.indexOf(file) + 1) : [];
    if (behind[0] && (behind[0].text === "--" || !behind[0].text.startsWith("-"))) yield* command(behind);
    else if (!has("c", "command")) yield shellOfInput;
  },
  "sent to a terminal": ([verb], { operands }) =>
    verb?.text === "stuff"
      ? typed(operands)
      : /^(?:exec|screen)$/u.test(verb?.text ?? "")
        ? command(operands)
        : verb?.text === "source"
          ? operands.map((file) => loads(file))
          : [danger("medium", "it commands what runs in its sessions")],
  "runs in a terminal": (operands, { has, words }) =>
    has("X", "r", "x", "R", "v") || words.some(({ text }) => /^-(?:ls|list|wipe)$/u.test(text))
      ? []
      : orShell(operands),
  "in a window"(_, { words }) {
    const start = words.findIndex(({ text }) => /^(?:-e|-x|--command|--execute|--)$/u.test(text));
    const inOne = words.find(({ text }) => /^--(?:command|execute)=/u.test(text));
    return [
      ...(start >= 0 ? inShell(words.slice(start + 1)) : []),
      ...(inOne ? [interprets("shell", withText(inOne, inOne.text.replace(/^[^=]*=/u, "")))] : []),
    ];
  },
  *"shared container"([verb, ...rest], use) {
    const { name, around } = use;
    if (!verb || /^(?:list|ls|inspect|version|pull)$/u.test(verb.text)) return;
    const behind = after(use, rest, {
      short: "BHSWocnrD",
      long: [
        "bind",
        "home",
        "scratch",
        "workdir",
        "overlay",
        "env",
        "mount",
        "network",
        "pwd",
        "name",
        "container",
        "directory",
      ],
      stopAtOperand: true,
    });
    for (const bind of [...use.values("B", "bind", "D", "directory"), ...behind.values("B", "bind")])
      yield* given(withText(bind, bind.text.replace(/:.*$/su, "")), { isReadOnly: false, around });
    yield danger(
      /^(?:rm|remove|delete)$/u.test(verb.text) ? "high" : "medium",
      "it works on a container that sees files of this machine",
    );
    if (name === "proot") yield runs([verb, ...rest]);
    else if (/^(?:exec|enter|run|shell)$/u.test(verb.text))
      yield* command(behindOptions(rest, "send").slice(name === "toolbox" ? 0 : 1));
  },
};
