/** The schema that a final answer has to fit: told to the model, and checked in what it answers. */

import { basename } from "node:path";
import { figureOf } from "../base/bound.ts";
import { fileBounds } from "../base/bounds.ts";
import { type Expected, refuse } from "../base/expected.ts";
import { isDeeperThan, isJsonObject, type Json, type JsonObject, parseJson } from "../base/json.ts";
import { readSmallFile } from "../base/safe-fs/small-file.ts";
import { decodeText } from "../base/text.ts";
import { withinTime } from "../base/time-limit.ts";
import type { ContentPart } from "../protocol/messages.ts";
import { problemBySchema } from "../tools/arguments/schema-check.ts";
import { typesOf } from "../tools/arguments/usable-schema.ts";

/** An answer's JSON, as the model wrote it and as a value. */
export type CheckedAnswer = { text: string; value: Json };

export type AnswerCheck = {
  /** Goes with the request. */
  told: ContentPart;
  /** The problem says what is wrong, for a person and for the model. */
  read: (text: string) => Expected<CheckedAnswer>;
  /** What the model is told after such a problem. */
  again: (problem: string) => ContentPart;
};

const most = fileBounds.configuration;
/** Milliseconds: a schema may hold patterns that backtrack endlessly. */
const mostTime = 1_000;
const deepest = 1_000;

/** Reads the schema from a file. A schema that cannot check anything is a mistake. */
export function openAnswerSchema(path: string): Expected<AnswerCheck> {
  const wrong = (words: string): Expected<never> => refuse(`The schema ${path} ${words}`);
  const read = readSmallFile(path, most.most);
  if (!read.ok)
    return read.problem === "too-large"
      ? wrong(`is too large: at most ${figureOf(most)} are taken`)
      : wrong(`cannot be read (${read.problem === "no-file" ? "it is no file" : read.problem})`);
  if (read.value === undefined) return wrong("does not exist: name a file with a JSON Schema");
  const decoded = decodeText(read.value);
  const parsed = decoded.kind === "text" ? parseJson(decoded.text) : undefined;
  if (!parsed?.ok) return wrong(`is not JSON${parsed ? ` (${parsed.problem})` : ""}`);
  if (parsed.value === null || !isJsonObject(parsed.value)) return wrong("is not an object in braces");
  const schema = parsed.value;
  const problem = schemaProblem(schema);
  return problem === undefined ? { ok: true, value: checkBy(schema, path) } : wrong(problem);
}

function schemaProblem(schema: JsonObject): string | undefined {
  if (isDeeperThan(deepest, schema)) return "is nested too deeply";
  const type = wordsAt("type", schema).find((word) => typesOf(word).length === 0);
  if (type !== undefined) return `cannot be used: there is no type ${JSON.stringify(type)}`;
  const references = wordsAt("$ref", schema);
  const tried = withinTime(mostTime, () => problemBySchema(schema, {}));
  const isEndless = !tried.ok && !tried.isLate && !isOfSchema(tried.problem);
  const endless = isEndless ? "#" : references.find((reference) => leadsBack(schema, reference));
  if (endless !== undefined)
    return `cannot be used: ${JSON.stringify(endless)} refers to itself without end, so that nothing can be checked by it`;
  const all = [tried, ...references.map((reference) => reach(schema, reference))];
  const problem = all.find((one) => !one.ok && !one.isLate && isOfSchema(one.problem));
  return problem?.ok === false
    ? `cannot be used: ${problem.problem.replace(/\s{2,}.*|\n.*/su, "")}`
    : undefined;
}

/** Whether a reference leads to nothing but references, and back to one of them. */
function leadsBack(schema: JsonObject, reference: string): boolean {
  const seen = new Set<string>();
  for (let next: Json | undefined = reference; typeof next === "string";) {
    if (seen.has(next)) return true;
    seen.add(next);
    const part = partAt(schema, next);
    next = part !== null && part !== undefined && isJsonObject(part) ? part["$ref"] : undefined;
  }
  return false;
}

