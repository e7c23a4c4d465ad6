/** Writes grammars in the notation that llama.cpp (GBNF) and XGrammar share. */

import type { Json } from "../../base/json.ts";
import type { CharacterRanges } from "./characters.ts";

/** A grammar that grows rule by rule; equal rules are one. */
export type GrammarWriter = {
  /** The name of a rule with these alternatives. */
  rule(...alternatives: readonly string[]): string;
  /** The name of a rule that may refer to itself: `define` gets the name, and is asked once for each `key`. */
  cycle(key: unknown, define: (name: string) => readonly string[]): string;
  /** The whole grammar; it begins with these alternatives. */
  text(...root: readonly string[]): string;
};

export function newGrammar(): GrammarWriter {
  const rules = new Map<string, string>();
  const named = new Map<unknown, string>();
  const nextName = (): string => `r${rules.size + 1}`;
  return {
    rule(...alternatives) {
      const body = alternatives.join(" | ");
      const known = named.get(body);
      if (known !== undefined) return known;
      const name = nextName();
      named.set(body, name);
      rules.set(name, body);
      return name;
    },
    cycle(key, define) {
      const known = named.get(key);
      if (known !== undefined) return known;
      const name = nextName();
      named.set(key, name);
      rules.set(name, "");
      rules.set(name, define(name).join(" | "));
      return name;
    },
    text: (...root) =>
      [`root ::= ${root.join(" | ")}`, ...[...rules].map(([name, body]) => `${name} ::= ${body}`)].join("\n"),
  };
}

/** Exactly this text. */
export const literal = (text: string): string =>
  `"${Array.from(text, (one) => escapeOf(one, '"')).join("")}"`;

/** One character from one of these ranges of code points. */
export const anyOf = (ranges: CharacterRanges): string =>
  `[${ranges
    .map(([first, last]) => {
      const [from, to] = [first, last].map((code) => escapeOf(String.fromCodePoint(code), "]^-"));
      return first === last ? from : `${from}-${to}`;
    })
    .join("")}]`;

/** One character that is none of these. */
const noneOf = (characters: Iterable<string>): string =>
  `[^${[...characters].map((one) => escapeOf(one, "]^-")).join("")}]`;

function escapeOf(character: string, special: string): string {
  const known = { "\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\", '"': '\\"', "]": "\\]" }[character];
  if (known !== undefined && (character !== "]" || special !== '"')) return known;
  const code = character.codePointAt(0) ?? 0;
  if (code < 32 || code === 127 || special.includes(character))
    return `\\x${code.toString(16).padStart(2, "0")}`;
  return character;
}

/** A part so many times; a maximum that is less than the minimum is none. */
export function repetition(
  part: string,
  [minimum, maximum]: readonly [Json | undefined, Json | undefined],
  grammar: GrammarWriter,
): string {
  const least = typeof minimum === "number" ? Math.max(0, Math.ceil(minimum)) : 0;
  const most = typeof maximum === "number" && maximum >= least ? Math.floor(maximum) : Infinity;
  if (most === 0) return `""`;
  if (least <= block && most <= block) return `${part}{${least},${most}}`;
  if (most === Infinity) return least === 0 ? `${part}*` : `${exactly(part, least, grammar)} ${part}*`;
  return `${exactly(part, least, grammar)} ${upTo(part, most - least, grammar)}`;
}

/** Servers write a repeated part out as often as it is counted: more are counted in blocks, and blocks of blocks. */
const block = 100;

function exactly(part: string, count: number, grammar: GrammarWriter): string {
  if (count <= block) return count === 0 ? `""` : `${part}{${count}}`;
  const whole = exactly(grammar.rule(`${part}{${block}}`), Math.floor(count / block), grammar);
  return `${whole} ${exactly(part, count % block, grammar)}`;
}

function upTo(part: string, count: number, grammar: GrammarWriter): string {
  if (count <= block) return count === 0 ? `""` : `${part}{0,${count}}`;
  const [blocks, whole] = [Math.floor(count / block), grammar.rule(`${part}{${block}}`)];
  return grammar.rule(
    `${upTo(whole, blocks - 1, grammar)} ${upTo(part, block - 1, grammar)}`,
    `${exactly(whole, blocks, grammar)} ${upTo(part, count % block, grammar)}`,
  );
}

/**
 * Any text up to one of these endings, each of which is followed by its rule. `end`: what may stand in place of more
 * text; without it, an ending must come. The automaton of Aho and Corasick: a state is the longest part of an ending
 * that was just written.
 */
export function freeText(grammar: GrammarWriter, endings: ReadonlyMap<string, string>, end?: string): string {
  const marks = [...endings.keys()];
  const letters = new Set(marks.flatMap((mark) => Array.from(mark)));
  const key = JSON.stringify([[...endings], end]);
  const state = (written: string): string =>
    grammar.cycle(`${key} ${written}`, (name) => [
      ...(end === undefined ? [] : [end]),
      `${noneOf(letters)} ${written === "" ? name : state("")}`,
      ...[...letters].map((letter) => {
        const next = longestPart(written + letter, marks);
        const rule = endings.get(next);
        return `${literal(letter)} ${rule ?? (next === written ? name : state(next))}`;
      }),
    ]);
  return state("");
}

/** The longest end of the text with which a mark begins. */
function longestPart(text: string, marks: readonly string[]): string {
  for (let from = 0; from < text.length; from += 1) {
    const part = text.slice(from);
    if (marks.some((mark) => mark.startsWith(part))) return part;
  }
  return "";
}
