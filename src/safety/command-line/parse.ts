/** The boundary to the shell parser: its result for a text, or why that result cannot be trusted. */

import { forEachChild, parse, type ParsedScript, type SyntaxNode } from "unbash";
import type { Expected } from "../../base/expected.ts";
import { judgingBounds } from "../bounds.ts";

export type * from "unbash";

/** No legitimate command line is longer, and the part cut off could do anything. */
const maxLength = judgingBounds.lineText.most;
/** The nesting depth of brackets and substitutions. */
const maxDepth = 64;

/**
 * `openers`: the number of substitutions at all depths. `nested`: their scripts. `isPlaced`: every node says where in
 * the text it stands; the parser counts otherwise where it takes away backslashes, as in nested back-ticks.
 */
type ParsedText = {
  script: ParsedScript;
  openers: number;
  nested: readonly ParsedScript[];
  isPlaced: boolean;
};

/** The limit for heredocs, since the parser searches to the end of the text for each of them. */
const mostHeredocs = 64;

/** Stands for each unknown part in a text that is parsed: a character that no keyboard has. */
export const standIn = "\u{10FFFD}";

/** A problem says why the parse is not trusted; the parser may then have seen only a part of the text. */
export function parseShell(text: string): Expected<ParsedText> {
  if (text.length > maxLength) return unsure("it is too long to be understood");
  if (text.includes("\0")) return unsure("it holds a NUL character");
  if (text.split("<<").length > mostHeredocs) return unsure("it has more heredocs than can be followed");
  if (nesting(text) > maxDepth) return unsure("it is nested too deeply to be understood");
  try {
    const script = parse(text);
    const { error, openers, nested, isPlaced } = look(script, text);
    return error === undefined
      ? { ok: true, value: { script, openers, nested, isPlaced } }
      : unsure(`it cannot be parsed (${error})`);
  } catch {
    return unsure("it cannot be parsed"); // its recursion overflowed the stack
  }
}

const unsure = (problem: string): Expected<never> => ({ ok: false, problem });

/** An upper bound of the nesting depth, whatever the quotes mean. */
function nesting(text: string): number {
  let depth = 0;
  let deepest = 0;
  let ticks = 0;
  for (const character of text) {
    if (character === "(" || character === "{") depth += 1;
    else if (character === ")" || character === "}") depth = Math.max(0, depth - 1);
    else if (character === "`") ticks += 1;
    deepest = Math.max(deepest, depth);
  }
  // Back-ticks nest by doubled backslashes: rarely, and never deep.
  return ticks > 4_096 ? Number.POSITIVE_INFINITY : deepest;
}

type Look = Omit<ParsedText, "script"> & { error: string | undefined };

/** The first error at any depth, the number of substitutions, and their scripts. */
function look(script: ParsedScript, text: string): Look {
  let openers = 0;
  let isPlaced = true;
  const nested: ParsedScript[] = [];
  const waiting: SyntaxNode[] = [script];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "Script" && node !== script) nested.push(node);
    const [error] = node.type === "Script" ? (node.errors ?? []) : [];
    const problem = error?.message ?? misreading(node);
    if (problem !== undefined) return { error: problem, openers, nested, isPlaced };
    if (node.type === "Word" && !text.startsWith(node.text, node.pos)) isPlaced = false;
    if (
      node.type === "CommandExpansion" ||
      node.type === "ProcessSubstitution" ||
      node.type === "ArithmeticCommandExpansion"
    )
      openers += 1;
    forEachChild(node, (child) => void waiting.push(child));
  }
  return { error: undefined, openers, nested, isPlaced };
}

/** Syntax that the parser is known to read differently from bash. */
function misreading(node: SyntaxNode): string | undefined {
  // `a=(x)$(y)`: with text after the list, the parser returns a plain word instead of a list.
  if (node.type === "Assignment" && node.value.type === "Word" && node.value.text.startsWith("("))
    return "an array goes on behind its end";
  if (node.type !== "Command") return undefined;
  const words = [...node.prefix, ...(node.name ? [node.name] : []), ...node.suffix];
  // `x=<(y) rm`: the parser ends the word too early, while bash reads on, so that `rm` is the program.
  const isTorn = words.some((word, at) => {
    const next = words[at + 1];
    if (next?.pos !== word.end) return false;
    return isProcess(next, 0) || (next.type === "Word" && isProcess(word, -1));
  });
  return isTorn ? "a process substitution within a word" : undefined;
}

const isProcess = (word: SyntaxNode, at: number): boolean =>
  word.type === "Word" && word.parts?.at(at)?.type === "ProcessSubstitution";

/** The scripts of all substitutions in a node. */
export function scriptsIn(root: SyntaxNode): ParsedScript[] {
  const scripts: ParsedScript[] = [];
  const waiting = [root];
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.type === "Script") scripts.push(node);
    forEachChild(node, (child) => void waiting.push(child));
  }
  return scripts;
}
