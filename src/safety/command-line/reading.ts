/** `read` and `mapfile`: sets their variables from the input, if that is known. */

import type { Input } from "../dangers/effect.ts";
import type { Use } from "../dangers/program.ts";
import { descriptorPath, listFiles, setVariable, type Shell } from "./shell.ts";
import { isLiteral, isUnknown, unknownWord, type Word, withText } from "./word.ts";

/** Splits a known line into words; the last name gets the rest. */
export function reading(use: Use, shell: Shell): void {
  const { operands, value, has } = use;
  const input = inputOf(use, shell);
  const line = has("d", "n", "N", "i") ? undefined : lineOf(input, has("r"));
  const array = value("a")?.text;
  const names = operands.map(({ text }) => text).filter((text) => /^[A-Za-z_]\w*$/u.test(text));
  // Bash stops at an invalid name.
  const areNames = new Set(names).size === operands.length;
  const separators = areNames ? separatorsOf(use, shell) : undefined;
  const targets = names.length > 0 ? names : ["REPLY"];
  if (line) listFiles(shell, [line]);
  const words = line && wordsIn(line, { separators, most: array === undefined ? targets.length : Infinity });
  if (array !== undefined) return setVariable(shell, array, words ?? [unknownFrom(input)]);
  for (const [at, name] of targets.entries())
    setVariable(shell, name, [words ? (words[at] ?? withText(line, "")) : unknownFrom(input)]);
}

/** `mapfile`: reads the input line by line into an array. */
export function readingLines(use: Use, shell: Shell): void {
  const input = inputOf(use, shell);
  const { text } = input;
  const isWhole = text !== undefined && !isUnknown(text) && !use.has("d", "n", "O", "s");
  const lines = isWhole ? text.text.replace(/\n$/u, "").split("\n") : undefined;
  const values = lines?.map((line) => withText(text ?? unknownFrom(input), line));
  setVariable(shell, use.operands[0]?.text ?? "MAPFILE", values ?? [unknownFrom(input)]);
}

const unknownFrom = ({ flows }: Input): Word => unknownWord(new Set([...flows, "input" as const]));

/** `-u 3`: the input that the descriptor was opened for. */
function inputOf({ input, value }: Use, { files }: Shell): Input {
  const descriptor = value("u");
  if (!descriptor) return input;
  const known = files.get(descriptorPath(descriptor.text));
  return { text: known?.text, flows: known?.flows ?? input.flows, isGiven: true };
}

/** Without `-r` a backslash is an escape, so a line with one counts as unknown. */
function lineOf({ text }: Input, isRaw: boolean): Word | undefined {
  const line = text?.text.trim() ?? "";
  if (!text || line.includes("\n") || (!isRaw && line.includes("\\"))) return undefined;
  return withText(text, line);
}

/** Undefined if they are known only at run time. */
function separatorsOf({ variables }: Use, shell: Shell): string | undefined {
  const own = variables.findLast(({ name }) => name === "IFS")?.value ?? shell.variables.get("IFS")?.[0];
  return own === undefined ? " \t\n" : isLiteral(own) ? own.text : undefined;
}

type Cutting = { separators: string | undefined; most: number };

/** Splits the line into at most `most` words; undefined if the separators are unknown. */
function wordsIn(line: Word, { separators, most }: Cutting): Word[] | undefined {
  if (separators === undefined) return undefined;
  if (most === 1 || separators === "") return [line];
  if (isUnknown(line)) return undefined;
  const isBlank = /^\s+$/u.test(separators);
  if (!isBlank && separators.length > 1) return undefined;
  const words: string[] = [];
  let rest = line.text;
  while (words.length < most - 1) {
    const cut = isBlank ? /\s+/u.exec(rest) : { index: rest.indexOf(separators), 0: separators };
    if (!cut || cut.index < 0) break;
    words.push(rest.slice(0, cut.index));
    rest = rest.slice(cut.index + cut[0].length);
  }
  return [...words, rest].map((text) => withText(line, text));
}
