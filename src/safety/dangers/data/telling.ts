/** The words of the data about programs, and the effects that they stand for. */

import { risks } from "../../../protocol/fact-words.ts";
import { joinWords, type Word } from "../../command-line/word.ts";
import {
  danger,
  doesMore,
  interprets,
  loads,
  printsVariables,
  reads,
  replaces,
  runs,
} from "../effect-makers.ts";
import type { Effect, Language } from "../effect.ts";
import {
  deletes,
  edits,
  filesIn,
  printsDecoded,
  readsFiles,
  runsByOption,
  showsDirectories,
  writes,
} from "../file-effect-makers.ts";
import {
  evaluatedIn,
  interpretsAll,
  interpretsInput,
  loadsLibraries,
  scriptOrInput,
} from "../interpreting.ts";
import type { WordsDo } from "../program.ts";
import { command } from "../use.ts";
import { functions } from "./functions.ts";

const asks: Effect = { type: "fetches", from: undefined };

const verbs: Readonly<Record<string, WordsDo>> = {
  nothing: () => [],
  more: () => [doesMore],
  reads: readsFiles,
  "reads names": (words) => reads(words.filter(({ text }) => /[./]/u.test(text) && !/^https?:/u.test(text))),
  writes: (words) => replaces(words.filter(({ text }) => text !== "-" && !text.startsWith("/dev/std"))),
  creates: (words) => writes(words, "creates"),
  builds: (words) => words.map((path) => ({ type: "writes", path, how: "creates", isBuilt: true })),
  appends: (words) => writes(words, "appends"),
  edits,
  deletes: (words) => deletes(words, false),
  "deletes all": (words) => deletes(words, true),
  moves: (words) => filesIn(words).map((path) => ({ type: "deletes", path, deep: true, moved: true })),
  asks: () => [asks],
  fetches: (words) => words.map((from) => ({ type: "fetches", from })),
  sends: (words, { input }) => [
    ...reads(words),
    { type: "sends", to: undefined, files: words, input: words.length === 0 && input.isGiven },
  ],
  shows: showsDirectories,
  runs: (words) => [...command(words)],
  "runs there": (words) => (words.length > 0 ? [runs(words, { remote: true })] : []),
  "runs option": (words) => words.flatMap((word) => runsByOption("of that name", word)),
  "prints variables": () => [printsVariables],
  "prints secrets": () => [
    asks,
    { type: "prints", flows: ["secret"] },
    danger("high", "it prints passwords or keys"),
  ],
  "prints decoded": () => [printsDecoded],
  "prints random": () => [{ type: "prints", flows: ["random"] }],
  "prints private": () => [{ type: "prints", flows: ["private"] }],
  "prints fetched": () => [{ type: "prints", flows: ["network"] }],
  installs: () => [asks, danger("medium", "it installs packages, which run code of their own")],
  line: (words) => (words.length > 0 ? [interprets("shell", joinWords(words, " "))] : []),
};

/** With a language behind them: `code python`. */
const spoken: Readonly<Record<string, (language: Language) => WordsDo>> = {
  code: (language) => (words) => [
    ...interpretsAll(language, words),
    ...(language === "other" ? words.map(() => doesMore) : []),
  ],
  each: (language) => (words) =>
    words.map((code) => (code.text === "-" ? interpretsInput(language) : interprets(language, code))),
  loads: (language) => (words) => words.map((path) => loads(path, language)),
  library: (language) => (words) => [...loadsLibraries(words, language)],
  // Without code among its options it runs a script, or what comes in.
  scripted: (language) => (words, use) => {
    const isGiven =
      evaluatedIn(use.words).length > 0 || use.has("e", "E", "c", "g", "eval", "m", "expression", "f");
    const isAsked = words.length === 0 && use.has("v", "V", "version", "h");
    const rest = isGiven || isAsked ? [] : [...scriptOrInput(words, language)];
    const named = use.has("e", "eval", "c", "code", "r", "batch")
      ? []
      : interpretsAll(language, evaluatedIn(use.words));
    return [...named, ...rest, ...(language === "other" && named.length > 0 ? [doesMore] : [])];
  },
  script: (language) => (words) => [...scriptOrInput(words, language)],
  input: (language) => () => [interpretsInput(language)],
};

const parts: Readonly<Record<string, (words: readonly Word[]) => readonly Word[]>> = {
  first: (words) => words.slice(0, 1),
  second: (words) => words.slice(1, 2),
  rest: (words) => words.slice(1),
  last: (words) => words.slice(-1),
  "but last": (words) => words.slice(0, -1),
};

/** Undefined if the text is not understood. */
export function understandText(text: string): WordsDo | undefined {
  const [, severity, because] = /^(\w+) (.+)$/u.exec(text) ?? [];
  const risk = risks.find((one) => one === severity);
  if (risk !== undefined && because !== undefined) return () => [danger(risk, because)];
  const [, part, rest] = /^(first|second|rest|last|but last) (.+)$/u.exec(text) ?? [];
  if (part !== undefined && rest !== undefined) {
    const does = understandText(rest);
    const taken = parts[part];
    return does && taken && ((words, use) => does(taken(words), use));
  }
  const plain = Object.hasOwn(verbs, text) ? verbs[text] : undefined;
  return plain ?? inLanguage(text) ?? (Object.hasOwn(functions, text) ? functions[text] : undefined);
}

function inLanguage(text: string): WordsDo | undefined {
  const [verb = "", name = "other"] = text.split(" ");
  const make = Object.hasOwn(spoken, verb) ? spoken[verb] : undefined;
  return isLanguage(name) ? make?.(name) : undefined;
}

const isLanguage = (name: string): name is Language =>
  /^(?:shell|python|javascript|perl|ruby|php|awk|sed|other)$/u.test(name);
