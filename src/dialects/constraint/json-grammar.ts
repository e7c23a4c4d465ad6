/** Writes the JSON texts of a schema's values as grammar rules. */

import type { Json } from "../../base/json.ts";
import { literal, repetition, type GrammarWriter } from "./grammar.ts";
import { boundedNumber } from "./number-grammar.ts";
import { patternText } from "./pattern-grammar.ts";
import type { PlainList, PlainObject, PlainSchema } from "./plain-schema.ts";
import { formattedText } from "./text-grammar.ts";

/** The rule for the JSON text of such a value. */
export function jsonRule(plain: PlainSchema, grammar: GrammarWriter): string {
  switch (plain.type) {
    case "any":
      return anyRule(grammar);
    case "enum":
      return grammar.rule(...plain.values.map((value) => literal(JSON.stringify(value))));
    case "union":
      return grammar.rule(...plain.of.map((one) => jsonRule(one, grammar)));
    case "list":
      return listRule(plain, grammar);
    case "map":
      return mapRule(jsonRule(plain.values, grammar), plain.words, grammar);
    case "object":
      return objectRule(plain, grammar);
    case "again":
      return grammar.cycle(plain.target, () => [jsonRule(plain.target(), grammar)]);
    case "string": {
      const { minLength, maxLength } = plain.words;
      const written =
        formattedText(plain.words, grammar) ??
        patternText(plain.words, grammar) ??
        repetition(character(grammar), [minLength, maxLength], grammar);
      return grammar.rule(`"\\"" ${written} "\\""`);
    }
    case "integer":
    case "number":
      return boundedNumber(plain.words, plain.type, grammar) ?? anyNumber(plain.type, grammar);
    case "boolean":
      return grammar.rule(`"true"`, `"false"`);
    case "null":
      return grammar.rule(`"null"`);
    default:
      return plain satisfies never;
  }
}

/** White space within brackets and behind a comma: enough for any layout, too little to write nothing else. */
const gapOf = (grammar: GrammarWriter): string => grammar.rule(`""`, `" "`, `"\\n" [ \\t]{0,20}`);

/** One character of a text, however it is written; halves of one are none. */
const character = (grammar: GrammarWriter): string => {
  const hex = "[0-9a-fA-F]";
  const plane = `([0-9abcefABCEF] ${hex} | [dD] [0-7]) ${hex} ${hex}`;
  const pair = `[dD] [89abAB] ${hex} ${hex} "\\\\u" [dD] [c-fC-F] ${hex} ${hex}`;
  return grammar.rule(`[^"\\\\\\x00-\\x1f]`, `"\\\\" (["\\\\/bfnrt] | "u" (${plane} | ${pair}))`);
};

/** Numbers that a double holds exactly, or nearly. */
const anyNumber = (type: "integer" | "number", grammar: GrammarWriter): string => {
  const whole = `"-"? ("0" | [1-9] [0-9]{0,14})`;
  if (type === "integer") return grammar.rule(`"0"`, `"-"? [1-9] [0-9]{0,14}`);
  return grammar.rule(`${whole} ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?`);
};

function listRule({ items, first = [], words }: PlainSchema & PlainList, grammar: GrammarWriter): string {
  const gap = gapOf(grammar);
  const { minItems, maxItems } = words;
  const [item, more] = [jsonRule(items, grammar), (one: string) => `"," ${gap} ${one}`];
  const all = first.slice(0, typeof maxItems === "number" ? maxItems : undefined);
  const firsts = all.map((one) => jsonRule(one, grammar));
  const [head = item, ...tail] = firsts;
  const isEmpty = typeof maxItems === "number" && maxItems < 1;
  if (isEmpty) return grammar.rule(`"[" ${gap} "]"`);
  const behind = (count: Json | undefined): number | undefined =>
    typeof count === "number" ? Math.max(0, count - Math.max(1, firsts.length)) : undefined;
  const others = repetition(grammar.rule(more(item)), [behind(minItems), behind(maxItems)], grammar);
  const filled = `"[" ${gap} ${head} ${tail.map(more).join(" ")} ${others} ${gap} "]"`;
  const empty = firsts.length === 0 && mayBeEmpty(minItems) ? [`"[" ${gap} "]"`] : [];
  return grammar.rule(...empty, filled);
}

/** Names may repeat: of a minimum beyond one the rest is left to whoever checks the call. */
function mapRule(
  value: string,
  { minProperties, maxProperties }: PlainSchema["words"],
  grammar: GrammarWriter,
): string {
  const gap = gapOf(grammar);
  const entry = grammar.rule(`"\\"" ${character(grammar)}* "\\"" ":" " "? ${value}`);
  const counts = [besideFirst(minProperties), besideFirst(maxProperties)] as const;
  const more = repetition(grammar.rule(`"," ${gap} ${entry}`), counts, grammar);
  const empty = `"{" ${gap} "}"`;
  if (typeof maxProperties === "number" && maxProperties < 1) return grammar.rule(empty);
  const filled = `"{" ${gap} ${entry} ${more} ${gap} "}"`;
  return mayBeEmpty(minProperties) ? grammar.rule(empty, filled) : grammar.rule(filled);
}

const besideFirst = (count: Json | undefined): number | undefined =>
  typeof count === "number" ? count - 1 : undefined;
const mayBeEmpty = (least: Json | undefined): boolean => typeof least !== "number" || least < 1;

const anyRule = (grammar: GrammarWriter): string =>
  grammar.cycle("any", (any) => [
    mapRule(any, {}, grammar),
    listRule({ type: "list", items: { type: "any", words: {} }, words: {} }, grammar),
    jsonRule({ type: "string", words: {} }, grammar),
    anyNumber("number", grammar),
    `"true"`,
    `"false"`,
    `"null"`,
  ]);

/** The properties in the order in which they are declared; those that are not required may be left out. */
function objectRule({ properties, words }: PlainSchema & PlainObject, grammar: GrammarWriter): string {
  const gap = gapOf(grammar);
  const entries = properties.map(
    ({ name, schema }) => `${literal(JSON.stringify(name))} ":" " "? ${jsonRule(schema, grammar)}`,
  );
  const rest = inOrder(properties, grammar, (at) => `"," ${gap} ${entries[at] ?? ""}`);
  const firsts: string[] = [];
  for (const [at, { isRequired }] of properties.entries()) {
    firsts.push(`"{" ${gap} ${entries[at] ?? ""} ${rest[at + 1] ?? ""} ${gap} "}"`);
    if (isRequired) return grammar.rule(...firsts);
  }
  const empty = mayBeEmpty(words["minProperties"]) || firsts.length === 0 ? [`"{" ${gap} "}"`] : [];
  return grammar.rule(...empty, ...firsts);
}

/** For each place, the rule of all that may follow from there on. */
export function inOrder(
  parts: readonly { readonly isRequired: boolean }[],
  grammar: GrammarWriter,
  write: (at: number) => string,
): string[] {
  const rules: string[] = [];
  let after = grammar.rule(`""`);
  rules[parts.length] = after;
  for (let at = parts.length - 1; at >= 0; at -= 1) {
    const written = `${write(at)} ${after}`;
    after = parts[at]?.isRequired === true ? grammar.rule(written) : grammar.rule(written, after);
    rules[at] = after;
  }
  return rules;
}
