/** What a model is told about a call that cannot run: what it wrote, what is wrong, what the tool takes. */

import { ownValue } from "../base/json-schema.ts";
import { isDeeperThan, isJsonObject, type Json, type JsonObject } from "../base/json.ts";
import { maxDepth } from "../base/loose-json.ts";
import type { Call } from "../protocol/messages.ts";
import { looseName } from "../protocol/tool-name.ts";
import { namelessCall } from "../protocol/unreadable.ts";
import { expectation } from "./expectation.ts";

/** What is wrong with arguments: in words, and where; several places if they are wrong together. */
export type InputProblem = { words: string; places: readonly InputPath[] };
/** From the outside in: `["edits", 0, "old"]`. */
export type InputPath = readonly (string | number)[];

export const tooDeep: InputProblem = { words: `it is nested more than ${maxDepth} levels deep`, places: [] };

/** The first two lines are the words of requirement D8. */
export function invalidInput(problem: InputProblem, schema: JsonObject, input: JsonObject): string {
  return lines(
    `ERROR: Your input to the tool was invalid (${problem.words})`,
    "Please check your input and try again.",
    shownInput(input, problem.places),
    takes(schema),
  );
}

/** Of many tools only those with a similar name are listed. */
export function unknownTool(name: string, names: readonly string[]): string {
  const opening = `ERROR: The tool "${cut(name)}" does not exist.`;
  if (names.length <= mostListed) return `${opening} The tools that exist: ${names.join(", ") || "none"}.`;
  const closest = closestTo(name, names).slice(0, 8);
  return `${opening} The closest of the ${names.length} tools that exist: ${closest.join(", ")}.`;
}

type KnownTool = {
  schema: JsonObject;
  /** What to do when a call is too long to be written at once. */
  whenTooLong?: string | undefined;
};

/** For a call that came with a problem of its own: from the wire or the dialect that read it. */
export function unreadableCall(call: Call, problem: string, tool: KnownTool | undefined): string {
  const written = call.rawArguments ?? "";
  const which = call.name === namelessCall ? "A call" : `The call of ${cut(call.name)}`;
  if (call.fault === "too_many_calls") return `ERROR: ${problem}`;
  if (call.fault === "truncated") {
    return lines(
      `ERROR: ${which} was cut off before its end, so nothing of it was run.`,
      written === "" ? undefined : `It ended with: ${cutStart(written)}`,
      `Send the whole call again. If it is long, send less at once: ${tool?.whenTooLong ?? "in several smaller calls"}.`,
    );
  }
  return lines(
    `ERROR: ${which} could not be read: ${problem}`,
    written === "" ? undefined : `You wrote: ${cut(written)}`,
    tool && takes(tool.schema),
    "Nothing was done. Send the whole call again.",
  );
}

/** Anything that a model wrote, short enough to be shown to it again. */
export function cut(words: string): string {
  return words.length <= mostShown ? words : `${words.slice(0, mostShown).toWellFormed()}…`;
}

const cutStart = (words: string): string =>
  words.length <= mostShown ? words : `…${words.slice(-mostShown).toWellFormed()}`;

const mostShown = 200;
const mostListed = 20;

const lines = (...words: readonly (string | undefined)[]): string =>
  words.filter((line) => line !== undefined).join("\n");

const takes = (schema: JsonObject): string => `The tool takes: ${expectation(schema)}`;

/** Its own words: all of them if they are few, else those at the place of the problem. */
function shownInput(input: JsonObject, places: readonly InputPath[]): string | undefined {
  if (isDeeperThan(maxDepth, input)) return undefined;
  const whole = JSON.stringify(input);
  const place = places.find((one) => one.length > 0 && valueAt(input, one) !== undefined);
  const part = place && valueAt(input, place);
  if (whole.length <= mostShown || place === undefined || part === undefined)
    return `You wrote: ${cut(whole)}`;
  return `You wrote, as "${placeInWords(place)}": ${cut(JSON.stringify(part))}`;
}

/** Like `edits[0].old`. */
export function placeInWords(place: InputPath): string {
  return place.reduce<string>(
    (words, step) =>
      typeof step === "number" ? `${words}[${step}]` : words === "" ? step : `${words}.${step}`,
    "",
  );
}

function valueAt(input: JsonObject, place: InputPath): Json | undefined {
  let at: Json | undefined = input;
  for (const step of place) {
    if (typeof step === "number") at = Array.isArray(at) ? at[step] : undefined;
    else at = at !== undefined && isJsonObject(at) ? ownValue(at, step) : undefined;
  }
  return at;
}

/** By the pairs of letters they share. */
function closestTo(name: string, names: readonly string[]): string[] {
  const wanted = pairsOf(name);
  const scored = names.map((one) => {
    const pairs = pairsOf(one);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
    return { one, score: shared / Math.max(1, pairs.size + wanted.size) };
  });
  return scored.toSorted((a, b) => b.score - a.score).map(({ one }) => one);
}

function pairsOf(name: string): Set<string> {
  const loose = looseName(name.slice(0, mostShown));
  return new Set(Array.from(loose, (letter, at) => letter + (loose[at + 1] ?? "")));
}
