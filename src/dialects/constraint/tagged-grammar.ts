/** Writes arguments between marks as grammar rules. */

import { freeText, literal, type GrammarWriter } from "./grammar.ts";
import type { TaggedInput } from "./held-form.ts";
import { inOrder, jsonRule } from "./json-grammar.ts";
import type { PlainSchema } from "./plain-schema.ts";
import { formattedText } from "./text-grammar.ts";

/** The rule for all arguments of a call, in the order of their declaration. */
export function taggedRule(plain: PlainSchema, tags: TaggedInput, grammar: GrammarWriter): string {
  if (plain.type !== "object") return anyArguments(tags, grammar);
  const written = plain.properties.map(
    ({ name, schema }) => `${literal(tags.open(name) + tags.around)} ${valueRule(schema, tags, grammar)}`,
  );
  const [all = grammar.rule(`""`)] = inOrder(plain.properties, grammar, (at) => written[at] ?? "");
  return all;
}

/** The value and its closing mark. */
function valueRule(plain: PlainSchema, tags: TaggedInput, grammar: GrammarWriter): string {
  const { close, around, after } = tags;
  const end = literal(around + close + after);
  const texts = textsOf(plain);
  if (texts) return grammar.rule(...texts.map((text) => `${literal(text)} ${end}`));
  const formatted = plain.type === "string" ? formattedText(plain.words, grammar) : undefined;
  if (formatted !== undefined) return grammar.rule(`${formatted} ${end}`);
  if (plain.type === "union" && !mayBeText(plain))
    return grammar.rule(...plain.of.map((one) => valueRule(one, tags, grammar)));
  if (!mayBeText(plain)) return grammar.rule(`${jsonRule(plain, grammar)} ${end}`);
  return freeText(grammar, new Map([[close, literal(after)]]));
}

function textsOf(plain: PlainSchema): string[] | undefined {
  if (plain.type !== "enum") return undefined;
  return plain.values.map((value) => (typeof value === "string" ? value : JSON.stringify(value)));
}

const mayBeText = (plain: PlainSchema): boolean =>
  plain.type === "any" ||
  plain.type === "string" ||
  (plain.type === "again" && mayBeText(plain.target())) ||
  (plain.type === "union" && plain.of.some(mayBeText));

/** A tool that names no arguments takes any. */
function anyArguments(tags: TaggedInput, grammar: GrammarWriter): string {
  const [before = "", behind = ""] = tags.open("\n").split("\n");
  const value = valueRule({ type: "any", words: {} }, tags, grammar);
  return grammar.rule(`(${literal(before)} [a-zA-Z0-9_-]{1,64} ${literal(behind + tags.around)} ${value})*`);
}
