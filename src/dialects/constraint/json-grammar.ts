/** Writes the JSON texts of a schema's values as grammar rules. */

import type { Json } from "../../base/json.ts";
import { literal, type GrammarWriter } from "./grammar.ts";
import type { PlainObject, PlainSchema } from "./plain-schema.ts";
import { mostCounted } from "./schema-of.ts";

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
      return listRule(jsonRule(plain.items, grammar), plain.words, grammar);
    case "map":
      return mapRule(jsonRule(plain.values, grammar), grammar);
    case "object":
      return objectRule(plain, grammar);
    case "string":
      return grammar.rule(
        `"\\"" ${character(grammar)}${times(plain.words["minLength"], plain.words["maxLength"])} "\\""`,
      );
    case "integer":
      return wholeNumber(plain.words, grammar);
    case "number":
      return number(grammar);
    case "boolean":
      return grammar.rule(`"true"`, `"false"`);
    case "null":
      return grammar.rule(`"null"`);
    default:
      return plain satisfies never;
  }
}

/** White space within JSON: enough for any layout, too little to write nothing else. */
const gapOf = (grammar: GrammarWriter): string => grammar.rule(`""`, `" "`, `"\\n" [ \\t]{0,20}`);

const character = (grammar: GrammarWriter): string => {
  const hex = "[0-9a-fA-F]";
  return grammar.rule(`[^"\\\\\\x00-\\x1f]`, `"\\\\" (["\\\\/bfnrt] | "u" ${hex} ${hex} ${hex} ${hex})`);
};

/** Numbers that a double holds exactly, or nearly. */
const number = (grammar: GrammarWriter): string =>
  grammar.rule(`"-"? ("0" | [1-9] [0-9]{0,14}) ("." [0-9]{1,16})? ([eE] [-+]? [0-9]{1,2})?`);

function wholeNumber(
  { minimum, exclusiveMinimum: above }: PlainSchema["words"],
  grammar: GrammarWriter,
): string {
  const least = typeof minimum === "number" ? minimum : typeof above === "number" ? above + 1 : -1;
  const positive = `[1-9] [0-9]{0,14}`;
  if (least >= 1) return grammar.rule(positive);
  return least >= 0 ? grammar.rule(`"0"`, positive) : grammar.rule(`"0"`, `"-"? ${positive}`);
}

/** How often something may stand; a count that would make the grammar too large is left to whoever checks the call. */
function times(least: Json | undefined, most: Json | undefined): string {
  const from = typeof least === "number" && least <= mostCounted ? least : 0;
  const to = typeof most === "number" && most <= mostCounted && most >= from ? most : "";
  return from === 0 && to === "" ? "*" : `{${from},${to}}`;
}

const besideFirst = (count: Json | undefined): number | undefined =>
  typeof count === "number" ? count - 1 : undefined;

function listRule(
  item: string,
  { minItems, maxItems }: PlainSchema["words"],
  grammar: GrammarWriter,
): string {
  const gap = gapOf(grammar);
  const [least, most] = [besideFirst(minItems) ?? -1, besideFirst(maxItems)];
  const empty = least < 0 ? [`"[" ${gap} "]"`] : [];
  if (most !== undefined && most < 0) return grammar.rule(`"[" ${gap} "]"`);
  const more = times(Math.max(0, least), most);
  return grammar.rule(...empty, `"[" ${gap} ${item} (${gap} "," ${gap} ${item})${more} ${gap} "]"`);
}

function mapRule(value: string, grammar: GrammarWriter): string {
  const gap = gapOf(grammar);
  const entry = grammar.rule(`"\\"" ${character(grammar)}* "\\"" ${gap} ":" ${gap} ${value}`);
  return grammar.rule(`"{" ${gap} "}"`, `"{" ${gap} ${entry} (${gap} "," ${gap} ${entry})* ${gap} "}"`);
}

const anyRule = (grammar: GrammarWriter): string =>
  grammar.cycle("any", (any) => [
    mapRule(any, grammar),
    listRule(any, {}, grammar),
    jsonRule({ type: "string", words: {} }, grammar),
    number(grammar),
    `"true"`,
    `"false"`,
    `"null"`,
  ]);

/** The properties in the order in which they are declared; those that are not required may be left out. */
function objectRule({ properties }: PlainObject, grammar: GrammarWriter): string {
  const gap = gapOf(grammar);
  const entries = properties.map(
    ({ name, schema }) => `${literal(JSON.stringify(name))} ${gap} ":" ${gap} ${jsonRule(schema, grammar)}`,
  );
  const rest = inOrder(properties, grammar, (at) => `${gap} "," ${gap} ${entries[at] ?? ""}`);
  const firsts: string[] = [];
  for (const [at, { isRequired }] of properties.entries()) {
    firsts.push(`"{" ${gap} ${entries[at] ?? ""} ${rest[at + 1] ?? ""} ${gap} "}"`);
    if (isRequired) return grammar.rule(...firsts);
  }
  return grammar.rule(`"{" ${gap} "}"`, ...firsts);
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
