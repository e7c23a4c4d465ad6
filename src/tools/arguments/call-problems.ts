/** Error messages for calls that cannot run: what the model wrote, what is wrong, and what the tool takes. */

import { ownValue } from "../../base/json-schema.ts";
import { isDeeperThan, isJsonObject, type Json, type JsonObject } from "../../base/json.ts";
import { maxDepth } from "../../base/loose-json.ts";
import type { ToolCall } from "../../protocol/messages.ts";
import { looseName } from "../../protocol/tool-name.ts";
import { namelessCall } from "../../protocol/unreadable.ts";
import { expectation } from "./expectation.ts";

/** What is wrong with the arguments, and where; several places if values are wrong only in combination. */
export type InputProblem = { words: string; places: readonly InputPath[] };
/** A path from the outside in: `["edits", 0, "old"]`. */
export type InputPath = readonly (string | number)[];

export const tooDeep: InputProblem = { words: `it is nested more than ${maxDepth} levels deep`, places: [] };

/** The first two lines are the wording of requirement D8. */
export function invalidInput(problem: InputProblem, schema: JsonObject, input: JsonObject): string {
  return lines(
    `ERROR: Your input to the tool was invalid (${problem.words})`,
    "Please check your input and try again.",
    shownInput(input, problem.places),
    takes(schema),
  );
}

/** If there are many tools, lists only those with a similar name. */
export function unknownTool(name: string, names: readonly string[]): string {
  const opening = `ERROR: The tool "${shortExcerpt(name)}" does not exist.`;
  if (names.length <= mostListed) return `${opening} The tools that exist: ${names.join(", ") || "none"}.`;
  const closest = closestTo(name, names).slice(0, 8);
  return `${opening} The closest of the ${names.length} tools that exist: ${closest.join(", ")}.`;
}

type CalledTool = {
  schema: JsonObject;
  /** Advice for a call that is too long to be written in one answer. */
  whenTooLong?: string | undefined;
};

/** The message for a call whose wire or dialect already reported a problem. */
export function unreadableCall(
  call: Pick<ToolCall, "name" | "rawArguments" | "fault">,
  problem: string,
  tool: CalledTool | undefined,
): string {
  const written = call.rawArguments ?? "";
  const which = call.name === namelessCall ? "A call" : `The call of ${shortExcerpt(call.name)}`;
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
    written === "" ? undefined : `You wrote: ${shortExcerpt(written)}`,
    tool && takes(tool.schema),
    "Nothing was done. Send the whole call again.",
  );
}

/** Cuts text written by a model short enough to be shown to it again. */
export function shortExcerpt(words: string): string {
  return words.length <= mostShown ? words : `${words.slice(0, mostShown).toWellFormed()}…`;
}

const cutStart = (words: string): string =>
  words.length <= mostShown ? words : `…${words.slice(-mostShown).toWellFormed()}`;

const mostShown = 200;
const mostListed = 20;

const lines = (...words: readonly (string | undefined)[]): string =>
  words.filter((line) => line !== undefined).join("\n");

const takes = (schema: JsonObject): string => `The tool takes: ${expectation(schema)}`;

/** Quotes the model's own arguments: all of them if short, else those at the place of the problem. */
function shownInput(input: JsonObject, places: readonly InputPath[]): string | undefined {
  if (isDeeperThan(maxDepth, input)) return undefined;
  const whole = JSON.stringify(input);
  const place = places.find((one) => one.length > 0 && valueAt(input, one) !== undefined);
  const part = place && valueAt(input, place);
  if (whole.length <= mostShown || place === undefined || part === undefined)
    return `You wrote: ${shortExcerpt(whole)}`;
  return `You wrote, as "${placeInWords(place)}": ${shortExcerpt(JSON.stringify(part))}`;
}

/** Formats a path like `edits[0].old`. */
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

/** Ranks names by shared pairs of letters. */
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