/** What a reference into the schema itself points at: `#/$defs/item`. */
function partAt(schema: Json, reference: string): Json | undefined {
  if (!reference.startsWith("#")) return undefined;
  const names = reference.split("/").slice(1);
  return names.reduce<Json | undefined>((part, name) => {
    const key = name.replaceAll("~1", "/").replaceAll("~0", "~");
    return part !== null && part !== undefined && isJsonObject(part) && Object.hasOwn(part, key)
      ? part[key]
      : undefined;
  }, schema);
}

/** Checks anything by what is referred to. */
const reach = (schema: JsonObject, reference: string) =>
  withinTime(mostTime, () => problemBySchema({ ...schema, $ref: reference }, {}));

/** A schema that was made to refer to one of its own parts may refer to itself without end. */
const isOfSchema = (problem: string): boolean => !problem.includes("call stack");

/** Keywords whose contents are data, not schemas. */
const data: readonly string[] = ["enum", "const", "default", "examples"];

/** The texts of a keyword, wherever it stands. */
function wordsAt(keyword: string, schema: Json): string[] {
  if (schema === null || typeof schema !== "object") return [];
  if (Array.isArray(schema)) return schema.flatMap((one) => wordsAt(keyword, one));
  return Object.entries(schema).flatMap(([key, value]) => {
    if (data.includes(key)) return [];
    const own = key === keyword ? [value].flat().filter((word) => typeof word === "string") : [];
    return [...own, ...wordsAt(keyword, value)];
  });
}

function checkBy(schema: JsonObject, path: string): AnswerCheck {
  return {
    told: {
      type: "text",
      file: basename(path),
      text: `When the task is done, your last message must be one JSON value that fits the JSON Schema below, and nothing else: no words before or after it, no code fence.\n\n${JSON.stringify(schema)}`,
    },
    read: (text) => readAnswer(text, schema),
    again: (problem) => ({
      type: "text",
      text: `Your last message is not the answer that was asked for: ${problem}. Answer again, with one JSON value that fits the JSON Schema and nothing else.`,
    }),
  };
}

function readAnswer(text: string, schema: JsonObject): Expected<CheckedAnswer> {
  const found = jsonIn(text);
  if (!found) return refuse("it is not JSON");
  if (isDeeperThan(deepest, found.value)) return refuse("it is nested too deeply");
  const checked = withinTime(mostTime, () => problemBySchema(schema, found.value, ofAnswers));
  if (!checked.ok) return refuse(`it could not be checked: ${checked.problem}`);
  const { value: problem } = checked;
  return problem ? refuse(problem.words) : { ok: true, value: found };
}

const ofAnswers = { whole: "the answer", member: "property" };

/** The whole text, else its last fenced block, else what stands between the first brace and the last one. */
function jsonIn(text: string): CheckedAnswer | undefined {
  for (const find of [(whole: string) => whole, lastFenced, betweenBraces]) {
    const found = find(text);
    const parsed = found === undefined ? undefined : parseJson(found);
    if (found !== undefined && parsed?.ok) return { text: found.trim(), value: parsed.value };
  }
  return undefined;
}

/** Line by line: a pattern would take too long on a text of nothing but fences. */
function lastFenced(text: string): string | undefined {
  let last: string | undefined;
  let open: string[] | undefined;
  for (const line of text.split("\n")) {
    const isFence = /^\s*```/u.test(line);
    if (isFence && open) last = open.join("\n");
    if (isFence) open = open ? undefined : [];
    else open?.push(line);
  }
  return last;
}

function betweenBraces(text: string): string | undefined {
  const start = text.search(/[{[]/u);
  const end = Math.max(text.lastIndexOf("}"), text.lastIndexOf("]"));
  return start === -1 || end < start ? undefined : text.slice(start, end + 1);
}
