/** What a sed script does besides editing its input: commands it runs, files it reads and writes. */

import { unknownWord, withText, type Word } from "../../command-line/word.ts";
import { danger, interprets } from "../effect-makers.ts";
import type { Effect } from "../effect.ts";

type Script = {
  readonly text: string;
  at: number;
  readonly word: (text: string) => Word;
  readonly effects: Effect[];
};

/** Never throws. A script that cannot be parsed is dangerous. */
export function sedEffects(code: Word): Effect[] {
  const script: Script = {
    text: code.text,
    at: 0,
    word: (text) => withText({ ...code, isPattern: false }, text),
    effects: [],
  };
  while (script.at < script.text.length) {
    const before = script.at;
    if (!readCommand(script) || script.at === before) {
      script.effects.push(danger("high", "its script cannot be read"));
      break;
    }
  }
  return script.effects;
}

const runsCommand = danger("high", "its script runs a command");

/** Returns whether the command was understood. */
function readCommand(script: Script): boolean {
  skip(script, /[\s;{}]*/uy);
  if (script.at >= script.text.length) return true;
  if (!readAddress(script)) return false;
  skip(script, /[\s!]*/uy);
  const command = script.text[script.at] ?? "";
  script.at += 1;
  switch (command) {
    case "#":
      restOfLine(script);
      return true;
    case "s":
      return readSubstitution(script);
    case "y":
      return readBetween(script, 2, false) !== undefined;
    case "a":
    case "i":
    case "c":
      readInserted(script);
      return true;
    case "r":
    case "R":
      tellPath(script, "reads");
      return true;
    case "w":
    case "W":
      tellPath(script, "writes");
      return true;
    case "e":
      tellCommand(script);
      return true;
    case "{":
      return true;
    case ":":
    case "b":
    case "t":
    case "T":
    case "v":
      skip(script, /[^;\n}]*/uy);
      return true;
    default:
      skip(script, /[ \t]*\d*/uy);
      return command !== "" && "=dDhHgGnNpPxzFlLqQ".includes(command);
  }
}

function skip(script: Script, pattern: RegExp): string {
  pattern.lastIndex = script.at;
  const found = pattern.exec(script.text)?.[0] ?? "";
  script.at += found.length;
  return found;
}

const restOfLine = (script: Script): string => {
  const text = skip(script, /[^\n]*/uy);
  return text.trim();
};

/** An unknown part counts as a number: `1`, `$`, `/x/I`, `\,x,`, `first~step`, or a pair of them. */
function readAddress(script: Script): boolean {
  for (let number = 0; number < 2; number += 1) {
    if (number === 1) {
      const comma = skip(script, /\s*,\s*/uy);
      if (comma === "") return true;
    }
    if (skip(script, /[+~]?[\d\0]+(?:~[\d\0]+)?|\$/uy) !== "") continue;
    const char = script.text[script.at];
    if (char !== "/" && char !== "\\") return true;
    if (char === "\\") script.at += 1;
    if (readBetween(script, 1) === undefined) return false;
    skip(script, /[IM]*/uy);
  }
  return true;
}

/**
 * Reads `count` texts, each ended by the delimiter at this position. Inside a pattern's bracket set it ends nothing.
 */
function readBetween(script: Script, count: number, isPattern = true): string[] | undefined {
  const close = script.text[script.at];
  if (close === undefined || close === "\n" || close === "\\") return undefined;
  script.at += 1;
  const texts: string[] = [];
  let from = script.at;
  while (script.at < script.text.length) {
    const char = script.text[script.at];
    if (char === "\\") script.at += 2;
    else if (char === close) {
      texts.push(script.text.slice(from, script.at));
      script.at += 1;
      from = script.at;
      if (texts.length === count) return texts;
    } else if (!(char === "[" && isPattern && texts.length === 0 && skip(script, set) !== "")) script.at += 1;
  }
  return undefined;
}

const set = /\[\^?\]?(?:\[[:.=][^\]\n]*\]|[^\]\n])*\]/uy;

function readSubstitution(script: Script): boolean {
  if (readBetween(script, 2) === undefined) return false;
  const flags = skip(script, /[gpiImM\d]*e?[gpiImMe\d]*/uy);
  if (flags.includes("e")) {
    script.effects.push(danger("high", "its script runs what it substitutes as a command"));
    script.effects.push(interpretsUnknown);
  }
  if (script.text[script.at] === "w") {
    script.at += 1;
    tellPath(script, "writes");
  }
  return /^(?:$|[\s;}#])/u.test(script.text.slice(script.at, script.at + 1));
}

const interpretsUnknown = interprets("shell", unknownWord());

/** `a text`, or `a\` with lines continued by a backslash. */
function readInserted(script: Script): void {
  while (script.at < script.text.length && script.text[script.at] !== "\n") {
    if (script.text[script.at] === "\\") script.at += 1;
    script.at += 1;
  }
}

const standard = new Set(["/dev/stdout", "/dev/stderr", "/dev/stdin"]);

function tellPath(script: Script, type: "reads" | "writes"): void {
  const path = restOfLine(script);
  if (path === "" || standard.has(path)) return;
  const word = script.word(path);
  script.effects.push(type === "reads" ? { type, path: word } : { type, path: word, how: "replaces" });
}

/** `e command`; without a command it executes the line it has read. */
function tellCommand(script: Script): void {
  const command = restOfLine(script);
  script.effects.push(
    runsCommand,
    command === "" ? interpretsUnknown : interprets("shell", script.word(command)),
  );
}
