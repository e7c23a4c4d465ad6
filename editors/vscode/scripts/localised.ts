/** Takes the texts for people out of a manifest, so that each can be translated: what remains are references to them. */

import { isJsonObject, type Json, type JsonObject } from "../../../src/base/json.ts";

/** What people read. */
const read = new Set([
  "title",
  "description",
  "displayName",
  "fullName",
  "contents",
  "markdownDescription",
  "userDescription",
]);
/** What names an entry of a list. */
const naming = ["command", "id", "view", "vendor", "type", "name", "title"];

type LocalisedManifest = { manifest: JsonObject; texts: Record<string, string> };

/** `texts`: those that have references already; a text that people do not read stays as it is. */
export function localised(manifest: JsonObject, texts: Readonly<Record<string, string>>): LocalisedManifest {
  const all: Record<string, string> = { ...texts };
  const refer = (text: string, place: readonly string[]): string => {
    if (/^%.+%$/u.test(text)) return text;
    const key = place.slice(1).join(".");
    all[key] = text;
    return `%${key}%`;
  };
  const walk = (value: Json, place: readonly string[]): Json => {
    if (Array.isArray(value)) return value.map((one, at) => walk(one, [...place, nameOf(one) ?? String(at)]));
    if (!isJsonObject(value) || place.at(-1) === "inputSchema") return value;
    const entries = Object.entries(value).map(([key, inner]): [string, Json] => {
      const isText = typeof inner === "string" && isRead(key, place);
      return [key, isText ? refer(inner, [...place, key]) : walk(inner, [...place, key])];
    });
    return Object.fromEntries(entries);
  };
  const { contributes = {} } = manifest;
  return { manifest: { ...manifest, contributes: walk(contributes, ["contributes"]) }, texts: all };
}

/** A view is named for people; a participant and a tool for models and messages. */
const isRead = (key: string, place: readonly string[]): boolean =>
  read.has(key) || (key === "name" && place[1] === "views");

function nameOf(value: Json): string | undefined {
  if (!isJsonObject(value)) return undefined;
  return naming.map((key) => value[key]).find((name) => typeof name === "string");
}
