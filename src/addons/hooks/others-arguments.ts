/** Translates call arguments to other agents' names, and a hook's changes back to ours. */

import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type Json, type JsonObject } from "../../base/json.ts";

/** Our argument names, and those of other agents. */
const others: Readonly<Record<string, string>> = {
  old: "old_string",
  new: "new_string",
  all: "replace_all",
};

/** Facts about the call that are not in its arguments: the absolute file path and the command line. */
export type ToldBesides = { file?: string | undefined; command?: string | undefined };

/** Our names, plus those of other agents. */
export function withOthersNames(input: JsonObject, { file, command }: ToldBesides): JsonObject {
  return {
    ...withOtherNames(input),
    ...(file === undefined || "file_path" in input ? {} : { file_path: file }),
    ...(command === undefined || "command" in input ? {} : { command }),
  };
}

function withOtherNames(input: JsonObject): JsonObject {
  const more = Object.entries(others).flatMap(([own, other]): [string, Json][] => {
    const value = input[own];
    return value === undefined || other in input ? [] : [[other, value]];
  });
  const { edits } = input;
  const all: JsonObject = { ...input, ...Object.fromEntries(more) };
  if (Array.isArray(edits))
    all["edits"] = edits.map((edit) => (isJsonObject(edit) ? withOtherNames(edit) : edit));
  return all;
}

/** `input`: the original arguments, translated with `besides`. A foreign name counts only if its value was changed. */
export function withOwnNames(changed: JsonObject, input: JsonObject, besides: ToldBesides): JsonObject {
  const told = withOthersNames(input, besides);
  const commandPlace = Object.keys(input).find((name) => input[name] === besides.command) ?? "command";
  const places = { path: "file_path", ...others, [commandPlace]: "command" };
  return ownNames(changed, { input, told, places });
}

type ArgumentTranslation = { input: JsonObject; told: JsonObject; places: Readonly<Record<string, string>> };

function ownNames(changed: JsonObject, { input, told, places }: ArgumentTranslation): JsonObject {
  const made: JsonObject = { ...changed };
  for (const [own, other] of Object.entries(places)) {
    if (other in input) continue; // the tool itself has an argument of this name
    const value = changed[other];
    if (value === undefined) continue;
    delete made[other];
    const kept = isDeepStrictEqual(value, told[other]) ? (made[own] ?? input[own]) : value;
    if (kept !== undefined) made[own] = kept;
  }
  const { edits } = made;
  if (Array.isArray(edits)) made["edits"] = edits.map((edit, at) => ownEdit(edit, { input, told }, at));
  return made;
}

function ownEdit(edit: Json, { input, told }: Omit<ArgumentTranslation, "places">, at: number): Json {
  if (!isJsonObject(edit)) return edit;
  const before = itemOf(input, at);
  return ownNames(edit, { input: before, told: itemOf(told, at), places: others });
}

function itemOf({ edits }: JsonObject, at: number): JsonObject {
  const item = Array.isArray(edits) ? edits[at] : undefined;
  return item !== undefined && isJsonObject(item) ? item : {};
}
