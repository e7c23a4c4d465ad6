/** The constraint that a dialect gives for the offered tools, in the terms of the server. Loaded when one is used. */

import type { JsonObject } from "../../base/json.ts";
import type { Constraint, Prompt, ToolDescription } from "../../protocol/messages.ts";
import type { Dialect } from "../dialect.ts";
import { freeText, literal, newGrammar, type GrammarWriter } from "./grammar.ts";
import type { HeldForm, TaggedInput } from "./held-form.ts";
import { jsonRule, inOrder } from "./json-grammar.ts";
import { patternText } from "./pattern-grammar.ts";
import { partsOf, plainSchema, type PlainSchema } from "./plain-schema.ts";
import { schemaOf } from "./schema-of.ts";
import { isKnownFormat, formattedText } from "./text-grammar.ts";

/** What the server takes for calls within text, or for a whole answer. */
export type TextConstraint = Exclude<Constraint["type"], "strict">;

/** What of a request decides which calls may be written. */
export type OfferedCalls = Pick<Prompt, "tools" | "toolChoice" | "oneCall">;

/** Undefined if the dialect's form cannot be said that way. */
export function constraintOf(
  { held, answerSchema }: Pick<Dialect, "held" | "answerSchema">,
  kind: TextConstraint,
  asked: OfferedCalls,
): Constraint | undefined {
  const calls = callsIn(asked);
  if (calls.tools.length === 0) return undefined;
  if (kind === "schema") {
    if (!answerSchema) return undefined;
    const inputs = calls.tools.map(({ name, schema }) => ({ name, schema: inputSchema(schema) }));
    return { type: kind, schema: answerSchema(inputs, calls) };
  }
  if (kind === "grammar" && answerSchema) return { type: kind, grammar: answerGrammar(answerSchema, calls) };
  if (!held) return undefined;
  if (kind === "grammar") return { type: kind, grammar: wholeGrammar(held, calls) };
  return { type: kind, format: structuralTags(held, calls) };
}

type WantedCalls = { tools: readonly ToolDescription[]; mustCall: boolean; onlyOne: boolean };

function callsIn({ tools, toolChoice, oneCall }: OfferedCalls): WantedCalls {
  const isNamed = typeof toolChoice === "object";
  return {
    tools: isNamed ? tools.filter(({ name }) => name === toolChoice.name) : tools,
    mustCall: isNamed || toolChoice === "required",
    onlyOne: oneCall === true,
  };
}

/** The words that llama.cpp and XGrammar hold a model to; patterns they read in ways of their own. */
const keeps = ["minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength"];

/** The schema of a tool's arguments, which are an object. */
const inputSchema = (schema: JsonObject): JsonObject => schemaOf(plainInput(schema), { keeps });

function plainInput(schema: JsonObject): PlainSchema {
  const plain = plainSchema(schema);
  return plain.type === "any" ? { ...plain, type: "map", values: { type: "any", words: {} } } : plain;
}

/**
 * The form of XGrammar, which vLLM and SGLang use.
 * https://xgrammar.mlc.ai/docs/tutorials/structural_tag.html
 */
function structuralTags(
  { trigger, begin, end, input }: HeldForm,
  { tools, mustCall, onlyOne }: WantedCalls,
): JsonObject {
  const tags = tools.map(({ name, schema }): JsonObject => {
    const content: JsonObject =
      input === "json"
        ? { type: "json_schema", json_schema: inputSchema(schema) }
        : { type: "grammar", grammar: inputGrammar(schema, input) };
    return { type: "tag", begin: begin(name), content, end };
  });
  return {
    type: "triggered_tags",
    triggers: [trigger],
    tags,
    at_least_one: mustCall,
    stop_after_first: onlyOne,
  };
}

function inputGrammar(schema: JsonObject, input: Exclude<HeldForm["input"], "json">): string {
  const grammar = newGrammar();
  return grammar.text(taggedRule(plainSchema(schema), input, grammar));
}

/** The whole answer, with the tools' schemas as they are: more of them can be said so than in the schema of a server. */
function answerGrammar(answerSchema: NonNullable<Dialect["answerSchema"]>, calls: WantedCalls): string {
  const inputs = new Map(calls.tools.map(({ name, schema }) => [`input of ${name}`, plainInput(schema)]));
  const named = calls.tools.map(({ name }) => ({ name, schema: { $ref: `input of ${name}` } }));
  const grammar = newGrammar();
  return grammar.text(jsonRule(plainSchema(answerSchema(named, calls), inputs), grammar));
}

/** The grammar of JSON of that schema; undefined if a grammar does not say all of it: a server may know more. */
export function grammarOfSchema(schema: JsonObject): string | undefined {
  const plain = plainSchema(schema);
  const saysAll = partsOf(plain).every(({ isLoose, words }) => isLoose !== true && saysText(words));
  if (!saysAll) return undefined;
  const grammar = newGrammar();
  return grammar.text(jsonRule(plain, grammar));
}

/** Whether all that the words say of a text is held: of a format, a pattern and lengths only one is. */
function saysText({ format, pattern, minLength, maxLength }: JsonObject): boolean {
  const isCounted = minLength !== undefined || maxLength !== undefined;
  if (typeof format === "string") return isKnownFormat(format) && pattern === undefined && !isCounted;
  return pattern === undefined || (!isCounted && patternText({ pattern }, newGrammar()) !== undefined);
}

/** Text that is free up to a call's first mark, then that call, then free text again: for llama.cpp. */
function wholeGrammar(held: HeldForm, { tools, mustCall, onlyOne }: WantedCalls): string {
  const grammar = newGrammar();
  const call = grammar.rule(...tools.map((tool) => callRule(tool, held, grammar)));
  const nothing = `""`;
  const after = onlyOne ? grammar.rule(nothing) : textWithCalls(grammar, held.trigger, call);
  if (mustCall) return grammar.text(`${noThought} ${literal(held.trigger)} ${call} ${after}`);
  return grammar.text(
    onlyOne ? freeText(grammar, new Map([[held.trigger, `${call} ${after}`]]), nothing) : after,
  );
}

/** What may precede a call that must come: an empty thought. With free text, a weak model would never get to the call. */
const noThought = `("<think>"? [ \\n]{0,4} "</think>" [ \\n]{0,4})?`;

/** A rule that leads back to itself after each call. */
function textWithCalls(grammar: GrammarWriter, trigger: string, call: string): string {
  return grammar.cycle("text", (text) => [freeText(grammar, new Map([[trigger, `${call} ${text}`]]), `""`)]);
}

/** A call from behind its trigger. */
function callRule({ name, schema }: ToolDescription, held: HeldForm, grammar: GrammarWriter): string {
  const { trigger, begin, end, input } = held;
  const plain = plainInput(schema);
  const rule = input === "json" ? jsonRule(plain, grammar) : taggedRule(plain, input, grammar);
  return `${literal(begin(name).slice(trigger.length))} ${rule} ${literal(end)}`;
}

/** The rule for all arguments of a call, in the order of their declaration. */
function taggedRule(plain: PlainSchema, tags: TaggedInput, grammar: GrammarWriter): string {
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
